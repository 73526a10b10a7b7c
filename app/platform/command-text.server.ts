import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { env } from "./process/env.server.ts";
import { ownFilePath } from "./process/own-files.server.ts";

/** The image has what the site runs from, and the command `engawa` instead of npm's scripts. */
const isImage = !existsSync(ownFilePath("ops/run.mjs"));

/** What a person types to run a command-line tool here. */
export function commandText(tool: string, words = "", inImage = isImage): string {
  const command = inImage ? `engawa ${tool}` : `npm run ${tool}${words && " --"}`;
  return words === "" ? command : `${command} ${words}`;
}

/** What a person types, line by line, to run a tool that needs the site to be stopped. */
export function stoppedCommandTexts(
  tool: string,
  words: string,
  inImage = isImage,
  dataDir = env.DATA_DIR,
): string[] {
  if (inImage)
    return [
      "docker compose stop engawa",
      `docker compose run --rm engawa ${tool} ${words}`,
      "docker compose up -d",
    ];
  // The settings of a service lie elsewhere, and without them the tool would use a database of its own.
  const isOwn = resolve(dataDir) === ownFilePath("data");
  return [`${isOwn ? "" : `DATA_DIR=${dataDir} `}${commandText(tool, words, false)}`];
}
