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

/** The settings without which a tool would use another database than the site's. */
type SiteSettings = Pick<typeof env, "DATA_DIR" | "DATABASE_URL">;

/** The command that a person types to write a backup while the site runs. */
export function commandTextOfBackup(inImage = isImage, settings: SiteSettings = env): string {
  return inImage ? "docker compose exec engawa engawa backup" : withSettings(settings, "backup");
}

/** The commands that a person types, line by line, to restore a backup while the site is stopped. */
export function commandTextsOfRestore(
  words: string,
  inImage = isImage,
  settings: SiteSettings = env,
): string[] {
  if (inImage)
    return [
      "docker compose stop engawa",
      `docker compose run --rm engawa restore ${words}`,
      "docker compose up -d",
    ];
  return [withSettings(settings, "restore", words)];
}

/** A service's settings are not those of a shell. DATABASE_URL contains a password, so the person fills it in. */
function withSettings({ DATA_DIR, DATABASE_URL }: SiteSettings, tool: string, words = "") {
  const isUsualFolder = resolve(DATA_DIR) === ownFilePath("data");
  return [
    ...(DATABASE_URL === undefined ? [] : ["DATABASE_URL=…"]),
    ...(isUsualFolder ? [] : [`DATA_DIR=${DATA_DIR}`]),
    commandText(tool, words, false),
  ].join(" ");
}
