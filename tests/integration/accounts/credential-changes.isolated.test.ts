import { and, eq, isNull, or } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import type { Member } from "#tests/support/requests/visitor.ts";
import { startMailServer, tokenIn } from "#tests/support/servers/mail-server.ts";

const mail = await startMailServer();
process.env.SMTP_URL = mail.url;
process.env.MAIL_FROM = "Engawa <engawa@example.org>";
process.env.PUBLIC_URL = "http://localhost:3000";
const { db, withTransaction } = await import("#db/client.server.ts");
const { accessTokens, credentials, mailedTokens, profilePins, sessions, users } = await import(
  "#db/schema/accounts.ts"
);
const { householdTitles } = await import("#db/schema/library.ts");
const { securityEvents } = await import("#db/schema/events.ts");
const { createResetPath, sendVerificationMail } = await import("#app/domain/sign-in/sign-in.server.ts");
const { createSession, deleteSessions } = await import("#app/domain/accounts/accounts.server.ts");
const { waitForMails } = await import("#app/platform/mail.server.ts");
const { until } = await import("#tests/support/checks/wait-until.ts");
const { goodPassword } = await import("#tests/support/data/good-password.ts");
const { someTitle } = await import("#tests/support/data/database-rows.ts");
const { countLockWaits, untilQueriesWait } = await import("#tests/support/database/lock-waits.ts");
const { sendSlowly } = await import("#tests/support/requests/slow-body.ts");
const { newMember, Visitor } = await import("#tests/support/requests/visitor.ts");

/** The settings form that changes an account's email address, and requests that race with a change of credentials. */

const change = (member: Member, email: string, current: string | null = goodPassword) =>
  member.request("/settings/email", { form: { email, ...(current !== null && { current }) } });
const statusOfSignIn = async (email: string) =>
  (await new Visitor().request("/api/auth/signin", { json: { email, password: goodPassword } })).status;
const storedEmail = async ({ id }: Member) =>
  (
    await db
      .select({ email: users.email, verifiedAt: users.emailVerifiedAt })
      .from(users)
      .where(eq(users.id, id))
  )[0];
const countChanges = ({ id }: Member) =>
  db.$count(securityEvents, and(eq(securityEvents.userId, id), eq(securityEvents.kind, "email_changed")));
let used = 0;
const freshEmail = () => {
  used++;
  return `changed-${used}@example.org`;
};

test("changing the address with the password ends other devices, mails both addresses, and the new address signs in", async () => {
  const member = await newMember();
  await db.update(users).set({ emailVerifiedAt: new Date() }).where(eq(users.id, member.id));
  const phone = new Visitor();
  await phone.request("/api/auth/signin", { json: { email: member.email, password: goodPassword } });
  const stolen = Object.assign(new Visitor(), { cookies: new Map(member.cookies) });
  const made = await member.request("/api/auth/tokens", { json: { name: "bot", scope: "read" } });
  const { token } = ((await made.json()) as { data: { token: string } }).data;
  const email = freshEmail();

  const answer = await change(member, ` ${email.toUpperCase()} `);
  expect([answer.status, answer.headers.get("Location")]).toEqual([
    302,
    "/settings?notice=email-changed#email",
  ]);
  const page = await (await member.request("/settings?notice=email-changed")).text();
  expect(page).toContain("Your e-mail address is changed.");
  expect(page).toContain(email);
  expect(page).toContain("Changed the e-mail address");
  for (const ended of [phone, stolen]) expect((await ended.request("/settings")).status).toBe(302);
  const bearer = { headers: { Authorization: `Bearer ${token}` } };
  expect((await new Visitor().request("/api/user/watchList", bearer)).status).toBe(200);
  expect([await statusOfSignIn(member.email), await statusOfSignIn(email)]).toEqual([401, 200]);

  expect(await storedEmail(member)).toEqual({ email, verifiedAt: null });
  const notice = await mail.take(member.email);
  expect(notice.text).toContain("was changed");
  expect(notice.text).not.toContain(email);
  const link = tokenIn((await mail.take(email)).text);
  await new Visitor().request("/verify", { form: { token: link } });
  expect((await storedEmail(member))?.verifiedAt).not.toBeNull();
});

test("an unconfirmed mailbox gets eight mails in a day, for all accounts and all its plus addresses", async () => {
  for (let count = 0; count < 7; count++) {
    const member = await newMember();
    const email = `mailbox${count === 0 ? "" : `+${count}`}@example.org`;
    await db.update(users).set({ email }).where(eq(users.id, member.id));
    await sendVerificationMail({ id: member.id, email });
    expect((await change(member, freshEmail())).status).toBe(302);
  }
  await waitForMails();
  expect(mail.mails.filter(({ to }) => to.startsWith("mailbox"))).toHaveLength(8);
});

