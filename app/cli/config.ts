import { readFileSync, writeFileSync } from "node:fs";
import { done } from "#app/domain/errors.ts";
import { filmsForAnybodyText } from "#app/domain/films/films.ts";
import { commandText } from "#app/platform/command-text.server.ts";
import {
  environmentExample,
  listSettings,
  settingsText,
  withTable,
} from "#app/platform/process/configuration.server.ts";
import { env, rawEnvironment, setByShell } from "#app/platform/process/env.server.ts";
import { ffmpegText } from "#app/platform/process/ffmpeg.server.ts";
import { noConverterText } from "#app/platform/process/memory.server.ts";
import { defineTool, type FlagsOf } from "#app/platform/process/run-tool.server.ts";
import { isLocalMode } from "#app/platform/upstream/local-mode.ts";

/** `npm run config`: lists every environment variable with its meaning, its value and the origin of that value. */

const usage = `Usage: ${commandText("config", "[options]")}

Prints every environment variable with its meaning, default, current value and where the value was set.
The values of secrets are hidden.

  --write   update .env.example and docs/configuration.md instead
  --json    print JSON          --help   this text

Exit codes: 0 success, 1 a wrong value (the message names its variable), 2 wrong arguments.
`;

const options = { json: { type: "boolean" }, write: { type: "boolean" } } as const;

/** Whether accounts older than invitations exist is known only to the database, which this list does not read. */
const signUpsText =
  "SIGNUPS is unset: people sign up by invitation. Where accounts are older than invitations, anybody may sign up as before, until SIGNUPS says otherwise; members watch all films.";

async function run(_words: string[], flags: FlagsOf<typeof options>) {
  if (!flags.write) {
    const settings = listSettings(rawEnvironment, setByShell);
    const asksForInvitations = env.SIGNUPS === undefined && !isLocalMode(env);
    const notes = [
      ffmpegText(),
      noConverterText(),
      asksForInvitations ? signUpsText : null,
      filmsForAnybodyText({ ...env, hasFilms: env.MEDIA_DIR !== undefined }, env.SIGNUPS === "open"),
    ].filter((note) => note !== null);
    return done({ text: [settingsText(settings), ...notes].join("\n\n"), json: settings });
  }
  writeFileSync(".env.example", environmentExample());
  writeFileSync("docs/configuration.md", withTable(readFileSync("docs/configuration.md", "utf8")));
  return 0;
}

export const tool = defineTool({ usage, options, run });
