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

/** Folders on file systems that cannot hold a site. Folders that need a missing right are left out. */
function* unusableFolders(): Generator<[path: string, line: RegExp]> {
  const cannotHold =
    /^DATA_DIR .* is (?:on a file system that cannot hold it|not writable).*[Cc]hoose another folder\.$/;
  for (const path of ["/proc/engawa", "/proc/engawa/data", "/proc", "/sys/engawa"]) yield [path, cannotHold];
  const readOnly = join(folder, "read-only");
  mkdirSync(readOnly);
  if (process.getuid?.() !== 0) {
    chmodSync(readOnly, 0o500);
    yield [join(readOnly, "data"), cannotHold];
  } else if (mount(readOnly, "size=1m,ro")) yield [join(readOnly, "data"), cannotHold];
  const full = /^The disk is full\. .* needs more space\. Free some space and start again\.$/;
  for (const size of ["16k", "20m"]) {
    const path = join(folder, `full-${size}`);
    mkdirSync(path);
    if (mount(path, `size=${size}`)) yield [path, full];
  }
}

function mount(path: string, options: string): boolean {
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", path]);
  if (status === 0) mounted.push(path);
  return status === 0;
}

/** The folders whose paths end with one of these, or all. */
export function testUnusableFolders(ends: readonly string[] = [""]) {
  const folders = [...unusableFolders()].filter(([path]) => ends.some((end) => path.endsWith(end)));
  test.runIf(process.platform === "linux").each(folders)(
    "a DATA_DIR of %s, whose file system cannot hold it, ends the start with one line",
    // The start once looped endlessly here.
    async (path, expected) => {
      expect(await failedStart({ DATA_DIR: path })).toEqual([expect.stringMatching(expected)]);
    },
  );
}
