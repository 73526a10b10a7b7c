import { eq } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import type { Member } from "#tests/support/requests/visitor.ts";
import { startMailServer, tokenIn } from "#tests/support/servers/mail-server.ts";

const mail = await startMailServer();
process.env.SMTP_URL = mail.url;
process.env.MAIL_FROM = "Engawa <engawa@example.org>";
process.env.PUBLIC_URL = "http://localhost:3000";
const { goodPassword } = await import("#tests/support/data/good-password.ts");
const { newSecretFor } = await import("#tests/support/data/mailed-token.ts");
const { whileRefused } = await import("#tests/support/database/refused-writes.ts");
const { newMember, sessionOf, signIn, signUpMember, Visitor } = await import(
  "#tests/support/requests/visitor.ts"
);
const { minutes } = await import("#app/platform/units.ts");
const { db } = await import("#db/client.server.ts");
const { accessTokens, mailedTokens, sessions, users } = await import("#db/schema/accounts.ts");

const newPassword = "Xyz987!a";
const cookieName = "engawa-session";

const moveClock = (milliseconds: number) => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + milliseconds });
};

const isSignedIn = async (visitor: InstanceType<typeof Visitor>) => (await sessionOf(visitor)) !== null;

/** A member who has just signed up, and the token of their verification mail, which is no longer in `mail.mails`. */
async function memberWithVerificationMail() {
  const member = await signUpMember();
  const mailed = await mail.take(member.email);
  return Object.assign(member, { verification: tokenIn(mailed.text) });
}
async function requestReset(member: Member) {
  expect((await new Visitor().request("/api/auth/reset", { json: { email: member.email } })).status).toBe(
    200,
  );
  return mail.take(member.email);
}
const confirm = (token: unknown, password: unknown = newPassword) =>
  new Visitor().request("/api/auth/reset/confirm", { json: { token, password } });

describe("changing the password", () => {
  test("a wrong current password gets 400; the right one ends other sessions and copies of this cookie", async () => {
    const member = await newMember();
    const other = (await signIn(member.email, goodPassword)).visitor;
    const copy = new Visitor();
    copy.cookies.set(cookieName, member.cookies.get(cookieName) ?? "");
    expect(await isSignedIn(copy)).toBe(true);

    for (const current of ["Wrong1!x", undefined]) {
      const refused = await member.request("/api/auth/password", {
        json: { current, password: newPassword },
      });
      expect(refused.status).toBe(400);
      expect(await refused.json()).toMatchObject({ issues: [{ path: "current" }] });
    }
    const changed = await member.request("/api/auth/password", {
      json: { current: goodPassword, password: newPassword },
    });
    expect(changed.status).toBe(200);
    expect(changed.headers.get("Cache-Control")).toBe("no-store");
    expect(await isSignedIn(member)).toBe(true);
    expect(await isSignedIn(other)).toBe(false);
    expect(await isSignedIn(copy)).toBe(false);
    expect((await signIn(member.email, goodPassword)).status).toBe(401);
    expect((await signIn(member.email, newPassword)).status).toBe(200);
  });

  test("a new password that breaks the rules gets 400, and the old one still works", async () => {
    const member = await newMember();
    for (const password of ["short", "nouppercase1!", "Abc1!".repeat(5), "", ["Abc123!x"], null, 7]) {
      const refused = await member.request("/api/auth/password", {
        json: { current: goodPassword, password },
      });
      expect(refused.status, JSON.stringify(password)).toBe(400);
      expect(await refused.json()).toMatchObject({ issues: expect.any(Array) });
    }
    expect((await signIn(member.email, goodPassword)).status).toBe(200);
  });

  test("two changes at once: one gets 200, the other 401 or 409", async () => {
    const member = await newMember();
    const answers = await Promise.all(
      ["One111!a", "Two222!b"].map((password) =>
        member.request("/api/auth/password", { json: { current: goodPassword, password } }),
      ),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, expect.toBeOneOf([401, 409])]);
  });

  test("a request without a session gets 401", async () => {
    const response = await new Visitor().request("/api/auth/password", { json: { password: newPassword } });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ error: "Unauthorized", status: 401 });
  });
});

