import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import type { Member } from "#tests/support/requests/visitor.ts";
import { startMailServer } from "#tests/support/servers/mail-server.ts";

const mail = await startMailServer();
process.env.SMTP_URL = mail.url;
process.env.MAIL_FROM = "Engawa <engawa@example.org>";
process.env.PUBLIC_URL = "http://localhost:3000";
const { createResetPath } = await import("#app/domain/sign-in/sign-in.server.ts");
const { createSession } = await import("#app/domain/accounts/accounts.server.ts");
const { db, withTransaction } = await import("#db/client.server.ts");
const { accessTokens, credentials, mailedTokens, sessions } = await import("#db/schema/accounts.ts");
const { until } = await import("#tests/support/checks/wait-until.ts");
const { goodPassword } = await import("#tests/support/data/good-password.ts");
const { newMember, Visitor } = await import("#tests/support/requests/visitor.ts");

afterAll(() => mail.stop());

const newPassword = "Xyz987!a";
const sixtyTimes = <Value>(run: () => Promise<Value>) => Promise.all(Array.from({ length: 60 }, run));

const waitingQueries = async () =>
  (
    await db.execute(
      "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
    )
  ).length;

/**
 * Holds a member's password change at its last statement: the other sessions and all tokens are deleted, but the
 * transaction is still open. Then calls `during`, and lets the change end once that call waits too or has been answered.
 */
async function duringPasswordChange<Value>(member: Member, during: () => Promise<Value>): Promise<Value> {
  const { change, value } = await withTransaction(async (transaction) => {
    await transaction
      .select()
      .from(sessions)
      .where(eq(sessions.userId, member.id))
      .orderBy(sessions.createdAt)
      .limit(1)
      .for("update");
    const change = member.request("/api/auth/password", {
      json: { current: goodPassword, password: newPassword },
    });
    await until(async () => (await waitingQueries()) === 1);
    let isAnswered = false;
    const value = during().finally(() => {
      isAnswered = true;
    });
    await until(async () => isAnswered || (await waitingQueries()) === 2);
    return { change, value: { promise: value } };
  });
  expect((await change).status).toBe(200);
  return value.promise;
}

async function memberWithSecondSession() {
  const member = await newMember();
  const second = new Visitor();
  const signedIn = await second.request("/api/auth/signin", {
    json: { email: member.email, password: goodPassword },
  });
  expect(signedIn.status).toBe(200);
  return { member, second };
}

test("a token created by another session during a password change gets 401 and is not stored", async () => {
  const { member, second } = await memberWithSecondSession();
  const created = await duringPasswordChange(member, () =>
    second.request("/api/auth/tokens", { json: { name: "Late", scope: "write" } }),
  );
  expect(created.status).toBe(401);
  expect(await created.json()).toEqual({ error: "Unauthorized", status: 401 });
  expect(await db.$count(accessTokens, eq(accessTokens.userId, member.id))).toBe(0);
});

test("a token created from a copied cookie during a password change is not stored, and the copy must sign in", async () => {
  const member = await newMember();
  const copy = new Visitor();
  for (const [name, value] of member.cookies) copy.cookies.set(name, value);
  const created = await duringPasswordChange(member, () =>
    copy.request("/settings/tokens", { form: { name: "Late", scope: "write" } }),
  );
  expect([created.status, created.headers.get("Location")]).toEqual([302, "/signin?redirectTo=%2Fsettings"]);
  expect(await db.$count(accessTokens, eq(accessTokens.userId, member.id))).toBe(0);
});

test("a sign-in with the old password during a password change starts no session", async () => {
  const member = await newMember();
  const [row] = await db.select().from(credentials).where(eq(credentials.userId, member.id));
  const client = { ip: member.address, userAgent: null };
  const session = await duringPasswordChange(member, () =>
    createSession(member.id, client, { passwordOf: row!.changedAt }),
  );
  expect(session).toBeNull();
  expect(await db.$count(sessions, eq(sessions.userId, member.id))).toBe(1);
});

const countLinks = (userId: string) => db.$count(mailedTokens, eq(mailedTokens.userId, userId));

test("60 simultaneous requests for a reset link create and mail three links", async () => {
  const member = await newMember();
  await sixtyTimes(() => new Visitor().request("/api/auth/reset", { json: { email: member.email } }));
  for (let count = 0; count < 3; count++) await mail.take(member.email);
  const later = await newMember();
  await new Visitor().request("/api/auth/reset", { json: { email: later.email } });
  await mail.take(later.email);
  expect(mail.mails.filter(({ to }) => to === member.email)).toEqual([]);
  expect(await countLinks(member.id)).toBe(3);
});

test("60 simultaneous reset links by an operator create three links", async () => {
  const member = await newMember();
  const made = await sixtyTimes(() => createResetPath(member.email));
  expect(made.filter(({ ok }) => ok)).toHaveLength(3);
  expect(await countLinks(member.id)).toBe(3);
});

test("two reset links of one member used at once: one gets 200, the other 400", async () => {
  const member = await newMember();
  const paths = [await createResetPath(member.email), await createResetPath(member.email)];
  const tokens = paths.map((path) =>
    path.ok ? new URLSearchParams(path.value.split("?")[1]).get("token") : "",
  );
  const { confirming } = await withTransaction(async (transaction) => {
    // Both requests have used up their link before either may store its password.
    await transaction.select().from(credentials).where(eq(credentials.userId, member.id)).for("update");
    const confirming = tokens.map((token) =>
      new Visitor().request("/api/auth/reset/confirm", { json: { token, password: newPassword } }),
    );
    await until(async () => (await waitingQueries()) === 2);
    return { confirming };
  });
  const answers = await Promise.all(confirming);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
});
