import { createHash } from "node:crypto";
import { eq } from "drizzle-orm";
import { describe, expect, test, vi } from "vitest";
import {
  completeSignIn,
  createSession,
  endFilmPasses,
  lockAccount,
} from "#app/domain/accounts/accounts.server.ts";
import { days, hours, minutes } from "#app/platform/units.ts";
import { db, withTransaction } from "#db/client.server.ts";
import { sessions, users } from "#db/schema/accounts.ts";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { untilQueriesWait } from "#tests/support/database/lock-waits.ts";
import { newMember, sessionOf, Visitor } from "#tests/support/requests/visitor.ts";
import { origin, request } from "#tests/support/site/in-process.ts";

const cookieName = "engawa-session";
const sessionCookies = (response: Response) =>
  response.headers.getSetCookie().filter((line) => line.startsWith(`${cookieName}=`));
const signIn = async (email: string) => {
  const visitor = new Visitor();
  const response = await visitor.request("/api/auth/signin", { json: { email, password: goodPassword } });
  expect(response.status).toBe(200);
  return visitor;
};

describe("sign-up", () => {
  test("valid input gets 201 with the account and starts a session", async () => {
    const visitor = new Visitor();
    const response = await visitor.request("/api/auth/signup", {
      json: { username: " Mio  Ito ", email: " Mio@Example.ORG", password: goodPassword },
    });
    expect(response.status).toBe(201);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(await response.json()).toEqual({
      success: true,
      data: { user: { id: expect.any(String), email: "mio@example.org", name: "Mio Ito", avatar: null } },
    });
    const [cookie, ...more] = sessionCookies(response);
    expect(more).toEqual([]);
    expect(cookie).toMatch(/^engawa-session=[^;]+; Max-Age=604800; Path=\/;.* HttpOnly; SameSite=Lax$/);
    expect(await sessionOf(visitor)).toMatchObject({
      user: { email: "mio@example.org", name: "Mio Ito", avatar: null, banner_image: null },
    });
  });

  test("input that breaks several rules gets 400 with an issue for each field", async () => {
    const response = await new Visitor().request("/api/auth/signup", {
      json: { username: "ab", email: "nowhere", password: "abc" },
    });
    expect(response.status).toBe(400);
    const body = (await response.json()) as { issues: { path: string }[] };
    expect(new Set(body.issues.map((issue) => issue.path))).toEqual(
      new Set(["username", "email", "password"]),
    );
  });

  test("a form is redirected to the profile step", async () => {
    const response = await new Visitor().request("/api/auth/signup", {
      form: { username: "Ritsu", email: "ritsu@example.org", password: goodPassword },
    });
    expect(response.status).toBe(302);
    expect(response.headers.get("Location")).toBe("/signup/profile");
  });

  test("five sign-ups with one email at once: one gets 201 and the others 409", async () => {
    const signUp = async (username: string): Promise<Response> => {
      const json = { username, email: "race@example.org", password: goodPassword };
      const answer = await new Visitor().request("/api/auth/signup", { json });
      // A busy machine compares too few passwords at once, and the site asks some requests to retry.
      return answer.status === 503 ? signUp(username) : answer;
    };
    const answers = await Promise.all(Array.from({ length: 5 }, (_, index) => signUp(`Racer ${index}`)));
    const statuses = answers.map((answer) => answer.status).sort();
    expect(statuses).toEqual([201, ...Array(4).fill(409)]);
    expect(answers.filter((answer) => answer.headers.has("Set-Cookie"))).toHaveLength(1);
  });
});

