import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { readOrCreateSecret } from "#app/platform/process/secrets.server.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder("secret");
});

test("a secret is created once, in a file that only its owner can read", () => {
  const inner = join(folder, "data");
  const secret = readOrCreateSecret(inner);
  expect(secret.length).toBeGreaterThanOrEqual(43);
  expect(readOrCreateSecret(inner)).toBe(secret);
  expect(readdirSync(inner)).toEqual(["session-secret"]);
  expect(statSync(join(inner, "session-secret")).mode & 0o077).toBe(0);
});

test("an existing secret is used", () => {
  writeFileSync(join(folder, "session-secret"), "placed-by-the-operator\n");
  expect(readOrCreateSecret(folder)).toBe("placed-by-the-operator");
});
