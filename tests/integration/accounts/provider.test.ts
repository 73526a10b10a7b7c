import { eq } from "drizzle-orm";
import { decodeJwt, SignJWT } from "jose";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import {
  client,
  consentAt,
  type Person,
  startIdentityProvider,
} from "#tests/support/servers/identity-provider.ts";

const origin = "http://localhost:3000";
const redirectUri = `${origin}/api/auth/callback`;
const provider = await startIdentityProvider(redirectUri);
process.env.PUBLIC_URL = origin;
process.env.OAUTH_ISSUER = provider.issuer;
process.env.OAUTH_CLIENT_ID = client.id;
process.env.OAUTH_CLIENT_SECRET = client.secret;
process.env.LOG_LEVEL = "error";
const { goodPassword } = await import("#tests/support/data/good-password.ts");
const { newMember, Visitor } = await import("#tests/support/requests/visitor.ts");
const { db } = await import("#db/client.server.ts");
const { credentials, identities, sessions, users } = await import("#db/schema/accounts.ts");

type Browser = InstanceType<typeof Visitor>;
afterAll(() => provider.stop());
afterEach(() => {
  delete provider.tamper.token;
  delete provider.tamper.userinfo;
  delete provider.tamper.instead;
});

let people = 0;
const person = (about: Person = {}) => {
  people += 1;
  const subject = `subject-${people}`;
  const email = `person-${people}@example.org`;
  provider.people.set(subject, { email, email_verified: true, name: `Person ${people}`, ...about });
  return { subject, email: about.email ?? email };
};

const start = (browser: Browser, form: Record<string, string> = {}) =>
  browser.request("/api/auth/provider", { form });

/** Starts, consents, and gives the path of the callback without asking for it. */
async function upToCallback(browser: Browser, subject: string, form: Record<string, string> = {}) {
  const started = await start(browser, form);
  expect(started.status).toBe(302);
  const back = await consentAt(started.headers.get("Location") ?? "", subject, redirectUri);
  return new URL(back);
}
const call = (browser: Browser, url: URL) => browser.request(url.pathname + url.search);
const enter = async (browser: Browser, subject: string, form: Record<string, string> = {}) =>
  call(browser, await upToCallback(browser, subject, form));

const sessionOf = async (browser: Browser) =>
  ((await (await browser.request("/api/auth/session")).json()) as { data: null | { user: { id: string } } })
    .data;

async function expectRefused(browser: Browser, response: Response, status = 400) {
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ status, error: expect.any(String) });
  expect(browser.cookies.has("engawa-session")).toBe(false);
  expect(await sessionOf(browser)).toBeNull();
}

