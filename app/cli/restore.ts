import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { restoreBackup } from "#app/domain/backup/backup.server.ts";
import { done, refuse } from "#app/domain/errors.ts";
import { type FlagsOf, NotUnderstood, runTool } from "#app/platform/process/run-tool.server.ts";
import { closeDatabase } from "#db/client.server.ts";

/** `npm run restore`: a backup put in the place of what the database holds. */

const usage = `Usage: npm run restore -- FILE [options]

Puts a backup made by npm run backup into the database in use (DATABASE_URL, or the embedded one) and its pictures
into STORAGE: all of it, or nothing. Stop the site first. This is also how one moves from the embedded database to
DATABASE_URL, and from one version of PostgreSQL to another.

  --replace   also where there are accounts already; they are gone then
  --json      answer in JSON      --help   this text

Exit codes: 0 done, 1 refused, 2 not understood.
`;

const options = { replace: { type: "boolean" }, json: { type: "boolean" } } as const;

async function run([name, ...more]: string[], flags: FlagsOf<typeof options>) {
  if (name === undefined || more.length > 0) throw new NotUnderstood();
  const file = resolve(name);
  if (!existsSync(file)) return refuse("not_found", `There is no file ${file}`);
  const outcome = await restoreBackup(file, { replace: flags.replace ?? false });
  if (!outcome.ok) return outcome;
  const { rows, pictures, madeAt } = outcome.value;
  return done({ text: `Restored ${rows} rows and ${pictures} pictures of ${madeAt}.`, json: outcome.value });
}

await runTool({ usage, options, allowPositionals: true, run, close: closeDatabase });
