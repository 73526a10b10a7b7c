import { compareSync, getRounds, hashSync } from "bcryptjs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import * as hashing from "#app/domain/sign-in/credentials/password-hashing.server.ts";
import { seconds } from "#app/platform/units.ts";

const { hashCost } = hashing;
const turn = hashing.turnOfMember("192.0.2.1", "a member");
const hashPassword = (password: string) => hashing.hashPassword(password, turn);
const verifyPassword = (password: string, hash: string | null) =>
  hashing.verifyPassword(password, hash, turn);

const value = <Value>(outcome: { ok: true; value: Value } | { ok: false }) => {
  if (!outcome.ok) throw new Error("refused");
  return outcome.value;
};

// The queue refuses a check that would wait for five seconds. On a slow machine, the few checks before it take longer.
beforeAll(() => void vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] }));
afterAll(() => void vi.useRealTimers());

/** A hash of low cost, for tests that do not need the real cost. */
const cheapHash = hashSync("Abc123!x", 4);

test("a hash matches only its own password", async () => {
  const hash = value(await hashPassword("Abc123!x"));
  expect(compareSync("Abc123!x", hash)).toBe(true);
  expect(value(await verifyPassword("Abc123!x", hash))).toBe(true);
  expect(value(await verifyPassword("Abc123!X", hash))).toBe(false);
  expect(getRounds(hash)).toBe(hashCost);
});

test("a password matches with composed and decomposed accents", async () => {
  const hash = value(await hashPassword("Caf\u00e91!"));
  expect(value(await verifyPassword("Cafe\u03011!".replace("\u0301", "\u0301"), hash))).toBe(true);
});

test("a password over the 72 bytes that bcrypt reads never matches and is refused", async () => {
  const long = "aA1!".padEnd(72, "x");
  const hash = hashSync(long, 4);
  expect(value(await verifyPassword(long, hash))).toBe(true);
  expect(value(await verifyPassword(`${long}y`, hash))).toBe(false);
  expect(await hashPassword(`${long}y`)).toMatchObject({ ok: false, reason: "invalid" });
});

test("while the queue is full, checks are refused, also for an unknown account, and work again after it empties", async () => {
  const attempts = Array.from({ length: 140 }, () => verifyPassword("wrong", cheapHash));
  const overloaded = { ok: false, reason: "overloaded" };
  expect(await verifyPassword("wrong", null)).toMatchObject(overloaded);
  expect(await Promise.all(attempts)).toContainEqual(expect.objectContaining(overloaded));
  expect(value(await verifyPassword("Abc123!x", cheapHash))).toBe(true);
  expect(value(await verifyPassword("wrong", null))).toBe(false);
});

test("a member does not wait for all checks of another account, which come from many addresses", async () => {
  let left = 20;
  const flood = Array.from({ length: left }, async (_, index) => {
    const flooder = hashing.turnOfMember(`198.51.100.${index}`, "another member");
    await hashing.verifyPassword("wrong", cheapHash, flooder);
    left--;
  });
  expect(value(await verifyPassword("Abc123!x", cheapHash))).toBe(true);
  expect(left).toBeGreaterThan(5);
  await Promise.all(flood);
});

test("an address with many accounts may queue no more checks than one with a single account", async () => {
  const flood = Array.from({ length: 140 }, (_, index) =>
    hashing.verifyPassword("wrong", cheapHash, hashing.turnOfMember("198.51.100.1", `account ${index}`)),
  );
  expect(value(await verifyPassword("Abc123!x", cheapHash))).toBe(true);
  const refused = (await Promise.all(flood)).filter((outcome) => !outcome.ok);
  expect(refused.length).toBeGreaterThan(0);
});

test("a member does not wait for the password checks of strangers", async () => {
  const hash = hashSync("Abc123!x", hashCost);
  let left = 20;
  const strangers = Array.from({ length: left }, async (_, index) => {
    await hashing.verifyPassword("wrong", hash, { client: `198.51.100.${index}` });
    left--;
  });
  expect(value(await verifyPassword("Abc123!x", hash))).toBe(true);
  expect(left).toBeGreaterThan(0);
  // Refuses those that still wait. On a busy machine, their threads of a lower priority would take minutes.
  vi.advanceTimersByTime(seconds(5));
  await Promise.all(strangers);
});

test("the event loop keeps running while passwords are hashed", async () => {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  await Promise.all([1, 2].map(() => hashPassword("Abc123!x")));
  clearInterval(timer);
  expect(turns).toBeGreaterThan(0);
});
