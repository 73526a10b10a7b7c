import { readFileSync, writeFileSync } from "node:fs";
import { done } from "#app/domain/errors.ts";
import {
  environmentExample,
  listSettings,
  settingsText,
  withTable,
} from "#app/platform/process/configuration.server.ts";
import { rawEnvironment, setByShell } from "#app/platform/process/env.server.ts";
import { type FlagsOf, runTool } from "#app/platform/process/run-tool.server.ts";

/** `npm run config`: every variable, what it means, the value in use and where that comes from. */

const usage = `Usage: npm run config -- [options]

Prints every variable: its meaning, default, the value in use and where that comes from. Secrets are not shown.

  --write   bring .env.example and docs/configuration.md up to date instead
  --json    answer in JSON      --help   this text

Exit codes: 0 done, 2 not understood.
`;

const options = { json: { type: "boolean" }, write: { type: "boolean" } } as const;

async function run(_words: string[], flags: FlagsOf<typeof options>) {
  if (!flags.write) {
    const settings = listSettings(rawEnvironment, setByShell);
    return done({ text: settingsText(settings), json: settings });
  }
  writeFileSync(".env.example", environmentExample());
  writeFileSync("docs/configuration.md", withTable(readFileSync("docs/configuration.md", "utf8")));
  return 0;
}

await runTool({ usage, options, run });
