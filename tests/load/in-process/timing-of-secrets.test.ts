import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { profilePins } from "#db/schema/accounts.ts";
import { figure } from "#tests/load/figures.ts";
import { addProfile, ownersPin, switchTo } from "#tests/support/requests/household.ts";
import { newMember, openSession, signUpMember, Visitor } from "#tests/support/requests/visitor.ts";

/** The time of an answer must not reveal a PIN or whether an account exists: all figures of one test must be about the same. */

/** The minimum of several times, because other programs can only add to a time. */
async function fastest(rounds: number, work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const startedAt = performance.now();
    await work();
    least = Math.min(least, performance.now() - startedAt);
  }
  return least;
}

test("a sign-in that is refused", async ({ task }) => {
  // This account signs up through the API, because its hash must have the real cost; `newMember` stores a cheap one.
  const { email } = await signUpMember();
  for (const [label, tried] of [
    ["unknown email", "nobody@example.org"],
    ["wrong password", email],
  ] as const) {
    const ms = await fastest(4, async () => {
      const answer = await new Visitor().request("/api/auth/signin", {
        json: { email: tried, password: "Wrong1!x" },
      });
      expect(answer.status).toBe(401);
    });
    figure(task.name, label, ms, "ms");
  }
});

test("a PIN", async ({ task }) => {
  const owner = await newMember();
  const child = await addProfile(owner, "Mio", "g");
  const enter = async (pin: string) => {
    const visitor = new Visitor();
    await openSession(visitor, owner.id);
    await switchTo(visitor, child);
    return () => visitor.request("/profiles", { form: { profile: owner.id, redirectTo: "/list", pin } });
  };
  const rows = {
    compared: () => ({ failures: 0, waitsUntil: null, dayBeganAt: null, wrongInDay: 0 }),
    "while the profile waits": () => ({ failures: 9, waitsUntil: new Date(Date.now() + 60_000) }),
  };
  for (const [when, row] of Object.entries(rows))
    for (const [label, pin] of [
      ["the right one", ownersPin],
      ["a near one", "2589"],
      ["another one", "7000"],
      ["one of eight digits", "12345678"],
    ] as const) {
      let least = Number.POSITIVE_INFINITY;
      for (let round = 0; round < 9; round++) {
        const ask = await enter(pin);
        await db.update(profilePins).set(row());
        least = Math.min(least, await fastest(1, ask));
      }
      figure(task.name, `${label}, ${when}`, least, "ms");
    }
});
