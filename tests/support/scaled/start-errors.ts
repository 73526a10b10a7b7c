import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** Starts of the built server that end with an error. */

export const folder = temporaryFolder("trouble");

const mounted: string[] = [];

afterAll(() => {
  for (const path of mounted) spawnSync("umount", [path]);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** The lines that the server writes for the operator before it gives up. */
export async function failedStart(settings: Record<string, string>) {
  const env = {
    ...process.env,
    NODE_ENV: "production",
    DATABASE_URL: "",
    PORT: "0",
    DATA_DIR: folder,
    ...settings,
  };
  const child = spawn(process.execPath, [resolve("build/server/server.js")], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [output, [code]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  expect(code).toBe(1);
  expect(output).not.toMatch(/"level":"(?:warn|error)"/);
  return output.trim().split("\n");
}

/** Wanted folders on file systems that cannot hold a site. Folders that need a missing right are left out. */
function* unusableFolders(isWanted: (path: string) => boolean): Generator<[path: string, line: RegExp]> {
  const cannotHold =
    /^DATA_DIR .* is (?:on a file system that cannot hold it|not writable).*[Cc]hoose another folder\.$/;
  for (const path of ["/proc/engawa", "/proc/engawa/data", "/proc", "/sys/engawa"])
    if (isWanted(path)) yield [path, cannotHold];
  const readOnly = join(folder, "read-only");
  const inReadOnly = join(readOnly, "data");
  mkdirSync(readOnly);
  if (isWanted(inReadOnly) && makeReadOnly(readOnly)) yield [inReadOnly, cannotHold];
  const full = /^The disk is full\. .* needs more space\. Free some space and start again\.$/;
  for (const size of ["16k", "20m"]) {
    const path = join(folder, `full-${size}`);
    mkdirSync(path);
    if (isWanted(path) && mount(path, `size=${size}`)) yield [path, full];
  }
}

function makeReadOnly(path: string): boolean {
  if (process.getuid?.() === 0) return mount(path, "size=1m,ro");
  chmodSync(path, 0o500);
  return true;
}

function mount(path: string, options: string): boolean {
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", path]);
  if (status === 0) mounted.push(path);
  return status === 0;
}

/** The folders whose paths end with one of these, or all. */
export function testUnusableFolders(ends: readonly string[] = [""]) {
  const folders = [...unusableFolders((path) => ends.some((end) => path.endsWith(end)))];
  test.runIf(process.platform === "linux").each(folders)(
    "a DATA_DIR of %s, whose file system cannot hold it, ends the start with one line",
    // The start once looped endlessly here.
    async (path, expected) => {
      expect(await failedStart({ DATA_DIR: path })).toEqual([expect.stringMatching(expected)]);
    },
  );
}
