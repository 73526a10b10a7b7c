import { hashSync } from "bcryptjs";
import { eq, sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { createSession } from "#app/domain/accounts/accounts.server.ts";
import { days, minutes } from "#app/platform/units.ts";
import { db } from "#db/client.server.ts";
import { credentials, knownAddresses, sessions, signInFailures, users } from "#db/schema/accounts.ts";
import { until } from "#tests/support/checks/wait-until.ts";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { newSecretFor } from "#tests/support/data/mailed-token.ts";
import { newMember, Visitor } from "#tests/support/requests/visitor.ts";
import { whenFree } from "#tests/support/requests/when-free.ts";

const signIn = (visitor: Visitor, email: string, password = goodPassword) =>
  visitor.request("/api/auth/signin", { json: { email, password } });
const failuresOf = async (id: string) =>
  (await db.select().from(signInFailures).where(eq(signInFailures.userId, id)))[0]?.failures ?? 0;

/** A member for whom this many sign-ins have failed within the counting window. */
async function memberWithFailures(failures: number) {
  const member = await newMember();
  await db.insert(signInFailures).values({ userId: member.id, failures, windowStart: new Date() });
  return member;
}

test("after 300 failed sign-ins, an unknown client with the right password gets the usual 401 and a known client 200", async () => {
  const member = await memberWithFailures(299);
  expect((await signIn(new Visitor(), member.email, "Wrong1!x")).status).toBe(401);
  await until(async () => (await failuresOf(member.id)) === 300);
  const refused = await signIn(new Visitor(), member.email);
  const unknown = await signIn(new Visitor(), "nobody@example.org");
  expect(refused.status).toBe(401);
  expect(await refused.text()).toBe(await unknown.text());
  expect(refused.headers.getSetCookie()).toEqual([]);
  expect((await signIn(new Visitor(member.address), member.email)).status).toBe(200);
});

test("a refused sign-in with the right password is not counted, and works when the window is over", async () => {
  const member = await memberWithFailures(300);
  const visitor = new Visitor();
  expect((await signIn(visitor, member.email)).status).toBe(401);
  expect(await failuresOf(member.id)).toBe(300);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + minutes(15) + 1000 });
  expect((await signIn(visitor, member.email)).status).toBe(200);
});

test("after the clock was set back, an old counting window blocks no sign-in and is replaced", async () => {
  const member = await memberWithFailures(300);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - minutes(60) });
  await signIn(new Visitor(), member.email, "Wrong1!x");
  await until(async () => (await failuresOf(member.id)) === 1);
  expect((await signIn(new Visitor(), member.email)).status).toBe(200);
});

test("after the window, a failed sign-in starts a new count at one", async () => {
  const member = await memberWithFailures(250);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + minutes(15) + 1000 });
  await signIn(new Visitor(), member.email, "Wrong1!x");
  await until(async () => (await failuresOf(member.id)) === 1);
});

test("an IP address unused for half a year counts as unknown again, except the member's own", async () => {
  const member = await newMember();
  const addressesOf = () => db.select().from(knownAddresses).where(eq(knownAddresses.userId, member.id));
  await signIn(new Visitor(), member.email);
  expect(await addressesOf()).toHaveLength(2);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + days(181) });
  await signIn(new Visitor(member.address), member.email);
  expect((await addressesOf()).map(({ lastSeenAt }) => lastSeenAt.getTime())).toEqual([Date.now()]);
});

test("an account keeps its newest two hundred addresses", async () => {
  const member = await newMember();
  await db.execute(sql`
    insert into ${knownAddresses} (user_id, address_hash, last_seen_at)
    select ${member.id}::uuid, encode(sha256(n::text::bytea), 'hex'), now() - n * interval '1 minute'
    from generate_series(1, 250) n`);
  await signIn(new Visitor(), member.email);
  const times = (await db.select().from(knownAddresses).where(eq(knownAddresses.userId, member.id)))
    .map(({ lastSeenAt }) => lastSeenAt.getTime())
    .sort((one, other) => one - other);
  expect(times).toHaveLength(200);
  expect(times[0]).toBeGreaterThan(Date.now() - minutes(210));
});

test("a client that reset the password can sign in, however many sign-ins have failed", async () => {
  const member = await memberWithFailures(300);
  const token = await newSecretFor(member, "reset");
  const visitor = new Visitor();
  const json = { token, password: "Xyz987!a" };
  expect((await visitor.request("/api/auth/reset/confirm", { json })).status).toBe(200);
  expect((await signIn(visitor, member.email, "Xyz987!a")).status).toBe(200);
});

test("20 failed sign-ins at once are all counted", async () => {
  const member = await newMember();
  const fail = () => whenFree(() => signIn(new Visitor(), member.email, "Wrong1!x"));
  await Promise.all(Array.from({ length: 20 }, fail));
  await until(async () => (await failuresOf(member.id)) === 20);
});

test("a password hashed at another cost is hashed again at the next sign-in, and changedAt stays", async () => {
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

test("a password that changed after it was compared starts no session", async () => {
  const member = await newMember();
  const client = { ip: member.address, userAgent: null };
  const [row] = await db.select().from(credentials).where(eq(credentials.userId, member.id));
  const passwordOf = row!.changedAt;
  expect(await createSession(member.id, client, { passwordOf })).not.toBeNull();
  const changed = await member.request("/api/auth/password", {
    json: { current: goodPassword, password: "Xyz987!a" },
  });
  expect(changed.status).toBe(200);
  expect(await createSession(member.id, client, { passwordOf })).toBeNull();
});

test("an account that was disabled during the sign-in gets no session", async () => {
  const member = await newMember();
  const client = { ip: member.address, userAgent: null };
  expect(await createSession(member.id, client)).not.toBeNull();
  await db.update(users).set({ disabled: true }).where(eq(users.id, member.id));
  expect(await createSession(member.id, client)).toBeNull();
});

test("a member who signs in 105 times has 100 sessions", async () => {
  const member = await newMember();
  const client = { ip: member.address, userAgent: null };
  for (let count = 0; count < 105; count++) await createSession(member.id, client);
  expect(await db.$count(sessions, eq(sessions.userId, member.id))).toBe(100);
});