describe("sign-in", () => {
  test("an email in capitals, with spaces and with wide letters finds the account", async () => {
    const { id } = await newMember({ email: "spelling@example.org" });
    const visitor = await signIn(" SPELLING@example.ｏrg");
    expect(await sessionOf(visitor)).toMatchObject({ user: { id } });
  });

  test("a wrong password and an unknown email get the same 401", async () => {
    const { email } = await newMember();
    const wrong = await new Visitor().request("/api/auth/signin", { json: { email, password: "Wrong1!x" } });
    const unknown = await new Visitor().request("/api/auth/signin", {
      json: { email: "nobody@example.org", password: "Wrong1!x" },
    });
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    const comparableHeaders = (response: Response) =>
      [...response.headers].filter(([name]) => !/^(date|x-request-id|x-ratelimit-reset)$/.test(name));
    expect(comparableHeaders(wrong)).toEqual(comparableHeaders(unknown));
    const texts = [await wrong.text(), await unknown.text()];
    expect(texts[0]).toBe(texts[1]);
    expect(JSON.parse(texts[0] ?? "")).toEqual({ error: "Invalid email or password", status: 401 });
  });

  test("a sign-in with a session cookie starts a new session and ends the old one", async () => {
    const member = await newMember();
    const before = member.cookies.get(cookieName) ?? "";
    await member.request("/api/auth/signin", { json: { email: member.email, password: goodPassword } });
    expect(member.cookies.get(cookieName)).not.toBe(before);
    expect(
      (await request("/api/auth/sessions", { headers: { Cookie: `${cookieName}=${before}` } })).status,
    ).toBe(401);
    expect((await member.request("/api/auth/sessions")).status).toBe(200);
  });

  test.each([
    [undefined, "/"],
    ["/list?tab=watching", "/list?tab=watching"],
    ["//evil.example", "/"],
    ["/\\evil.example", "/"],
    ["/\t/evil.example", "/"],
    ["javascript:alert(1)", "/"],
    ["https://evil.example/", "/"],
  ])("a form with redirectTo=%j is redirected to %j", async (redirectTo, target) => {
    const { email } = await newMember();
    const response = await new Visitor().request("/api/auth/signin", {
      form: { email, password: goodPassword, ...(redirectTo && { redirectTo }) },
    });
    expect(response.status).toBe(302);
    expect(response.headers.get("Location")).toBe(target);
    expect(sessionCookies(response)).toHaveLength(1);
  });

  test("a form with wrong credentials is redirected to the page with error=401 and gets no cookie", async () => {
    const response = await new Visitor().request("/api/auth/signin", {
      form: { email: "nobody@example.org", password: "Wrong1!x" },
    });
    expect(response.status).toBe(302);
    expect(response.headers.get("Location")).toBe("/signin?error=401");
    expect(response.headers.getSetCookie()).toEqual([]);
  });
});

