import { expect, test } from "vitest";
import { until } from "#tests/support/checks/wait-until.ts";
import { plainPng } from "#tests/support/data/plain-picture.ts";
import { newDatabase } from "#tests/support/database/new-database.ts";
import { cookieHeader, keepCookies } from "#tests/support/requests/cookies.ts";
import { startFaultyNetwork } from "#tests/support/servers/faulty-network.ts";
import { freePort } from "#tests/support/servers/free-port.ts";
import { client, consentAt, startIdentityProvider } from "#tests/support/servers/identity-provider.ts";
import { startMailServer, tokenIn } from "#tests/support/servers/mail-server.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** Sends every kind of secret and personal data through the site once. The log may contain none of it. */

const port = await freePort();
const origin = `http://127.0.0.1:${port}`;
const network = await startFaultyNetwork(await newDatabase());
const mail = await startMailServer();
const provider = await startIdentityProvider(`${origin}/api/auth/callback`);
const png = await plainPng(64, 64, "#306090");
const upstream = await startUpstream((request, response) => {
  if (request.url?.startsWith("/broken")) return request.socket.destroy();
  response
    .writeHead(request.url?.startsWith("/missing") ? 404 : 200, { "content-type": "image/png" })
    .end(png);
});

const secrets = {
  sessionSecret: "never-to-be-written-anywhere-at-all",
  email: "quiet.reader@example.org",
  username: "Quiet Reader",
  providerEmail: "other.reader@example.org",
  password: "Hush123!x",
  newPassword: "Hush456!y",
  wrongPassword: "Loud789!z",
  proxied: "proxied-query-secret",
  sought: "sought-and-found-secret",
  note: "note-to-myself-secret",
  invitation: "an-invitation-that-nobody-made-but-somebody-typed",
};

const site = await startSite({
  PORT: String(port),
  PUBLIC_URL: origin,
  DATABASE_URL: network.url,
  SESSION_SECRET: secrets.sessionSecret,
  SMTP_URL: mail.url,
  MAIL_FROM: "engawa@example.org",
  OAUTH_ISSUER: provider.issuer,
  OAUTH_CLIENT_ID: client.id,
  OAUTH_CLIENT_SECRET: client.secret,
  ALLOW_PRIVATE_UPSTREAMS: "127.0.0.1",
  LOG_LEVEL: "debug",
});

/** A client with a cookie jar. Its long cookie values count as secrets. */
class Browser {
  readonly cookies = new Map<string, string>();
  readonly held = new Set<string>();

  async ask(path: string, { json, method, ...init }: RequestInit & { json?: unknown } = {}) {
    const response = await fetch(new URL(path, origin), {
      redirect: "manual",
      method: method ?? (json === undefined ? "GET" : "POST"),
      ...init,
      headers: {
        Origin: origin,
        Cookie: cookieHeader(this.cookies),
        ...(json !== undefined && { "Content-Type": "application/json" }),
        ...init.headers,
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
    keepCookies(this.cookies, response.headers.getSetCookie());
    for (const value of this.cookies.values())
      if (value.length > 20) this.held.add(value).add(decodeURIComponent(value));
    const text = await response.text();
    return { status: response.status, location: response.headers.get("Location") ?? "", text };
  }
}

const proxied = (proxy: string, path: string) =>
  `/api/${proxy}?url=${encodeURIComponent(`${upstream.origin}${path}?key=${secrets.proxied}`)}`;

async function signUpAndReset(browser: Browser): Promise<string[]> {
  const { email, password, newPassword, wrongPassword } = secrets;
  const account = { email, password, username: secrets.username };
  const signedUp = await browser.ask("/api/auth/signup", { json: account });
  expect(signedUp.status).toBe(201);
  const { user } = (JSON.parse(signedUp.text) as { data: { user: { id: string } } }).data;
  const verification = tokenIn((await mail.take(email)).text);
  expect((await browser.ask("/api/auth/verify", { json: { token: verification } })).status).toBe(200);
  expect((await browser.ask("/api/auth/signin", { json: { email, password: wrongPassword } })).status).toBe(
    401,
  );
  expect((await browser.ask("/api/auth/reset", { json: { email } })).status).toBe(200);
  const reset = tokenIn((await mail.take(email)).text);
  await browser.ask(`/reset?token=${reset}`);
  const confirmation = { token: reset, password: newPassword };
  expect((await browser.ask("/api/auth/reset/confirm", { json: confirmation })).status).toBe(200);
  expect((await browser.ask("/api/auth/reset/confirm", { json: confirmation })).status).toBe(400);
  expect((await browser.ask("/api/auth/signin", { json: { email, password: newPassword } })).status).toBe(
    200,
  );
  return [user.id, verification, reset];
}

async function useTheSite(browser: Browser): Promise<string[]> {
  const entry = { animeId: 900000001, type: "Watching", notes: secrets.note };
  await browser.ask("/api/user/watchList", { json: entry });
  await browser.ask("/api/user/searchHistory", { json: { query: secrets.sought } });
  for (const path of [
    "/search?q=",
    "/api/animes/full?search_query=",
    "/api/animes/suggest?q=",
    "/nowhere?q=",
  ])
    await browser.ask(path + secrets.sought);
  const created = await browser.ask("/api/auth/tokens", { json: { name: "script", scope: "read" } });
  const token = /"token":"([^"]+)"/.exec(created.text)?.[1] ?? "";
  await browser.ask("/api/user/watchList", { headers: { Authorization: `Bearer ${token}`, Cookie: "" } });
  await browser.ask("/api/user/export");
  await browser.ask("/api/auth/signin", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: `{"email":"${secrets.email}","password":"${secrets.password}`,
  });
  for (const proxy of ["proxy", "videoProxy"])
    for (const path of ["/picture", "/missing", "/broken"]) await browser.ask(proxied(proxy, path));
  return [token];
}

