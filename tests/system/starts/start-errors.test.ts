import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { failedStart, folder, testUnusableFolders } from "#tests/support/scaled/start-errors.ts";

/** When the built server cannot start, the last line of its output says why. */

const lastLineOf = async (settings: Record<string, string>) => (await failedStart(settings)).at(-1);

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

// tests/release has more such folders.
testUnusableFolders(["/proc/engawa", "full-20m"]);
