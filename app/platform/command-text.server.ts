import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { env } from "./process/env.server.ts";
import { ownFilePath } from "./process/own-files.server.ts";

/**
 * The container image contains only the files that the site runs from, and has the command `engawa` instead of npm's
 * scripts.
 */
const isImage = !existsSync(ownFilePath("ops/run.mjs"));

/** The command that a person types to run a command-line tool here. */
export function commandText(tool: string, words = "", inImage = isImage): string {
  const command = inImage ? `engawa ${tool}` : `npm run ${tool}${words && " --"}`;
  return words === "" ? command : `${command} ${words}`;
}

/** The commands that a person types, line by line, to restore a backup while the site is stopped. */
export function commandTextsOfRestore(words: string, inImage = isImage, dataDir = env.DATA_DIR): string[] {
  if (inImage)
    return [
      "docker compose stop engawa",
      `docker compose run --rm engawa restore ${words}`,
      "docker compose up -d",
    ];
  // A service's settings are stored elsewhere. Without DATA_DIR the tool would use another database.
  const isOwn = resolve(dataDir) === ownFilePath("data");
  return [`${isOwn ? "" : `DATA_DIR=${dataDir} `}${commandText("restore", words, false)}`];
}
