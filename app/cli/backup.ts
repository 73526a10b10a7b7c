import { resolve } from "node:path";
import { backUpBeforeMigration, newBackupPath, writeBackup } from "#app/domain/backup/backup.server.ts";
import { done } from "#app/domain/errors.ts";
import { explainFileError } from "#app/platform/process/cannot-start.server.ts";
import { NotUnderstood, runTool } from "#app/platform/process/run-tool.server.ts";
import { closeDatabase } from "#db/client.server.ts";
import { migrate } from "#db/migrate.ts";

/** `npm run backup`: everything the installation holds, in one file, while it runs. */

const usage = `Usage: npm run backup -- [FILE] [options]

Writes accounts, lists, the catalog and stored pictures to FILE (DATA_DIR/backups/engawa-TIME.gz unless named),
as of one instant; the site may go on running. npm run restore takes it, on this or another database.

  --json   answer in JSON      --help   this text

Exit codes: 0 done, 1 refused, 2 not understood.
`;

async function run(words: string[]) {
  if (words.length > 1) throw new NotUnderstood();
  await migrate({ beforeChange: backUpBeforeMigration });
  const file = resolve(words[0] ?? newBackupPath());
  const written = await writeBackup(file).catch((error) => {
    throw explainFileError(error, "The backup", file);
  });
  const missing =
    written.missingPictures > 0 ? `, ${written.missingPictures} pictures could not be found` : "";
  return done({
    text: `${file}: ${written.rows} rows, ${written.pictures} pictures${missing}`,
    json: written,
  });
}

const options = { json: { type: "boolean" } } as const;
await runTool({ usage, options, allowPositionals: true, run, close: closeDatabase });
