import { resolve } from "node:path";
import { migrateWithBackup, newBackupPath, writeBackup } from "#app/domain/backup/backup.server.ts";
import { done } from "#app/domain/errors.ts";
import { explainFileError } from "#app/platform/process/cannot-start.server.ts";
import { defineTool, NotUnderstood } from "#app/platform/process/run-tool.server.ts";
import { closeDatabase } from "#db/client.server.ts";

/** `npm run backup`: writes all data of the installation to one file. The site can keep running. */

const usage = `Usage: npm run backup -- [FILE] [options]

Writes accounts, lists, the catalog and stored pictures to FILE. The default is DATA_DIR/backups/engawa-TIME.gz.
The backup shows one moment, and the site can keep running. npm run restore reads it, into this or another database.

  --json   print JSON          --help   this text

Exit codes: 0 success, 1 failure (the message says why), 2 wrong arguments.
`;

async function run(words: string[]) {
  if (words.length > 1) throw new NotUnderstood();
  await migrateWithBackup();
  const file = resolve(words[0] ?? newBackupPath());
  const written = await writeBackup(file).catch((error) => {
    throw explainFileError(error, "The backup", file);
  });
  const missing =
    written.missingPictures > 0 ? `, ${written.missingPictures} pictures are missing in the storage` : "";
  return done({
    text: `${file}: ${written.rows} rows, ${written.pictures} pictures${missing}`,
    json: written,
  });
}

const options = { json: { type: "boolean" } } as const;
export const tool = defineTool({ usage, options, allowPositionals: true, run, close: closeDatabase });