describe("an honest visit", () => {
  it("creates user, identity and profile at first, and finds them again", async () => {
    const { subject, email } = person({ picture: "https://pictures.example/mio.png" });
    const browser = new Visitor();
    const first = await enter(browser, subject, { redirectTo: "/list" });
    expect(first.status).toBe(302);
    expect(first.headers.get("Location")).toBe("/signup/profile?redirectTo=%2Flist");
    expect(browser.cookies.has("engawa-provider")).toBe(false);
    const user = (await sessionOf(browser))?.user;
    expect(user).toMatchObject({
      email,
      name: `Person ${people}`,
      avatar: "https://pictures.example/mio.png",
    });
    const [stored] = await db
      .select()
      .from(users)
      .where(eq(users.id, user?.id ?? ""));
    expect(stored).toMatchObject({ emailVerifiedAt: expect.any(Date), parentalControl: true });

    const again = new Visitor();
    const second = await enter(again, subject, { redirectTo: "/history?page=2" });
    expect(second.headers.get("Location")).toBe("/history?page=2");
    expect((await sessionOf(again))?.user.id).toBe(user?.id);
    expect(await db.$count(identities, eq(identities.userId, user?.id ?? ""))).toBe(1);
  });

  it("asks for a code with S256, state and nonce, and names the three scopes", async () => {
    const started = await start(new Visitor());
    const asked = Object.fromEntries(new URL(started.headers.get("Location") ?? "").searchParams);
    expect(asked).toMatchObject({
      response_type: "code",
      client_id: client.id,
      redirect_uri: redirectUri,
      scope: "openid email profile",
      code_challenge_method: "S256",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
  });

  it("sends the client's id and secret form-encoded, and leaves - _ and . as they are", async () => {
    const { subject } = person();
    await enter(new Visitor(), subject);
    const [scheme, pair = ""] = provider.seen.authorization?.split(" ") ?? [];
    expect(scheme).toBe("Basic");
    expect(Buffer.from(pair, "base64").toString()).toBe("engawa:kept+between+us%3A+100%25+%2B+more_-.");
  });

  it("knows a subject whose e-mail changed: the same user", async () => {
    const { subject, email } = person();
    const browser = new Visitor();
    await enter(browser, subject);
    const id = (await sessionOf(browser))?.user.id;
    provider.people.set(subject, { email: `new-${email}`, email_verified: true });
    const later = new Visitor();
    expect((await enter(later, subject)).status).toBe(302);
    expect((await sessionOf(later))?.user).toMatchObject({ id, email });
  });

  it("lets one browser finish where another is still under way, and two callbacks make one user", async () => {
    const { subject, email } = person();
    const [one, two] = [new Visitor(), new Visitor()];
    const callbacks = [await upToCallback(one, subject), await upToCallback(two, subject)];
    const answers = await Promise.all([call(one, callbacks[0]!), call(two, callbacks[1]!)]);
    expect(answers.map((answer) => answer.status)).toEqual([302, 302]);
    expect(await db.$count(users, eq(users.email, email))).toBe(1);
  });

  it.each(["//evil.example", "/\\evil.example", "https://evil.example/", "javascript:alert(1)"])(
    "never leaves the site by %j",
    async (redirectTo) => {
      const { subject } = person();
      await enter(new Visitor(), subject);
      const response = await enter(new Visitor(), subject, { redirectTo });
      expect(response.headers.get("Location")).toBe("/");
    },
  );
});

/** Lets the provider put claims into the id token that it otherwise tells by userinfo. */
const withClaims = (claims: Record<string, unknown>) => {
  provider.tamper.token = async (answer) => ({
    ...answer,
    id_token: await provider.sign({ ...decodeJwt(answer.id_token), ...claims }),
  });
};

describe("claims", () => {
  it("are taken from the id token where it has them, and nobody else is asked", async () => {
    const { subject } = person();
    withClaims({ email: "in-token@example.org", email_verified: true, name: "From Token" });
    provider.tamper.userinfo = () => ({ sub: "nobody-asked" });
    const browser = new Visitor();
    expect((await enter(browser, subject)).status).toBe(302);
    expect((await sessionOf(browser))?.user).toMatchObject({
      email: "in-token@example.org",
      name: "From Token",
    });
  });

  it.each([
    ["a subject that cannot be stored", { sub: "a\0b", email: "nul@example.org", email_verified: true }],
    ["no e-mail address", { email: "", email_verified: true }],
    ["an e-mail address that is none", { email: "a@b", email_verified: true }],
    ["an e-mail address of another kind", { email: ["a@b.co"], email_verified: true }],
  ])("with %s are refused", async (_, claims) => {
    const { subject } = person();
    withClaims(claims);
    const browser = new Visitor();
    await expectRefused(browser, await enter(browser, subject));
  });

  it.each([
    ["Al", "person-short"],
    ["\u202eevil", "person-hidden"],
    ["x".repeat(300), "person-long"],
  ])("with the name %j give the account another", async (name, local) => {
    const { subject } = person({ name, email: `${local}@example.org` });
    const browser = new Visitor();
    expect((await enter(browser, subject)).status).toBe(302);
    expect((await sessionOf(browser))?.user).toMatchObject({ name: local });
  });

  it("with a picture that is no web address leave it out", async () => {
    const { subject } = person({ picture: "javascript:alert(1)" });
    const browser = new Visitor();
    await enter(browser, subject);
    expect((await sessionOf(browser))?.user).toMatchObject({ avatar: null });
  });

  it("of an unknown address that is not verified make an account that is not verified", async () => {
    const { subject, email } = person({ email_verified: false });
    const browser = new Visitor();
    expect((await enter(browser, subject)).status).toBe(302);
    const [stored] = await db.select().from(users).where(eq(users.email, email));
    expect(stored?.emailVerifiedAt).toBeNull();
    const owner = person({ email });
    const later = new Visitor();
    expect((await enter(later, owner.subject)).status).toBe(302);
    expect(await sessionOf(browser)).toBeNull();
    expect(await db.$count(identities, eq(identities.subject, subject))).toBe(0);
  });
});

describe("linking", () => {
  it("refuses an unverified e-mail that equals an account's, and touches nothing", async () => {
    const member = await newMember();
    const { subject } = person({ email: member.email, email_verified: false });
    const browser = new Visitor();
    await expectRefused(browser, await enter(browser, subject));
    expect(await db.$count(identities, eq(identities.userId, member.id))).toBe(0);
    expect((await sessionOf(member))?.user.id).toBe(member.id);
  });

  it("takes a never-verified account from whoever made it: old password and sessions end", async () => {
    const squatter = await newMember();
    const { subject } = person({ email: squatter.email.toUpperCase() });
    const browser = new Visitor();
    const response = await enter(browser, subject, { redirectTo: "/list" });
    expect(response.headers.get("Location")).toBe("/reset?notice=password-removed&redirectTo=%2Flist");
    expect((await sessionOf(browser))?.user.id).toBe(squatter.id);
    expect(await sessionOf(squatter)).toBeNull();
    expect(await db.$count(credentials, eq(credentials.userId, squatter.id))).toBe(0);
    const old = await new Visitor().request("/api/auth/signin", {
      json: { email: squatter.email, password: goodPassword },
    });
    expect(old.status).toBe(401);
  });

  it("keeps password and sessions of an account whose address was verified", async () => {
    const member = await newMember();
    await db.update(users).set({ emailVerifiedAt: new Date() }).where(eq(users.id, member.id));
    const { subject } = person({ email: member.email });
    const browser = new Visitor();
    expect((await enter(browser, subject, { redirectTo: "/list" })).headers.get("Location")).toBe("/list");
    expect((await sessionOf(browser))?.user.id).toBe(member.id);
    expect((await sessionOf(member))?.user.id).toBe(member.id);
    expect(await db.$count(credentials, eq(credentials.userId, member.id))).toBe(1);
  });

  it("lets no disabled account in", async () => {
    const { subject, email } = person();
    await enter(new Visitor(), subject);
    await db.update(users).set({ disabled: true }).where(eq(users.email, email));
    const browser = new Visitor();
    await expectRefused(browser, await enter(browser, subject), 403);
  });
});

describe("a hostile callback", () => {
  it("with an unknown state, or none, is refused and spends nothing", async () => {
    const { subject } = person();
    const browser = new Visitor();
    const callback = await upToCallback(browser, subject);
    for (const state of ["", "x".repeat(43), null]) {
      const forged = new URL(callback);
      if (state === null) forged.searchParams.delete("state");
      else forged.searchParams.set("state", state);
      await expectRefused(browser, await call(browser, forged));
    }
    expect((await call(browser, callback)).status).toBe(302);
  });

  it("that was used before is refused, with and without the spent cookie", async () => {
    const { subject } = person();
    const browser = new Visitor();
    const callback = await upToCallback(browser, subject);
    const cookie = browser.cookieHeader;
    expect((await call(browser, callback)).status).toBe(302);
    const replayed = new Visitor();
    await expectRefused(replayed, await call(replayed, callback));
    const kept = await replayed.request(callback.pathname + callback.search, { headers: { Cookie: cookie } });
    expect(kept.status).toBe(400);
    expect(kept.headers.getSetCookie().join()).not.toContain("engawa-session");
  });

  it("in a foreign browser is refused, also when that one started an attempt of its own", async () => {
    const { subject } = person();
    const callback = await upToCallback(new Visitor(), subject);
    const victim = new Visitor();
    await expectRefused(victim, await call(victim, callback));
    await start(victim);
    await expectRefused(victim, await call(victim, callback));
  });

  it("with the provider's error is refused", async () => {
    const browser = new Visitor();
    const started = await start(browser);
    const state = new URL(started.headers.get("Location") ?? "").searchParams.get("state");
    const url = new URL(
      `${redirectUri}?error=access_denied&iss=${encodeURIComponent(provider.issuer)}&state=${state}`,
    );
    await expectRefused(browser, await call(browser, url));
    expect(browser.cookies.has("engawa-provider")).toBe(false);
  });

  it("with another issuer, or none, is refused", async () => {
    const { subject } = person();
    for (const issuer of ["https://evil.example", null]) {
      const browser = new Visitor();
      const callback = await upToCallback(browser, subject);
      if (issuer) callback.searchParams.set("iss", issuer);
      else callback.searchParams.delete("iss");
      await expectRefused(browser, await call(browser, callback));
    }
  });

  it.each([
    ["issuer", { iss: "https://evil.example" }],
    ["nonce", { nonce: "another" }],
    ["missing nonce", { nonce: undefined }],
    ["audience", { aud: "another" }],
    ["audiences without azp", { aud: [client.id, "another"] }],
    ["azp", { azp: "another" }],
    ["azp beside several audiences", { aud: [client.id, "another"], azp: "another" }],
    ["missing issuer", { iss: undefined }],
    ["missing subject", { sub: undefined }],
    ["missing audience", { aud: undefined }],
    ["missing time of issue", { iat: undefined }],
    ["start of validity", { nbf: Math.floor(Date.now() / 1000) + 3600 }],
    ["expiry", { exp: Math.floor(Date.now() / 1000) - 3600 }],
    ["missing expiry", { exp: undefined }],
  ])("with a wrong %s in the id token is refused", async (_, wrong) => {
    const { subject } = person();
    provider.tamper.token = async (answer) => {
      const claims = JSON.parse(JSON.stringify({ ...decodeJwt(answer.id_token), ...wrong })) as Record<
        string,
        unknown
      >;
      return { ...answer, id_token: await provider.sign(claims) };
    };
    const browser = new Visitor();
    await expectRefused(browser, await enter(browser, subject));
    expect(await db.$count(identities, eq(identities.subject, subject))).toBe(0);
  });

  it("with a bad signature, or none, is refused", async () => {
    const unsigned = (token: string) => {
      const [, claims] = token.split(".");
      return `${Buffer.from('{"alg":"none"}').toString("base64url")}.${claims}.`;
    };
    for (const forge of [
      (token: string) => provider.sign(decodeJwt(token), { foreignKey: true }),
      async (token: string) => unsigned(token),
      (token: string) =>
        new SignJWT(decodeJwt(token)).setProtectedHeader({ alg: "HS256" }).sign(Buffer.from(client.secret)),
      async (token: string) => `${token.slice(0, -4)}AAAA`,
      async (token: string) => `${token.slice(0, -4)}!!!!`,
      async () => "no token",
    ]) {
      const { subject } = person();
      provider.tamper.token = async (answer) => ({ ...answer, id_token: await forge(answer.id_token) });
      const browser = new Visitor();
      await expectRefused(browser, await enter(browser, subject));
    }
  });

  it("whose userinfo is about somebody else is refused", async () => {
    const { subject } = person();
    provider.tamper.userinfo = (claims) => ({ ...claims, sub: "somebody-else" });
    const browser = new Visitor();
    await expectRefused(browser, await enter(browser, subject));
  });

  it.each([
    ["a second state", "state", "another"],
    ["a second code", "code", "another"],
    ["an id token", "id_token", "a.b.c"],
    ["a signed response", "response", "a.b.c"],
  ])("with %s in its address is refused", async (_, name, value) => {
    const { subject } = person();
    const browser = new Visitor();
    const callback = await upToCallback(browser, subject);
    callback.searchParams.append(name, value);
    await expectRefused(browser, await call(browser, callback));
  });

  it("without a code is refused", async () => {
    const { subject } = person();
    const browser = new Visitor();
    const callback = await upToCallback(browser, subject);
    callback.searchParams.delete("code");
    await expectRefused(browser, await call(browser, callback));
  });

  const json = { "Content-Type": "application/json" };
  it.each([
    ["the token endpoint fails", { path: "/token", status: 503 }, 500],
    ["the token endpoint redirects", { path: "/token", status: 307, headers: { Location: "/me" } }, 500],
    ["the token endpoint does not speak JSON", { path: "/token", status: 200, body: "<p>" }, 500],
    [
      "the token endpoint gives no id token",
      { path: "/token", status: 200, body: '{"access_token":"a","token_type":"Bearer"}' },
      400,
    ],
    [
      "the token endpoint knows no such code",
      { path: "/token", status: 400, body: '{"error":"invalid_grant"}' },
      400,
    ],
    [
      "the token endpoint refuses the client",
      { path: "/token", status: 401, headers: { "WWW-Authenticate": "Basic" }, body: "{}" },
      400,
    ],
    ["the userinfo endpoint fails", { path: "/me", status: 503 }, 500],
    [
      "the userinfo endpoint refuses the access token",
      { path: "/me", status: 401, headers: { "WWW-Authenticate": "Bearer" }, body: "{}" },
      500,
    ],
    ["the userinfo endpoint names no subject", { path: "/me", status: 200, body: '{"email":"a@b.co"}' }, 500],
    [
      "the userinfo endpoint answers with a signed token",
      { path: "/me", status: 200, headers: { "Content-Type": "application/jwt" }, body: "a.b.c" },
      500,
    ],
  ])("gets no session when %s", async (_, instead, status) => {
    const { subject } = person();
    const browser = new Visitor();
    const callback = await upToCallback(browser, subject);
    provider.tamper.instead = { headers: json, ...instead };
    await expectRefused(browser, await call(browser, callback), status);
  });

  it("behind which the token endpoint hangs is given up after 5 s", async () => {
    const { subject } = person();
    const browser = new Visitor();
    const callback = await upToCallback(browser, subject);
    provider.tamper.token = "hang";
    const began = performance.now();
    await expectRefused(browser, await call(browser, callback), 500);
    expect(performance.now() - began).toBeGreaterThan(4000);
    expect(performance.now() - began).toBeLessThan(15_000);
  });

  it("is a page for people, and a 405 for HEAD, which must not spend a code", async () => {
    const browser = new Visitor();
    const page = await browser.request("/api/auth/callback?state=x", {
      headers: { Accept: "text/html,*/*" },
    });
    expect(page.status).toBe(400);
    expect(page.headers.get("Content-Type")).toContain("text/html");
    expect(await page.text()).toContain('href="/signin?error=provider-400"');
    const head = await browser.request("/api/auth/callback?state=x", { method: "HEAD" });
    expect(head.status).toBe(405);
    expect(head.headers.get("Allow")).toBe("GET, OPTIONS");
  });
});

describe("starting", () => {
  it("a hundred times leaves one small cookie", async () => {
    const browser = new Visitor();
    for (let count = 0; count < 100; count++) await start(browser, { redirectTo: `/search?q=${count}` });
    expect([...browser.cookies.keys()]).toEqual(["engawa-provider"]);
    expect(browser.cookieHeader.length).toBeLessThan(600);
  });

  it("is a POST of our own pages alone", async () => {
    const browser = new Visitor();
    const get = await browser.request("/api/auth/provider");
    expect(get.status).toBe(405);
    expect(get.headers.get("Allow")).toBe("POST, OPTIONS");
    const foreign = await browser.request("/api/auth/provider", {
      form: {},
      headers: { Origin: "https://evil.example" },
    });
    expect(foreign.status).toBe(403);
    expect(browser.cookies.size).toBe(0);
  });

  it("keeps what it remembers from being changed", async () => {
    const { subject } = person();
    const browser = new Visitor();
    const callback = await upToCallback(browser, subject);
    const [value = "", signature = ""] = decodeURIComponent(
      browser.cookies.get("engawa-provider") ?? "",
    ).split(".");
    const attempt = JSON.parse(Buffer.from(value, "base64").toString()) as Record<string, unknown>;
    const changed = Buffer.from(JSON.stringify({ ...attempt, redirectTo: "//evil.example" })).toString(
      "base64",
    );
    browser.cookies.set("engawa-provider", encodeURIComponent(`${changed}.${signature}`));
    await expectRefused(browser, await call(browser, callback));
  });

  it("ends the session that the browser had", async () => {
    const { subject } = person();
    const browser = await newMember();
    const before = await db.$count(sessions, eq(sessions.userId, browser.id));
    await enter(browser, subject);
    expect(before).toBe(1);
    expect(await db.$count(sessions, eq(sessions.userId, browser.id))).toBe(0);
  });
});
