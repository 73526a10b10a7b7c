import { compareSync, getRounds, hashSync } from "bcryptjs";
import { expect, it } from "vitest";
import {
  hashCost,
  hashPassword,
  verifyPassword,
} from "#app/domain/accounts/credentials/password-hashing.server.ts";

const value = <Value>(outcome: { ok: true; value: Value } | { ok: false }) => {
  if (!outcome.ok) throw new Error("refused");
  return outcome.value;
};

/** Compares in a millisecond or two, where the cost is not what is tested. */
const cheapHash = hashSync("Abc123!x", 4);

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
  // By turns, so that whatever else the machine does meets both; the fastest of each met the least of it.
  let [known, unknown] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let turn = 0; turn < 3; turn++) {
    known = Math.min(known, await time(hash));
    unknown = Math.min(unknown, await time(null));
  }
  expect(unknown / known).toBeGreaterThan(0.4);
  expect(unknown / known).toBeLessThan(2.5);
});

it("refuses at once when the line before the threads is full, and goes on after", async () => {
  const attempts = Array.from({ length: 140 }, () => verifyPassword("wrong", cheapHash));
  const outcomes = await Promise.all(attempts);
  const refused = outcomes.filter((outcome) => !outcome.ok);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused[0]).toMatchObject({ ok: false, reason: "overloaded" });
  expect(value(await verifyPassword("Abc123!x", cheapHash))).toBe(true);
});

it("leaves the event loop free while it hashes", async () => {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  await Promise.all([1, 2, 3, 4].map(() => hashPassword("Abc123!x")));
  clearInterval(timer);
  expect(turns).toBeGreaterThan(20);
});
