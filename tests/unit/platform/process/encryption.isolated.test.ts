import { beforeEach, expect, test, vi } from "vitest";

const [first, second] = ["a".repeat(40), "b".repeat(40)];

/** Loads the module as a process with this SESSION_SECRET does. */
async function encryptionWith(secrets: string) {
  vi.resetModules();
  vi.stubEnv("SESSION_SECRET", secrets);
  return import("#app/platform/process/encryption.server.ts");
}

beforeEach(() => () => vi.unstubAllEnvs());

test("an encrypted text is decrypted with its context only, and each encryption differs", async () => {
  const { encrypt, decrypt } = await encryptionWith(first);
  const encrypted = encrypt("sid=ünï", ["source", "1"]);
  expect(encrypted).not.toContain("sid");
  expect(decrypt(encrypted, ["source", "1"])).toBe("sid=ünï");
  expect(decrypt(encrypted, ["source", "2"])).toBeNull();
  expect(encrypt("sid=ünï", ["source", "1"])).not.toBe(encrypted);
});

test("the first secret encrypts and all decrypt, so that a secret can be replaced", async () => {
  const old = (await encryptionWith(first)).encrypt("text", []);
  const both = await encryptionWith(`${second},${first}`);
  expect(both.decrypt(old, [])).toBe("text");
  const renewed = both.encrypt("text", []);
  expect((await encryptionWith(second)).decrypt(renewed, [])).toBe("text");
});

test("a lost secret, a changed text and no text at all decrypt to null", async () => {
  const old = (await encryptionWith(first)).encrypt("text", []);
  const { decrypt } = await encryptionWith(second);
  expect(decrypt(old, [])).toBeNull();
  const again = await encryptionWith(first);
  const middle = Math.floor(old.length / 2);
  const changed = `${old.slice(0, middle)}${old[middle] === "A" ? "B" : "A"}${old.slice(middle + 1)}`;
  expect(again.decrypt(changed, [])).toBeNull();
  for (const broken of ["", "x", "€€€"]) expect(again.decrypt(broken, [])).toBeNull();
});