describe("what a password change ends", () => {
  const memberWithToken = async () => {
    const member = await newMember();
    const made = await member.request("/api/auth/tokens", { json: { name: "Script", scope: "write" } });
    const { data } = (await made.json()) as { data: { token: string } };
    const use = async () =>
      (
        await new Visitor().request("/api/user/watchList", {
          headers: { Authorization: `Bearer ${data.token}` },
        })
      ).status;
    expect(await use()).toBe(200);
    return { member, use };
  };
  const passwords = { current: goodPassword, password: newPassword };

  test.each([{}, { endTokens: true }, { endTokens: "1" }])("with %j the access tokens end", async (field) => {
    const { member, use } = await memberWithToken();
    const changed = await member.request("/api/auth/password", { json: { ...passwords, ...field } });
    expect(changed.status).toBe(200);
    expect(await use()).toBe(401);
  });

  test.each([{ endTokens: false }, { endTokens: "false" }])(
    "with %j the access tokens stay",
    async (field) => {
      const { member, use } = await memberWithToken();
      const changed = await member.request("/api/auth/password", { json: { ...passwords, ...field } });
      expect(changed.status).toBe(200);
      expect(await use()).toBe(200);
    },
  );

  test("another value gets 400, and a wrong current password ends no token", async () => {
    const { member, use } = await memberWithToken();
    for (const json of [
      { ...passwords, endTokens: "maybe" },
      { ...passwords, current: "Wrong1!x" },
    ])
      expect((await member.request("/api/auth/password", { json })).status).toBe(400);
    expect(await use()).toBe(200);
  });

  test("the form of the settings page has a ticked box, and without the tick the tokens stay", async () => {
    const { member, use } = await memberWithToken();
    const page = await (await member.request("/settings")).text();
    expect(page).toMatch(/<input[^>]*type="checkbox"[^>]*name="endTokens"[^>]*checked=""/);
    const kept = await member.request("/settings/password", { form: { ...passwords, endTokens: "0" } });
    expect(kept.headers.get("Location")).toBe("/settings?notice=password-changed-tokens-kept#password");
    expect(await use()).toBe(200);
    const again = { current: newPassword, password: "Other12!", endTokens: "1" };
    const ended = await member.request("/settings/password", { form: again });
    expect(ended.headers.get("Location")).toBe("/settings?notice=password-changed#password");
    expect(await use()).toBe(401);
  });

  test("a reset link mailed before the change gets 400, and one mailed after it gets 200", async () => {
    const { member } = await memberWithToken();
    const before = tokenIn((await requestReset(member)).text);
    await member.request("/api/auth/password", { json: { ...passwords, endTokens: false } });
    expect((await confirm(before, "Other12!")).status).toBe(400);
    expect((await signIn(member.email, newPassword)).status).toBe(200);
    const after = tokenIn((await requestReset(member)).text);
    expect((await confirm(after, "Other12!")).status).toBe(200);
  });
});

