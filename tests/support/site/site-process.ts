import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { inject } from "vitest";
import { atEnd } from "#tests/support/setup/at-end.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runSite, type Site } from "#tests/support/site/running-site.ts";

export type { Site } from "#tests/support/site/running-site.ts";

/**
 * Starts the production server as an operator does, with its own port and data folder. `folder` is another copy of the
 * site.
 */
export async function startSite(
  settings: Record<string, string> = {},
  options: Parameters<typeof runSite>[1] = {},
): Promise<Site> {
  const { stop, listening } = runSite(
    { ...settings, DATA_DIR: settings.DATA_DIR ?? filledDataDir() },
    options,
  );
  atEnd(stop);
  return listening;
}

function filledDataDir() {
  const folder = newDataDir();
  const filled = inject("filledDataDir");
  // Preserves the owner, because PostgreSQL refuses files of another user.
  if (filled) execFileSync("cp", ["-a", `${filled}/.`, folder]);
  return folder;
}

export function newDataDir() {
  const folder = temporaryFolder("site");
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