test("a reset link mailed to the old address stops working with the change", async () => {
  const member = await newMember();
  await new Visitor().request("/api/auth/reset", { json: { email: member.email } });
  const token = tokenIn((await mail.take(member.email)).text);
  const email = freshEmail();
  expect((await change(member, email)).status).toBe(302);
  await mail.take(email);
  const reset = await new Visitor().request("/api/auth/reset/confirm", {
    json: { token, password: "Newpas1!" },
  });
  expect(reset.status).toBe(400);
  expect(await db.$count(mailedTokens, eq(mailedTokens.userId, member.id))).toBe(1);
});

test("a reset link that is requested during the change sets no password", async () => {
  const member = await newMember();
  const email = freshEmail();
  const link = await withTransaction(async (transaction) => {
    await transaction.select().from(users).where(eq(users.id, member.id)).for("update");
    const changing = change(member, email);
    await untilQueriesWait(1);
    const requested = createResetPath(member.email);
    await untilQueriesWait(2);
    return { changing, requested };
  });
  expect((await link.changing).status).toBe(302);
  await mail.take(email);
  const made = await link.requested;
  const json = { token: made.ok ? tokenIn(made.value) : "", password: "Newpas1!" };
  expect(json.token).not.toBe("");
  expect((await new Visitor().request("/api/auth/reset/confirm", { json })).status).toBe(400);
  expect(await statusOfSignIn(email)).toBe(200);
});

test("each new address gets a link if the links before were used, and at most three are unused", async () => {
  const member = await newMember();
  for (let changes = 0; changes < 4; changes++) {
    const email = freshEmail();
    expect((await change(member, email)).status).toBe(302);
    const token = tokenIn((await mail.take(email)).text);
    await new Visitor().request("/verify", { form: { token } });
    expect((await storedEmail(member))?.verifiedAt).not.toBeNull();
  }
  for (let mails = 0; mails < 4; mails++) await sendVerificationMail({ id: member.id, email: freshEmail() });
  const unused = and(eq(mailedTokens.userId, member.id), isNull(mailedTokens.usedAt));
  expect(await db.$count(mailedTokens, unused)).toBe(3);
});

test.each([
  ["a wrong password", { current: "Wrong1!x" }, 400, "The current password is wrong"],
  ["no password", { current: null }, 400, "The current password is wrong"],
  ["no address", { email: "nobody" }, 400, "must be an e-mail address"],
] as const)(
  "%s changes nothing, and the form says why and keeps the typed address",
  async (_, wrong, status, text) => {
    const member = await newMember();
    const sent = { email: freshEmail(), current: goodPassword as string | null, ...wrong };
    const answer = await change(member, sent.email, sent.current);
    expect(answer.status).toBe(status);
    const html = await answer.text();
    const section = html.slice(html.indexOf('id="email"'), html.indexOf('id="password"'));
    expect(section).toContain(text);
    expect(section).toMatch(new RegExp(`<input[^>]*name="email"[^>]*value="${sent.email}"`));
    if (sent.current) expect(section).not.toContain(sent.current);
    expect((await storedEmail(member))?.email).toBe(member.email);
    expect(await countChanges(member)).toBe(0);
  },
);

test("an address in use is refused as on sign-up, and only after the right password", async () => {
  const [member, other] = [await newMember(), await newMember()];
  const answer = await change(member, other.email);
  const signUp = await new Visitor().request("/api/auth/signup", {
    json: { username: "Another", email: other.email, password: goodPassword },
  });
  expect([answer.status, signUp.status]).toEqual([409, 409]);
  const text = "This e-mail address is already in use";
  expect([await answer.text(), await signUp.text()]).toEqual([
    expect.stringContaining(text),
    expect.stringContaining(text),
  ]);
  const guessed = await change(member, other.email, "Wrong1!x");
  expect(await guessed.text()).not.toContain(text);
  expect((await storedEmail(member))?.email).toBe(member.email);
});

test("two accounts that change to one address at once: one succeeds", async () => {
  const members = [await newMember(), await newMember()];
  const email = freshEmail();
  const answers = await Promise.all(members.map((member) => change(member, email)));
  expect(answers.map(({ status }) => status).sort()).toEqual([302, 409]);
  await mail.take(email);
});