describe("resetting the password", () => {
  test("an unknown email gets the same answer as a known one, and no mail", async () => {
    const member = await newMember();
    const answerTo = async (email: string) => {
      const response = await new Visitor().request("/api/auth/reset", { json: { email } });
      return [response.status, await response.text()];
    };
    expect(await answerTo("nobody-here@example.org")).toEqual(await answerTo(member.email));
    await mail.take(member.email);
    expect(mail.mails).toEqual([]);
  });

  test("the mailed link sets the password once and ends every session and access token", async () => {
    const member = await newMember();
    await member.request("/api/auth/tokens", { json: { name: "Script", scope: "write" } });
    const mailed = await requestReset(member);
    expect(mailed.subject).toBe("Set a new password for Engawa");
    expect(mailed.text).toContain("http://localhost:3000/reset?token=");
    const token = tokenIn(mailed.text);

    expect((await confirm(token, "weak")).status).toBe(400);
    expect((await confirm(token)).status).toBe(200);
    expect(await isSignedIn(member)).toBe(false);
    expect(await db.$count(accessTokens, eq(accessTokens.userId, member.id))).toBe(0);
    expect((await signIn(member.email, goodPassword)).status).toBe(401);
    expect((await signIn(member.email, newPassword)).status).toBe(200);
    const again = await confirm(token, "Other12!");
    expect(again.status).toBe(400);
    expect(await again.json()).toMatchObject({ issues: [{ path: "token" }] });
  });

  test("ten requests with one token at once: one gets 200", async () => {
    const member = await newMember();
    const token = tokenIn((await requestReset(member)).text);
    const answers = await Promise.all(Array.from({ length: 10 }, () => confirm(token)));
    const statuses = answers.map((answer) => answer.status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    // A busy machine tells some of them to retry, because hashing ten passwords takes longer than a request may wait.
    expect(statuses.filter((status) => ![200, 400, 503].includes(status))).toEqual([]);
  });

  test("a token older than 30 minutes gets 400", async () => {
    const member = await newMember();
    const token = tokenIn((await requestReset(member)).text);
    moveClock(minutes(30) + 1000);
    expect((await confirm(token)).status).toBe(400);
  });

  test("a fourth request while three links are valid sends no mail", async () => {
    const member = await memberWithVerificationMail();
    for (let count = 0; count < 3; count++) await requestReset(member);
    await new Visitor().request("/api/auth/reset", { json: { email: member.email } });
    const other = await newMember();
    await requestReset(other);
    expect(mail.mails.filter((one) => one.to === member.email)).toEqual([]);
    expect(await db.$count(mailedTokens, eq(mailedTokens.userId, member.id))).toBe(4);
  });

  test.each(["", "x", "x".repeat(43), [], null, { $ne: 1 }, "x".repeat(20_000), "\0"])(
    "the token %j gets 400",
    async (token) => {
      const response = await confirm(token);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ issues: expect.any(Array) });
    },
  );

  test("a token for verification gets 400", async () => {
    const member = await memberWithVerificationMail();
    expect((await confirm(member.verification)).status).toBe(400);
  });
});

describe("verifying an email", () => {
  test("the mailed token gets 200 once, then 400", async () => {
    const member = await memberWithVerificationMail();
    const verify = () => new Visitor().request("/api/auth/verify", { json: { token: member.verification } });
    expect((await verify()).status).toBe(200);
    const [row] = await db.select().from(users).where(eq(users.id, member.id));
    expect(row?.emailVerifiedAt).not.toBeNull();
    expect((await verify()).status).toBe(400);
  });

  test("a token whose use fails halfway can be used again", async () => {
    const member = await newMember();
    const token = await newSecretFor(member, "verification");
    const verify = async () => (await new Visitor().request("/api/auth/verify", { json: { token } })).status;
    await whileRefused("update of email_verified_at on users", "true", async () =>
      expect(await verify()).toBe(500),
    );
    expect(await verify()).toBe(200);
  });
});

describe("deleting the account", () => {
  const remove = (member: Member, json: unknown) =>
    member.request("/api/user/account", { method: "DELETE", json });

  test("a wrong password gets 400; the right one deletes the account, its sessions and the cookie", async () => {
    const member = await newMember();
    const wrong = await remove(member, { password: "Wrong1!x" });
    expect(wrong.status).toBe(400);
    expect(await wrong.json()).toMatchObject({ issues: [{ path: "password" }] });
    expect(await isSignedIn(member)).toBe(true);
    const response = await remove(member, { password: goodPassword });
    expect(response.status).toBe(200);
    expect(member.cookies.has(cookieName)).toBe(false);
    expect(await db.$count(users, eq(users.id, member.id))).toBe(0);
    expect(await db.$count(sessions, eq(sessions.userId, member.id))).toBe(0);
    expect((await signIn(member.email, goodPassword)).status).toBe(401);
  });

  test("without a password, a sign-in older than ten minutes gets 403 and a newer one 200", async () => {
    const member = await newMember();
    moveClock(minutes(10) + 1000);
    expect((await remove(member, {})).status).toBe(403);
    vi.useRealTimers();
    expect((await remove(member, {})).status).toBe(200);
  });

  test("an access token gets 401", async () => {
    const member = await newMember();
    const { data } = (await (
      await member.request("/api/auth/tokens", { json: { name: "Script", scope: "write" } })
    ).json()) as { data: { token: string } };
    const response = await new Visitor().request("/api/user/account", {
      method: "DELETE",
      json: { password: goodPassword },
      headers: { Authorization: `Bearer ${data.token}` },
    });
    expect(response.status).toBe(401);
    expect(await isSignedIn(member)).toBe(true);
  });
});
