import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { runTool } from "#app/platform/end-tool.server.ts";
import { closeDatabase } from "#db/client.server.ts";
import { restoreBackup } from "../domain/backup/backup.server.ts";
import { logAside } from "../platform/log.server.ts";

/** `npm run restore`: a backup put in the place of what the database holds. */

const usage = `Usage: npm run restore -- FILE [options]

Puts a backup made by npm run backup into the database in use (DATABASE_URL, or the embedded one) and its pictures
into STORAGE: all of it, or nothing. Stop the site first. This is also how one moves from the embedded database to
DATABASE_URL, and from one version of PostgreSQL to another.

  --replace   also where there are accounts already; they are gone then
  --json      answer in JSON      --help   this text

Exit codes: 0 done, 1 refused, 2 not understood.
`;

async function run(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { replace: { type: "boolean" }, json: { type: "boolean" }, help: { type: "boolean" } },
    allowPositionals: true,
  });
  const [name, ...more] = positionals;
  if (values.help || name === undefined || more.length > 0) {
    (values.help ? process.stdout : process.stderr).write(usage);
    return values.help ? 0 : 2;
  }
  logAside();
  const file = resolve(name);
  if (!existsSync(file)) return refused(`There is no file ${file}`);
  const outcome = await restoreBackup(file, { replace: values.replace ?? false });
  if (!outcome.ok) return refused(outcome.message ?? outcome.reason);
  const { rows, pictures, madeAt } = outcome.value;
  const text = `Restored ${rows} rows and ${pictures} pictures of ${madeAt}.`;
  process.stdout.write(`${values.json ? JSON.stringify(outcome.value, null, 2) : text}\n`);
  return 0;
}

function refused(line: string) {
  process.stderr.write(`${line}\n`);
  return 1;
}

await runTool(run, closeDatabase);
