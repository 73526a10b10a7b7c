import { eq } from "drizzle-orm";
import { afterEach, describe, expect, it, vi } from "vitest";
import { days, hours, minutes } from "#app/platform/units.ts";
import { db } from "#db/client.server.ts";
import { sessions, users } from "#db/schema/accounts.ts";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { newMember, Visitor } from "#tests/support/requests/visitor.ts";
import { origin, request } from "#tests/support/site/in-process.ts";

const cookieName = "engawa-session";
const sessionCookies = (response: Response) =>
  response.headers.getSetCookie().filter((line) => line.startsWith(`${cookieName}=`));
const sessionOf = async (visitor: Visitor) =>
  ((await (await visitor.request("/api/auth/session")).json()) as { data: null | Record<string, unknown> })
    .data;
const signIn = async (email: string, password = goodPassword) => {
  const visitor = new Visitor();
  const response = await visitor.request("/api/auth/signin", { json: { email, password } });
  expect(response.status).toBe(200);
  return visitor;
};

describe("sign-up", () => {
  it("answers 201 with the account and starts a session, parental control on", async () => {
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

  it("names every broken rule", async () => {
    const response = await new Visitor().request("/api/auth/signup", {
      json: { username: "ab", email: "nowhere", password: "abc" },
    });
    expect(response.status).toBe(400);
    const body = (await response.json()) as { issues: { path: string }[] };
    expect(new Set(body.issues.map((issue) => issue.path))).toEqual(
      new Set(["username", "email", "password"]),
    );
  });

  it("takes a form and moves on to the next step", async () => {
    const response = await new Visitor().request("/api/auth/signup", {
      form: { username: "Ritsu", email: "ritsu@example.org", password: goodPassword },
    });
    expect(response.status).toBe(302);
    expect(response.headers.get("Location")).toBe("/signup/profile");
  });

  it("gives one address to one of 40 who ask at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        new Visitor().request("/api/auth/signup", {
          json: { username: `Racer ${index}`, email: "race@example.org", password: goodPassword },
        }),
      ),
    );
    const statuses = answers.map((answer) => answer.status).sort();
    expect(statuses).toEqual([201, ...Array(39).fill(409)]);
    expect(answers.filter((answer) => answer.headers.has("Set-Cookie"))).toHaveLength(1);
  });
});

describe("sign-in", () => {
  it("finds the account however the address is typed", async () => {
    const { id } = await newMember({ email: "spelling@example.org" });
    const visitor = await signIn(" SPELLING@example.ｏrg");
    expect(await sessionOf(visitor)).toMatchObject({ user: { id } });
  });

  it("answers a wrong password and an unknown address alike", async () => {
    const { email } = await newMember();
    const wrong = await new Visitor().request("/api/auth/signin", { json: { email, password: "Wrong1!x" } });
    const unknown = await new Visitor().request("/api/auth/signin", {
      json: { email: "nobody@example.org", password: "Wrong1!x" },
    });
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    const told = (response: Response) =>
      [...response.headers].filter(([name]) => !/^(date|x-request-id|x-ratelimit-reset)$/.test(name));
    expect(told(wrong)).toEqual(told(unknown));
    const texts = [await wrong.text(), await unknown.text()];
    expect(texts[0]).toBe(texts[1]);
    expect(JSON.parse(texts[0] ?? "")).toEqual({ error: "Invalid email or password", status: 401 });
  });

  it("an unknown address costs as much work as a wrong password, so that time tells nothing", async () => {
    const { email } = await newMember();
    // Processor time of this process with its threads: what else the machine does is not in it.
    const work = async (address: string) => {
      const before = process.cpuUsage();
      await new Visitor().request("/api/auth/signin", { json: { email: address, password: "Wrong1!x" } });
      return process.cpuUsage(before).user;
    };
    let [unknown, wrong] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let turn = 0; turn < 4; turn++) {
      unknown = Math.min(unknown, await work("nobody@example.org"));
      wrong = Math.min(wrong, await work(email));
    }
    expect(unknown / wrong).toBeGreaterThan(0.6);
    expect(unknown / wrong).toBeLessThan(1.6);
  });

  it("rotates: the session that came along ends", async () => {
    const member = await newMember();
    const before = member.cookies.get(cookieName) ?? "";
    await member.request("/api/auth/signin", { json: { email: member.email, password: goodPassword } });
    expect(member.cookies.get(cookieName)).not.toBe(before);
    expect(
      (await request("/api/auth/sessions", { headers: { Cookie: `${cookieName}=${before}` } })).status,
    ).toBe(401);
    expect((await member.request("/api/auth/sessions")).status).toBe(200);
  });

  it.each([
    [undefined, "/"],
    ["/list?tab=watching", "/list?tab=watching"],
    ["//evil.example", "/"],
    ["/\\evil.example", "/"],
    ["/\t/evil.example", "/"],
    ["javascript:alert(1)", "/"],
    ["https://evil.example/", "/"],
  ])("sends a form that names %j to %j", async (redirectTo, target) => {
    const { email } = await newMember();
    const response = await new Visitor().request("/api/auth/signin", {
      form: { email, password: goodPassword, ...(redirectTo && { redirectTo }) },
    });
    expect(response.status).toBe(302);
    expect(response.headers.get("Location")).toBe(target);
    expect(sessionCookies(response)).toHaveLength(1);
  });

  it("sends a form with a wrong pair back to the page, without a cookie", async () => {
    const response = await new Visitor().request("/api/auth/signin", {
      form: { email: "nobody@example.org", password: "Wrong1!x" },
    });
    expect(response.status).toBe(302);
    expect(response.headers.get("Location")).toBe("/signin?error=401");
    expect(response.headers.getSetCookie()).toEqual([]);
  });
});

