import { compareSync, getRounds, hashSync } from "bcryptjs";
import { expect, it } from "vitest";
import { hashCost, hashPassword, verifyPassword } from "#app/domain/accounts/password-hashing.server.ts";

const value = <Value>(outcome: { ok: true; value: Value } | { ok: false }) => {
  if (!outcome.ok) throw new Error("refused");
  return outcome.value;
};

it("makes hashes that match their password alone", async () => {
  const hash = value(await hashPassword("Abc123!x"));
  expect(compareSync("Abc123!x", hash)).toBe(true);
  expect(value(await verifyPassword("Abc123!x", hash))).toBe(true);
  expect(value(await verifyPassword("Abc123!X", hash))).toBe(false);
  expect(getRounds(hash)).toBe(hashCost);
});

it("knows a password however its accents were composed", async () => {
  const hash = value(await hashPassword("Caf\u00e91!"));
  expect(value(await verifyPassword("Cafe\u03011!".replace("\u0301", "\u0301"), hash))).toBe(true);
});

it("never matches by the 72 bytes that bcrypt reads", async () => {
  const long = "aA1!".padEnd(72, "x");
  const hash = hashSync(long, 4);
  expect(value(await verifyPassword(long, hash))).toBe(true);
  expect(value(await verifyPassword(`${long}y`, hash))).toBe(false);
  expect(await hashPassword(`${long}y`)).toMatchObject({ ok: false, reason: "invalid" });
});

it("compares for an unknown account too, at the same cost", async () => {
  const hash = value(await hashPassword("Abc123!x"));
  const time = async (against: string | null) => {
    const start = performance.now();
    expect(value(await verifyPassword("wrong", against))).toBe(false);
    return performance.now() - start;
  };
  const known = Math.min(await time(hash), await time(hash), await time(hash));
  const unknown = Math.min(await time(null), await time(null), await time(null));
  expect(unknown / known).toBeGreaterThan(0.4);
  expect(unknown / known).toBeLessThan(2.5);
});

it("leaves the event loop free while it hashes", async () => {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  await Promise.all([1, 2, 3, 4].map(() => hashPassword("Abc123!x")));
  clearInterval(timer);
  expect(turns).toBeGreaterThan(20);
});