describe("GET /api/auth/session", () => {
  test("a member with pictures gets them as absolute URLs, and times in UTC", async () => {
    const member = await newMember();
    const pictures = { avatarUrl: "/ipfs/bafy", bannerImage: "https://pictures.example/banner.webp" };
    await db.update(users).set(pictures).where(eq(users.id, member.id));
    expect(await sessionOf(member)).toMatchObject({
      user: { avatar: `${origin}/ipfs/bafy`, banner_image: pictures.bannerImage },
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  test("a visitor gets 200 with null", async () => {
    const response = await new Visitor().request("/api/auth/session");
    expect(response.status).toBe(200);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(await response.json()).toEqual({ success: true, data: null });
  });
});

describe("the limiter", () => {
  test.each(["signup", "signin"])(
    "the 101st request to %s in a minute gets 429; another endpoint or client does not",
    async (name) => {
      const visitor = new Visitor();
      const send = () => visitor.request(`/api/auth/${name}`, { json: {} });
      for (let left = 99; left >= 0; left--) {
        const response = await send();
        expect(response.status).toBe(400);
        expect(response.headers.get("X-RateLimit-Remaining")).toBe(String(left));
      }
      const refused = await send();
      expect(refused.status).toBe(429);
      const wait = Number(refused.headers.get("Retry-After"));
      expect(wait).toBeGreaterThan(0);
      expect(await refused.json()).toEqual({ error: "Too many requests", status: 429, retryAfter: wait });
      const other = name === "signin" ? "signup" : "signin";
      expect((await visitor.request(`/api/auth/${other}`, { json: {} })).status).toBe(400);
      expect((await new Visitor().request(`/api/auth/${name}`, { json: {} })).status).toBe(400);
    },
  );
});

describe("a copied session cookie", () => {
  const copied = (cookie: string) =>
    request("/api/auth/sessions", { headers: { Cookie: `${cookieName}=${cookie}` } });

  test("after sign-out it gets 401, and a second sign-out gets 200", async () => {
    const member = await newMember();
    const cookie = member.cookies.get(cookieName) ?? "";
    expect((await copied(cookie)).status).toBe(200);
    expect((await member.request("/api/auth/signout", { method: "POST" })).status).toBe(200);
    expect(member.cookies.has(cookieName)).toBe(false);
    expect((await copied(cookie)).status).toBe(401);
    expect((await member.request("/api/auth/signout", { method: "POST" })).status).toBe(200);
  });

  test("changed, cut, unsigned or oversized it gets 401", async () => {
    const member = await newMember();
    const cookie = decodeURIComponent(member.cookies.get(cookieName) ?? "");
    const [value = "", signature = ""] = cookie.split(".");
    const flipped = `${value.startsWith("a") ? "b" : "a"}${value.slice(1)}.${signature}`;
    const forged = `${Buffer.from(JSON.stringify({ secret: "a".repeat(43) })).toString("base64")}.${signature}`;
    for (const bad of [
      flipped,
      cookie.slice(0, -2),
      value,
      forged,
      `${value}.`,
      ".",
      "",
      "x".repeat(7000),
      "%",
      "{}",
    ])
      expect((await copied(encodeURIComponent(bad))).status, bad.slice(0, 40)).toBe(401);
    expect((await copied("%E0%A4%A")).status).toBe(401);
    expect((await copied(encodeURIComponent(cookie))).status).toBe(200);
  });

  test("the database holds only a hash of the secret, which the cookie does not contain", async () => {
    const member = await newMember();
    const [row] = await db.select().from(sessions).where(eq(sessions.userId, member.id));
    expect(decodeURIComponent(member.cookies.get(cookieName) ?? "")).not.toContain(row?.secretHash);
    expect(row?.secretHash).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe("the lifetime of a session", () => {
  const moveClock = (milliseconds: number) => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + milliseconds });
  };

  test("a session that is idle for 7 days ends, and one that is used stays", async () => {
    const member = await newMember();
    moveClock(days(7) - minutes(1));
    const kept = await member.request("/api/auth/session");
    expect(await kept.json()).toMatchObject({ data: { user: { id: member.id } } });
    expect(sessionCookies(kept)).toHaveLength(1);
    moveClock(days(7) - minutes(1));
    expect(await sessionOf(member)).not.toBeNull();
    moveClock(days(7) + minutes(1));
    expect(await sessionOf(member)).toBeNull();
    expect((await member.request("/api/auth/sessions")).status).toBe(401);
  });

  test("a session in use ends after 30 days, and expires_at says so", async () => {
    const member = await newMember();
    const end = Date.now() + days(30);
    for (let day = 0; day < 24; day += 6) {
      moveClock(days(6));
      expect(await sessionOf(member)).not.toBeNull();
    }
    moveClock(days(5));
    const session = await sessionOf(member);
    expect(Date.parse(String(session?.expires_at))).toBeLessThanOrEqual(end + hours(1));
    moveClock(days(1) + hours(1));
    expect(await sessionOf(member)).toBeNull();
  });

  test("within an hour, further requests write no row and send no cookie", async () => {
    const member = await newMember();
    const lastSeen = async () =>
      (await db.select().from(sessions).where(eq(sessions.userId, member.id)))[0]?.lastSeenAt.getTime();
    const first = await lastSeen();
    moveClock(minutes(59));
    expect((await member.request("/api/auth/session")).headers.getSetCookie()).toEqual([]);
    expect(await lastSeen()).toBe(first);
    moveClock(minutes(2));
    expect(sessionCookies(await member.request("/api/auth/session"))).toHaveLength(1);
    expect(await lastSeen()).toBeGreaterThan((first ?? 0) + hours(1));
    expect((await member.request("/api/auth/session")).headers.getSetCookie()).toEqual([]);
  });
});

describe("the list of sessions", () => {
  test("it shows each device, and DELETE ends one session or all others", async () => {
    const member = await newMember();
    const phone = await signIn(member.email);
    const tablet = await signIn(member.email);
    await db.update(sessions).set({ device: "Safari on iPhone" }).where(eq(sessions.userId, member.id));
    const listed = (await (await member.request("/api/auth/sessions")).json()) as {
      data: { id: string; current: boolean; device: string; created_at: string; last_seen_at: string }[];
    };
    expect(listed.data).toHaveLength(3);
    expect(listed.data.filter((one) => one.current)).toHaveLength(1);
    expect(listed.data[0]).toMatchObject({
      device: "Safari on iPhone",
      last_seen_at: expect.stringMatching(/\.\d{3}Z$/),
    });

    const phones = (await (await phone.request("/api/auth/sessions")).json()) as typeof listed;
    const phoneId = phones.data.find((one) => one.current)?.id;
    const one = await member.request("/api/auth/sessions", { method: "DELETE", json: { id: phoneId } });
    expect(one.status).toBe(200);
    expect(await sessionOf(phone)).toBeNull();
    expect(await sessionOf(tablet)).not.toBeNull();

    await member.request("/api/auth/sessions", { method: "DELETE", json: { others: true } });
    expect(await sessionOf(tablet)).toBeNull();
    expect(await sessionOf(member)).not.toBeNull();
  });

  test("ending the others waits for a change of the account before it locks the account's profiles", async () => {
    const member = await newMember();
    const profile = { accountId: member.id, username: "profile", name: "profile" };
    await db.insert(users).values(profile);
    // Moves the account's row behind the profile's, because the column has an index.
    await db
      .update(users)
      .set({ email: `moved-${member.email}` })
      .where(eq(users.id, member.id));
    const { ending } = await withTransaction(async (transaction) => {
      await lockAccount(transaction, member.id);
      const ending = member.request("/api/auth/sessions", { method: "DELETE", json: { others: true } });
      await untilQueriesWait();
      await endFilmPasses(member.id, transaction);
      return { ending };
    });
    expect((await ending).status).toBe(200);
  });

  test("a sign-in over the limit waits while all other sessions are ended", async () => {
    const member = await newMember();
    const earlier = (index: number) => new Date(Date.now() - hours(1) - minutes(index));
    const old = Array.from({ length: 100 }, (_, index) => ({
      secretHash: createHash("sha256").update(`${member.id} ${index}`).digest("hex"),
      userId: member.id,
      lastSeenAt: earlier(index),
      expiresAt: new Date(Date.now() + days(30)),
    }));
    const client = { ip: member.address, userAgent: null };
    const created = await createSession(member.id, client);
    await db.insert(sessions).values(old);
    const { signingIn, ending } = await withTransaction(async (transaction) => {
      const newest = eq(sessions.secretHash, old[0]!.secretHash);
      await transaction.select().from(sessions).where(newest).for("update");
      const ending = member.request("/api/auth/sessions", { method: "DELETE", json: { others: true } });
      await untilQueriesWait(1);
      const signingIn = completeSignIn(created!.secret, member.id, client);
      await untilQueriesWait(2);
      return { signingIn, ending };
    });
    await signingIn;
    expect((await ending).status).toBe(200);
  });

  test("it says for 30 days that a sign-in over the limit ended the oldest sessions, and nothing before that", async () => {
    const member = await newMember();
    const listed = async (visitor: Visitor) =>
      (await (await visitor.request("/api/auth/sessions")).json()) as { data: unknown[]; notice?: string };
    const later = new Date(Date.now() + hours(1));
    const more = Array.from({ length: 99 }, (_, index) => ({
      secretHash: createHash("sha256").update(`${member.id} ${index}`).digest("hex"),
      userId: member.id,
      lastSeenAt: later,
      expiresAt: new Date(Date.now() + days(30)),
    }));
    await db.insert(sessions).values(more);
    const before = await listed(member);
    expect([before.data.length, before.notice]).toEqual([100, undefined]);
    const device = await signIn(member.email);
    expect(await sessionOf(member)).toBeNull();
    const after = await listed(device);
    expect(after.data).toHaveLength(100);
    expect(after.notice).toMatch(/^The oldest sessions were ended, because an account has at most 100\./);
    expect(await (await device.request("/settings")).text()).toContain(after.notice);
    const longAgo = new Date(Date.now() - days(30) - minutes(1));
    await db.update(users).set({ sessionsEndedAt: longAgo }).where(eq(users.id, member.id));
    expect((await listed(device)).notice).toBeUndefined();
  });

  test("another member's DELETE ends no session in it", async () => {
    const [member, other] = [await newMember(), await newMember()];
    const mine = (await (await member.request("/api/auth/sessions")).json()) as { data: { id: string }[] };
    await other.request("/api/auth/sessions", { method: "DELETE", json: { id: mine.data[0]?.id } });
    expect(await sessionOf(member)).not.toBeNull();
  });

  test.each([{}, { id: "1" }, { id: [] }, { others: false }, null, [], "x"])(
    "DELETE with %j gets 400",
    async (json) => {
      const member = await newMember();
      expect((await member.request("/api/auth/sessions", { method: "DELETE", json })).status).toBe(400);
    },
  );
});

describe("writes from other sites", () => {
  test.each([
    ["a form", { "Content-Type": "application/x-www-form-urlencoded" }],
    ["JSON", { "Content-Type": "application/json" }],
    ["text/plain", { "Content-Type": "text/plain" }],
  ])("%s gets 403 and starts no session", async (_, type) => {
    const member = await newMember();
    const foreign = ["https://evil.example", "null", `${origin}.evil.example`];
    const body = type["Content-Type"].includes("json")
      ? JSON.stringify({ email: member.email, password: goodPassword })
      : new URLSearchParams({ email: member.email, password: goodPassword }).toString();
    for (const from of foreign)
      for (const path of ["/api/auth/signin", "/api/auth/signup", "/api/auth/signout"]) {
        const response = await member.request(path, {
          method: "POST",
          body,
          headers: { ...type, Origin: from },
        });
        expect(response.status, `${path} from ${from}`).toBe(403);
        expect(response.headers.getSetCookie()).toEqual([]);
      }
    expect(await sessionOf(member)).not.toBeNull();
  });

  test("a request without Origin gets 200, unless Sec-Fetch-Site says cross-site", async () => {
    const { email } = await newMember();
    const response = await request("/api/auth/signin", {
      method: "POST",
      body: JSON.stringify({ email, password: goodPassword }),
      headers: { "Content-Type": "application/json" },
    });
    expect(response.status).toBe(200);
    const crossSite = await request("/api/auth/signin", {
      method: "POST",
      body: JSON.stringify({ email, password: goodPassword }),
      headers: { "Content-Type": "application/json", "Sec-Fetch-Site": "cross-site" },
    });
    expect(crossSite.status).toBe(403);
  });
});

test("a request that names no session to end gets 400, which says what to send", async () => {
  const member = await newMember();
  for (const json of [{}, undefined]) {
    const response = await member.request("/api/auth/sessions", { method: "DELETE", json });
    expect([response.status, (await response.json()).error]).toEqual([
      400,
      "The body must have the id of a session, or others: true",
    ]);
  }
});
