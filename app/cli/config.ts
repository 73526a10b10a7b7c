import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import {
  environmentExample,
  listSettings,
  settingsText,
  withTable,
} from "../platform/configuration.server.ts";
import { rawEnvironment, setByShell } from "../platform/env.server.ts";

/** `npm run config`: every variable, what it means, the value in use and where that comes from. */

const usage = `Usage: npm run config -- [options]

Prints every variable: its meaning, default, the value in use and where that comes from. Secrets are not shown.

  --write   bring .env.example and docs/configuration.md up to date instead
  --json    answer in JSON      --help   this text

Exit codes: 0 done, 2 not understood.
`;

const options = { json: { type: "boolean" }, write: { type: "boolean" }, help: { type: "boolean" } } as const;

function run(): number {
  const { values } = parseArgs({ options });
  if (values.help) {
    process.stdout.write(usage);
  } else if (values.write) {
    writeFileSync(".env.example", environmentExample());
    writeFileSync("docs/configuration.md", withTable(readFileSync("docs/configuration.md", "utf8")));
  } else {
    const settings = listSettings(rawEnvironment, setByShell);
    process.stdout.write(values.json ? `${JSON.stringify(settings, null, 2)}\n` : settingsText(settings));
  }
  return 0;
}

try {
  process.exitCode = run();
} catch (error) {
  if (!(error as { code?: string }).code?.startsWith("ERR_PARSE_ARGS")) throw error;
  process.stderr.write(`${(error as Error).message}\n--help shows the options.\n`);
  process.exitCode = 2;
}
