import { resolve } from "node:path";
import { restoreBackup } from "#app/domain/backup/backup.server.ts";
import { done } from "#app/domain/errors.ts";
import { commandLine, recordEvent } from "#app/domain/events/events.server.ts";
import { commandText } from "#app/platform/command-text.server.ts";
import { defineTool, type FlagsOf, UsageError } from "#app/platform/process/run-tool.server.ts";
import { usesDatabase } from "#db/client.server.ts";

/** `npm run restore`: replaces the contents of the database with a backup and restores its pictures. */

const usage = `Usage: ${commandText("restore", "FILE [options]")}

Restores a backup made by ${commandText("backup")}. It writes to the current database (DATABASE_URL, or the embedded one) and
writes the pictures to STORAGE. It reads the whole file first, and if anything is wrong, the database stays unchanged.
Stop the site before you run this: while a site runs on the database, the restore is refused.
Use it also to move from the embedded database to DATABASE_URL, or to another version of PostgreSQL.

  --replace   restore even if the database has accounts. These accounts are deleted
  --json      print JSON          --help   this text

Exit codes: 0 success, 1 failure (the message says why), 2 wrong arguments.
`;

const options = { replace: { type: "boolean" }, json: { type: "boolean" } } as const;

async function run([name, ...more]: string[], flags: FlagsOf<typeof options>) {
  if (name === undefined || more.length > 0) throw new UsageError();
  const outcome = await restoreBackup(resolve(name), { replace: flags.replace ?? false });
  if (!outcome.ok) return outcome;
  const { rows, pictures, madeAt } = outcome.value;
  await recordEvent({ kind: "backup_restored", actor: commandLine, detail: `of ${madeAt}` });
  return done({
    text: `Restored ${rows} rows and ${pictures} pictures from the backup of ${madeAt}.`,
    json: outcome.value,
  });
}

export const tool = defineTool({ usage, options, allowPositionals: true, run, ...usesDatabase });
