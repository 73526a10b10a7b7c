import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** When the built server cannot start, the last line of its output says why. */
const folder = temporaryFolder("trouble");

const mounted: string[] = [];

afterAll(() => {
  for (const path of mounted) spawnSync("umount", [path]);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const lastLineOf = async (settings: Record<string, string>) => (await failedStart(settings)).at(-1);

/** The lines that the server writes for the operator before it gives up. */
async function failedStart(settings: Record<string, string>) {
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

test("an invalid variable ends the start with its name", async () => {
  expect(await lastLineOf({ PORT: "http" })).toMatch(/^PORT: /);
});

test("with DATABASE_URL, a SESSION_SECRET that is missing or has a short secret ends the start and is not printed", async () => {
  const DATABASE_URL = "postgres://nobody@127.0.0.1:1/none";
  const long = "long enough to be a secret, surely";
  for (const SESSION_SECRET of ["", "short", `${long},short`]) {
    const line = await lastLineOf({ DATABASE_URL, SESSION_SECRET });
    expect(line).toMatch(/^SESSION_SECRET: /);
    expect(line).not.toContain("short");
  }
});

test("a MEMORY that is too small ends the start with one line that says how much is needed", async () => {
  expect(await lastLineOf({ MEMORY: "256" })).toBe(
    "MEMORY (256) is too small: with these settings the site needs 512 MiB. Set it to 512 or more.",
  );
});

test("a DATA_DIR that is a file ends the start with one line", async () => {
  const file = join(folder, "file");
  writeFileSync(file, "");
  expect(await lastLineOf({ DATA_DIR: file })).toMatch(/^DATA_DIR .* is not a folder/);
});

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

test.runIf(process.platform === "linux").each([...unusableFolders()])(
  "a DATA_DIR of %s, whose file system cannot hold it, ends the start with one line",
  // The start once looped endlessly here.
  async (path, expected) => {
    expect(await failedStart({ DATA_DIR: path })).toEqual([expect.stringMatching(expected)]);
  },
);
