import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { profilePins } from "#db/schema/accounts.ts";
import { addProfile, anotherBrowserOf, ownersPin, switchTo } from "#tests/support/requests/household.ts";
import { newMember, openSession, Visitor } from "#tests/support/requests/visitor.ts";
import { whenFree } from "#tests/support/requests/when-free.ts";

/** A child's browser tries 200 four-digit PINs from 20 addresses, through the page and the API. */

const guesses = 200;
const pins = 10_000;
const addresses = 20;
/** More simultaneous pages would be told to retry. */
const guessedAtOnce = 4;

const owner = await newMember();
const child = await addProfile(owner, "Mio", "g");
const sister = await addProfile(owner, "Yui", "pg");
const grownUp = await addProfile(owner, "Ren");

const enter = (visitor: Visitor, profile: string, proof: Record<string, string> = {}) =>
  visitor.request("/profiles", { form: { profile, redirectTo: "/list", ...proof } });

const ask = (visitor: Visitor, profile: string, proof: Record<string, string>) =>
  visitor.request("/api/user/profiles/switch", { json: { profile, ...proof } });

/** Each browser has its own address, because the limits count by address. */
async function childsBrowser() {
  const visitor = new Visitor();
  await openSession(visitor, owner.id);
  await switchTo(visitor, child);
  return visitor;
}

/** The same browser from another address. */
function fromElsewhere({ cookies }: Visitor): Visitor {
  const visitor = new Visitor();
  for (const [name, value] of cookies) visitor.cookies.set(name, value);
  return visitor;
}

const wrongInDay = async () =>
  (await db.select().from(profilePins).where(eq(profilePins.userId, owner.id)))[0]?.wrongInDay ?? 0;

test("200 guesses from 20 addresses: at most 30 a day are compared, and other members can still switch", async () => {
  const browser = await childsBrowser();
  const statuses = new Map<number, number>();
  /** The last address sends the right PIN at its end, while the profile is still blocked. */
  const guessesOf = (address: number) =>
    Array.from(
      { length: guesses / addresses },
      (_, turn) => Number(ownersPin) + 1 - guesses + address + turn * addresses,
    );
  const left = Array.from({ length: addresses }, (_, index) => index);
  const guessing = Array.from({ length: guessedAtOnce }, async () => {
    for (let index = left.pop(); index !== undefined; index = left.pop()) {
      const visitor = fromElsewhere(browser);
      // An answer of the API takes a tenth of a page's time.
      const guessAs = index % 10 === 0 ? enter : ask;
      for (const guess of guessesOf(index)) {
        const { status } = await guessAs(visitor, owner.id, { pin: String(guess).padStart(4, "0") });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    }
  });
  const others = [await anotherBrowserOf(owner), await anotherBrowserOf(owner)] as const;
  for (const [visitor, profile] of [[others[0], sister] as const, [others[1], grownUp] as const])
    expect((await whenFree(() => enter(visitor, profile))).headers.get("Location")).toBe("/list");
  await Promise.all(guessing);
  const compared = await wrongInDay();
  expect([...statuses.values()].reduce((sum, count) => sum + count, 0)).toBe(guesses);
  for (const status of [200, 302]) expect(statuses.get(status), "somebody came in").toBeUndefined();
  expect(compared).toBeGreaterThan(0);
  expect((3 * compared) / pins, "expected hits a day in a house with three PINs").toBeLessThan(0.01);
  const home = await childsBrowser();
  expect((await enter(home, owner.id, { pin: ownersPin })).status).toBe(403);
  expect((await enter(home, owner.id, { password: owner.password })).status).toBe(302);
});
