import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { inject } from "vitest";
import { atEnd } from "#tests/support/setup/at-end.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runSite, type Site } from "#tests/support/site/running-site.ts";

export type { Site } from "#tests/support/site/running-site.ts";

/** Starts the production server as an operator does, with its own port and data folder. `folder` holds another copy of it. */
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
  // Keeps the owner, because PostgreSQL refuses the files of another account.
  if (filled) execFileSync("cp", ["-a", `${filled}/.`, folder]);
  return folder;
}

export function newDataDir() {
  const folder = temporaryFolder("site");
  atEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