test("an account without a password needs a recent sign-in", async () => {
  const member = await newMember();
  await db.delete(credentials).where(eq(credentials.userId, member.id));
  const signedInAt = (at: number) =>
    db
      .update(sessions)
      .set({ signedInAt: new Date(at) })
      .where(eq(sessions.userId, member.id));
  const email = freshEmail();
  await signedInAt(Date.now() - 11 * 60_000);
  const refused = await change(member, email, null);
  expect([refused.status, await refused.text()]).toEqual([
    403,
    expect.stringContaining("This account has no password; sign in again first"),
  ]);
  await signedInAt(Date.now());
  expect((await change(member, email, null)).status).toBe(302);
  await mail.take(email);
  expect((await storedEmail(member))?.email).toBe(email);
});

const newPassword = "Xyz987!a";
const sixtyTimes = <Value>(run: () => Promise<Value>) => Promise.all(Array.from({ length: 60 }, run));

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
    await untilQueriesWait();
    let isAnswered = false;
    const value = during().finally(() => {
      isAnswered = true;
    });
    await until(async () => isAnswered || (await countLockWaits()) === 2);
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
    await untilQueriesWait(2);
    return { confirming };
  });
  const answers = await Promise.all(confirming);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
});

/** A member without a password, who signs in through the provider, and a second profile of the account. */
async function memberOfProvider() {
  const member = await newMember();
  await db.delete(credentials).where(eq(credentials.userId, member.id));
  const profile = { accountId: member.id, name: "Ren", username: "Ren." };
  const [row] = await db.insert(users).values(profile).returning({ id: users.id });
  return Object.assign(member, { profileId: row!.id });
}

/** The data of the account that nobody may change through an ended session. */
const accountData = async ({ id }: Member) => ({
  profiles: await db
    .select({ id: users.id, email: users.email, name: users.name, ceiling: users.ceiling })
    .from(users)
    .where(or(eq(users.id, id), eq(users.accountId, id)))
    .orderBy(users.id),
  passwords: await db.$count(credentials, eq(credentials.userId, id)),
  pins: await db.select({ hash: profilePins.hash }).from(profilePins).where(eq(profilePins.userId, id)),
});

const renamed = { name: "Mio", accent: "#16a34a" };

describe("a request whose session ends before its last byte arrives", () => {
  test.each([
    ["/settings/password", { password: newPassword }],
    ["/settings/email", { email: "late@example.org" }],
    ["/settings/account", { password: newPassword }],
    ["/profiles/pin", { intent: "save", pin: "2580" }],
    ["/profiles/pin", { intent: "remove" }],
    ["/profiles/manage", renamed],
    ["/profiles/ID", { intent: "save", ...renamed }],
    ["/profiles/ID", { intent: "delete" }],
  ] as const)("at %s with %j changes nothing, and the member must sign in again", async (at, form) => {
    const member = await memberOfProvider();
    if ("intent" in form && form.intent === "remove")
      await db.insert(profilePins).values({ userId: member.id, hash: "matches no PIN" });
    const before = await accountData(member);
    const path = at.replace("ID", member.profileId);
    const answer = await sendSlowly(member, path, { form }, () => deleteSessions(member.id, {}, db));
    expect([answer.status, answer.headers.get("Location")]).toEqual([
      302,
      `/signin?redirectTo=${encodeURIComponent(path)}`,
    ]);
    expect(await accountData(member)).toEqual(before);
  });

  test("at the titles for children chooses none, and the member must sign in again", async () => {
    const member = await newMember();
    const form = { id: String(await someTitle()), verdict: "allowed" };
    const end = () => deleteSessions(member.id, {}, db);
    const answer = await sendSlowly(member, "/profiles/titles", { form, isAskedFor: true }, end);
    expect([answer.status, answer.headers.get("Location")]).toEqual([
      302,
      "/signin?redirectTo=%2Fprofiles%2Ftitles",
    ]);
    expect(await db.$count(householdTitles, eq(householdTitles.userId, member.id))).toBe(0);
  });

  test.each([
    ["DELETE", "/api/user/account"],
    ["POST", "/api/auth/password"],
  ])("%s %s gets 401 and changes nothing", async (method, path) => {
    const member = await memberOfProvider();
    const before = await accountData(member);
    const json = { password: newPassword };
    const answer = await sendSlowly(member, path, { method, json }, () => deleteSessions(member.id, {}, db));
    expect(answer.status).toBe(401);
    expect(await answer.json()).toEqual({ error: "Unauthorized", status: 401 });
    expect(await accountData(member)).toEqual(before);
  });

  test("sets no first password on the page of resets, which says that the session has ended", async () => {
    const member = await memberOfProvider();
    const before = await accountData(member);
    const form = { intent: "set", password: newPassword };
    const answer = await sendSlowly(member, "/reset", { form }, () => deleteSessions(member.id, {}, db));
    expect(answer.status).toBe(401);
    expect(await answer.text()).toContain("You are no longer signed in.");
    expect(await accountData(member)).toEqual(before);
  });
});
