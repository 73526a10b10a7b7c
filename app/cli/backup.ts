import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { runTool } from "#app/platform/end-tool.server.ts";
import { closeDatabase } from "#db/client.server.ts";
import { migrate } from "#db/migrate.ts";
import { backUpBeforeMigration, newBackupFile, writeBackup } from "../domain/backup/backup.server.ts";
import { fileTrouble } from "../platform/cannot-start.server.ts";
import { logAside } from "../platform/log.server.ts";

/** `npm run backup`: everything the installation holds, in one file, while it runs. */

const usage = `Usage: npm run backup -- [FILE] [options]

Writes accounts, lists, the catalog and stored pictures to FILE (DATA_DIR/backups/engawa-TIME.gz unless named),
as of one instant; the site may go on running. npm run restore takes it, on this or another database.

  --json   answer in JSON      --help   this text

Exit codes: 0 done, 1 refused, 2 not understood.
`;

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { json: { type: "boolean" }, help: { type: "boolean" } },
    allowPositionals: true,
  });
  if (values.help || positionals.length > 1) {
    (values.help ? process.stdout : process.stderr).write(usage);
    return values.help ? 0 : 2;
  }
  logAside();
  await migrate({ beforeChange: backUpBeforeMigration });
  const file = resolve(positionals[0] ?? newBackupFile());
  const written = await writeBackup(file).catch((error) => {
    throw fileTrouble(error, "The backup", file);
  });
  const missing =
    written.missingPictures > 0 ? `, ${written.missingPictures} pictures could not be found` : "";
  const text = `${file}: ${written.rows} rows, ${written.pictures} pictures${missing}`;
  process.stdout.write(`${values.json ? JSON.stringify(written, null, 2) : text}\n`);
  return 0;
}

await runTool(run, closeDatabase);