/** Signs in with the provider, then repeats the callback, which must fail. */
async function signInWithProvider(browser: Browser): Promise<string[]> {
  provider.people.set("subject", {
    email: secrets.providerEmail,
    email_verified: true,
    name: "Other Reader",
  });
  const started = await browser.ask("/api/auth/provider", { method: "POST" });
  const back = await consentAt(started.location, "subject", `${origin}/api/auth/callback`);
  expect((await browser.ask(back)).status).toBe(302);
  expect((await browser.ask(back)).status).toBe(400);
  const { searchParams } = new URL(back);
  return [searchParams.get("code") ?? "", searchParams.get("state") ?? ""];
}

/** A screen shows a code that the member confirms: once through the API, once through the pages. */
async function signInScreens(member: Browser, screen: Browser): Promise<string[]> {
  const started = await screen.ask("/api/auth/device", { method: "POST" });
  const [deviceCode, userCode] = ["device_code", "user_code"].map(
    (name) => new RegExp(`"${name}":"([^"]+)"`).exec(started.text)?.[1] ?? "",
  ) as [string, string];
  const profile = /"id":"([^"]+)"/.exec((await member.ask("/api/auth/session")).text)?.[1] ?? "";
  const form = (fields: Record<string, string>) => ({ method: "POST", body: new URLSearchParams(fields) });
  await member.ask("/link", form({ intent: "look", code: userCode }));
  const confirmed = await member.ask("/link", form({ intent: "confirm", code: userCode, profile }));
  expect(confirmed.status).toBe(200);
  const token = await screen.ask("/api/auth/device/token", { json: { device_code: deviceCode } });
  expect(token.status).toBe(200);
  const page = new Browser();
  await page.ask("/link", form({ intent: "show" }));
  const shown = /[A-Z]{4}-[A-Z]{4}(?=<\/p>)/.exec((await page.ask("/link")).text)?.[0] ?? "";
  await page.ask("/link/continue");
  await page.ask("/signup", form({ intent: "invitation", invitation: secrets.invitation }));
  return [deviceCode, userCode, shown, ...screen.held, ...page.held];
}

/** Makes queries fail, because the driver's errors contain the query and its parameters. */
async function failQueries(browser: Browser) {
  network.refuse(true);
  const { email, newPassword: password } = secrets;
  expect((await browser.ask("/api/auth/signin", { json: { email, password } })).status).toBe(500);
  expect((await browser.ask("/api/user/searchHistory", { json: { query: secrets.sought } })).status).toBe(
    500,
  );
  await browser.ask("/api/auth/reset", { json: { email } });
  network.refuse(false);
  await expect.poll(async () => (await browser.ask("/readyz")).status).toBe(200);
}

async function deleteAccount(browser: Browser) {
  const deleted = await browser.ask("/api/user/account", {
    method: "DELETE",
    json: { password: secrets.newPassword },
  });
  expect(deleted.status).toBe(200);
}

test("a member who signs up, uses the site and deletes the account leaves no personal data or secret in the log", async () => {
  const reader = new Browser();
  const other = new Browser();
  const collected = [
    ...(await signUpAndReset(reader)),
    ...(await useTheSite(reader)),
    ...(await signInWithProvider(other)),
    ...(await signInScreens(reader, new Browser())),
  ];
  await failQueries(reader);
  await deleteAccount(reader);
  const last = `/marker-${port}`;
  await reader.ask(last);
  await until(() => site.said.some((line) => line.includes(last)));
  await site.stop();

  expect(site.logged.filter(({ message }) => message === "request").length).toBeGreaterThan(20);
  const hidden = [...Object.values(secrets), ...collected, ...reader.held, ...other.held, client.secret];
  expect(hidden.filter((secret) => secret.length < 8)).toEqual([]);
  const output = site.said.join("\n");
  for (const secret of hidden)
    for (const form of [secret, encodeURIComponent(secret)])
      expect(output.includes(form), `${form} is in the log`).toBe(false);
  expect(output).not.toMatch(/\$2[aby]\$/);
  expect(output).not.toMatch(/[\w.]+@example\.org/);
});
