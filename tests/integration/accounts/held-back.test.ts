import { hashSync } from "bcryptjs";
import { eq } from "drizzle-orm";
import { afterEach, expect, it, vi } from "vitest";
import { createSession } from "#app/domain/accounts/accounts.server.ts";
import { minutes } from "#app/platform/units.ts";
import { db } from "#db/client.server.ts";
import { credentials, sessions, signInFailures, users } from "#db/schema/accounts.ts";
import { until } from "#tests/support/checks/wait-until.ts";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { newSecretFor } from "#tests/support/data/mailed-token.ts";
import { newMember, Visitor } from "#tests/support/requests/visitor.ts";

afterEach(() => {
  vi.useRealTimers();
});
const signIn = (visitor: Visitor, email: string, password = goodPassword) =>
  visitor.request("/api/auth/signin", { json: { email, password } });
const failuresOf = async (id: string) =>
  (await db.select().from(signInFailures).where(eq(signInFailures.userId, id)))[0]?.failures ?? 0;

/** A member at whose door strangers have failed this often within the window. */
async function besieged(failures: number) {
  const member = await newMember();
  await db.insert(signInFailures).values({ userId: member.id, failures, windowStart: new Date() });
  return member;
}

it("holds strangers back after 300 failures, with the normal answer, and lets known addresses in", async () => {
  const member = await besieged(299);
  expect((await signIn(new Visitor(), member.email, "Wrong1!x")).status).toBe(401);
  await until(async () => (await failuresOf(member.id)) === 300);
  const held = await signIn(new Visitor(), member.email);
  const unknown = await signIn(new Visitor(), "nobody@example.org");
  expect(held.status).toBe(401);
  expect(await held.text()).toBe(await unknown.text());
  expect(held.headers.getSetCookie()).toEqual([]);
  expect((await signIn(new Visitor(member.address), member.email)).status).toBe(200);
});

it("does not count who is held back with the right password, and ends with its window", async () => {
  const member = await besieged(300);
  const stranger = new Visitor();
  expect((await signIn(stranger, member.email)).status).toBe(401);
  expect(await failuresOf(member.id)).toBe(300);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + minutes(15) + 1000 });
  expect((await signIn(stranger, member.email)).status).toBe(200);
});

it("starts to count anew when the window is over", async () => {
  const member = await besieged(250);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + minutes(15) + 1000 });
  await signIn(new Visitor(), member.email, "Wrong1!x");
  await until(async () => (await failuresOf(member.id)) === 1);
});

it("lets in who resets the password", async () => {
  const member = await besieged(300);
  const token = await newSecretFor(member, "reset");
  const owner = new Visitor();
  const json = { token, password: "Xyz987!a" };
  expect((await owner.request("/api/auth/reset/confirm", { json })).status).toBe(200);
  expect((await signIn(owner, member.email, "Xyz987!a")).status).toBe(200);
});

it("counts every failure of many at once", async () => {
  const member = await newMember();
  await Promise.all(Array.from({ length: 20 }, () => signIn(new Visitor(), member.email, "Wrong1!x")));
  await until(async () => (await failuresOf(member.id)) === 20);
});

it("hashes anew, at its owner's next sign-in, what was hashed at another cost", async () => {
  const member = await newMember();
  const cheap = "$2b$04$";
  const changedAt = new Date(Date.now() - minutes(5));
  await db
    .update(credentials)
    .set({ hash: hashSync(goodPassword, 4), cost: 4, changedAt })
    .where(eq(credentials.userId, member.id));
  const stored = async () =>
    (await db.select().from(credentials).where(eq(credentials.userId, member.id)))[0];
  expect((await stored())?.hash.startsWith(cheap)).toBe(true);
  expect((await signIn(new Visitor(), member.email)).status).toBe(200);
  await until(async () => !(await stored())?.hash.startsWith(cheap));
  expect((await stored())?.changedAt).toEqual(changedAt);
  expect((await signIn(new Visitor(), member.email)).status).toBe(200);
});

it("starts no session with a password that was changed after it was compared", async () => {
  const member = await newMember();
  const caller = { address: member.address, userAgent: null };
  const [row] = await db.select().from(credentials).where(eq(credentials.userId, member.id));
  const passwordOf = row!.changedAt;
  expect(await createSession(member.id, caller, { passwordOf })).not.toBeNull();
  const changed = await member.request("/api/auth/password", {
    json: { current: goodPassword, password: "Xyz987!a" },
  });
  expect(changed.status).toBe(200);
  expect(await createSession(member.id, caller, { passwordOf })).toBeNull();
});

it("starts no session in an account that was disabled meanwhile", async () => {
  const member = await newMember();
  const caller = { address: member.address, userAgent: null };
  expect(await createSession(member.id, caller)).not.toBeNull();
  await db.update(users).set({ disabled: true }).where(eq(users.id, member.id));
  expect(await createSession(member.id, caller)).toBeNull();
});

it("keeps the newest hundred sessions of whoever signs in all day", async () => {
  const member = await newMember();
  const caller = { address: member.address, userAgent: null };
  for (let count = 0; count < 105; count++) await createSession(member.id, caller);
  expect(await db.$count(sessions, eq(sessions.userId, member.id))).toBe(100);
});