describe("the session check", () => {
  it("gives pictures as absolute addresses, and times in UTC", async () => {
    const member = await newMember();
    const pictures = { avatarUrl: "/ipfs/bafy", bannerImage: "https://pictures.example/banner.webp" };
    await db.update(users).set(pictures).where(eq(users.id, member.id));
    expect(await sessionOf(member)).toMatchObject({
      user: { avatar: `${origin}/ipfs/bafy`, banner_image: pictures.bannerImage },
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  it("is always 200, and null for a visitor", async () => {
    const response = await new Visitor().request("/api/auth/session");
    expect(response.status).toBe(200);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(await response.json()).toEqual({ success: true, data: null });
  });
});

describe("the limit", () => {
  it.each(["signup", "signin"])(
    "of %s is 100 a minute, for each address and endpoint by itself",
    async (name) => {
      const visitor = new Visitor();
      const ask = () => visitor.request(`/api/auth/${name}`, { json: {} });
      for (let left = 99; left >= 0; left--) {
        const response = await ask();
        expect(response.status).toBe(400);
        expect(response.headers.get("X-RateLimit-Remaining")).toBe(String(left));
      }
      const refused = await ask();
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

describe("a copied cookie", () => {
  const copied = (cookie: string) =>
    request("/api/auth/sessions", { headers: { Cookie: `${cookieName}=${cookie}` } });

  it("is dead after sign-out", async () => {
    const member = await newMember();
    const cookie = member.cookies.get(cookieName) ?? "";
    expect((await copied(cookie)).status).toBe(200);
    expect((await member.request("/api/auth/signout", { method: "POST" })).status).toBe(200);
    expect(member.cookies.has(cookieName)).toBe(false);
    expect((await copied(cookie)).status).toBe(401);
    // Once more changes nothing.
    expect((await member.request("/api/auth/signout", { method: "POST" })).status).toBe(200);
  });

  it("is no session when it was flipped, cut, unsigned or blown up", async () => {
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

  it("cannot be made from what the database holds", async () => {
    const member = await newMember();
    const [row] = await db.select().from(sessions).where(eq(sessions.userId, member.id));
    expect(decodeURIComponent(member.cookies.get(cookieName) ?? "")).not.toContain(row?.secretHash);
    expect(row?.secretHash).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe("limits", () => {
  afterEach(() => {
    vi.useRealTimers();
  });
  const moveClock = (milliseconds: number) => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + milliseconds });
  };

  it("ends a session that was idle for 7 days, and keeps one that is used", async () => {
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

  it("ends every session after 30 days, and says so in expires_at", async () => {
    const member = await newMember();
    const end = Date.now() + days(30);
    for (let day = 0; day < 24; day += 6) {
      moveClock(days(6));
      expect(await sessionOf(member)).not.toBeNull();
    }
    moveClock(days(5));
    const session = await sessionOf(member);
    expect(Date.parse(String(session?.expires_at))).toBeLessThanOrEqual(end + minutes(1));
    moveClock(days(1) + minutes(1));
    expect(await sessionOf(member)).toBeNull();
  });

  it("writes the row, and sends the cookie again, at most hourly", async () => {
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
  it("shows devices, and ends one or all others", async () => {
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

  it("is nobody else's to end", async () => {
    const [mio, ritsu] = [await newMember(), await newMember()];
    const mine = (await (await mio.request("/api/auth/sessions")).json()) as { data: { id: string }[] };
    await ritsu.request("/api/auth/sessions", { method: "DELETE", json: { id: mine.data[0]?.id } });
    expect(await sessionOf(mio)).not.toBeNull();
  });

  it.each([{}, { id: "1" }, { id: [] }, { others: false }, null, [], "x"])("refuses %j", async (json) => {
    const member = await newMember();
    expect((await member.request("/api/auth/sessions", { method: "DELETE", json })).status).toBe(400);
  });
});

describe("writes from other sites", () => {
  it.each([
    ["a form", { "Content-Type": "application/x-www-form-urlencoded" }],
    ["JSON", { "Content-Type": "application/json" }],
    ["text/plain", { "Content-Type": "text/plain" }],
  ])("%s changes nothing and starts no session", async (_, type) => {
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

  it("is told from an API client, which names no origin", async () => {
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
