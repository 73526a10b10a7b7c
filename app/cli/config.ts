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

const { values } = parseArgs({ options: { json: { type: "boolean" }, write: { type: "boolean" } } });

if (values.write) {
  writeFileSync(".env.example", environmentExample());
  writeFileSync("docs/configuration.md", withTable(readFileSync("docs/configuration.md", "utf8")));
} else {
  const settings = listSettings(rawEnvironment, setByShell);
  process.stdout.write(values.json ? `${JSON.stringify(settings, null, 2)}\n` : settingsText(settings));
}
