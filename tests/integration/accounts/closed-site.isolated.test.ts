import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { transportStream } from "#tests/support/data/film-bytes.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

const folder = temporaryFolder("closed-site-films");
Object.assign(process.env, {
  VISITORS: "no",
  MEDIA_DIR: folder,
  PUBLIC_CACHE: "1",
  INDEXING: "1",
  CATALOG_SHARE: "public",
});
const { db } = await import("#db/client.server.ts");
const { newMember, newOperator, Visitor } = await import("#tests/support/requests/visitor.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { routesOfSite, stepsFor } = await import("#tests/support/requests/site-walk.ts");
const { newAddress, request } = await import("#tests/support/site/in-process.ts");
const { dataOf } = await import("#tests/support/requests/response-data.ts");

/** VISITORS=no: without a session, the site answers only the requests that signing in needs. */

/** Every other route of app/routes.ts is closed, including new ones. */
const openRoutes = new Set([
  "/signin",
  "/signup",
  "/reset",
  "/verify",
  "/setup",
  "/link",
  "/link/continue",
  "/api/auth/device",
  "/api/auth/device/token",
  "/api/auth/signup",
  "/api/auth/signin",
  "/api/auth/signout",
  "/api/auth/provider",
  "/api/auth/callback",
  "/api/auth/session",
  "/api/auth/reset",
  "/api/auth/reset/confirm",
  "/api/auth/verify",
  "/healthz",
  // These routes require a secret of their own.
  "/api/hooks/:program",
  "/api/hooks/:program/:secret",
  // Passes in these addresses stand for members.
  "/signed/:pass/film/:film",
  "/signed/:pass/film/:film/:part",
  "/signed/:pass/play/:film/:version/:name",
  "/signed/:pass/captions/:file",
  "/readyz",
]);
/** Without a session, these paths get 401 instead of a redirect. */
const isApi = (path: string) => /^\/(?:api|v4)\//.test(path);

const word = "quorbleth";
const planted = { malId: 800_001, word, year: 2020, film: `${word}/01.ts` };

// Without an operator, the page that creates one would be open.
await newOperator();
mkdirSync(join(folder, word));
writeFileSync(join(folder, planted.film), transportStream(3));
await importTitles([
  { kind: "title", mal_id: planted.malId, title: `${word} title`, type: "TV", episodes: 1, year: 2020 },
  { kind: "episode", mal_id: planted.malId, number: 1, title: word },
  { kind: "source", mal_id: planted.malId, number: 1, url: `media:${planted.film}`, type: "mp4" },
]);
const member = await newMember();

/** A path that this route answers. */
const samplePath = (route: string) =>
  route
    .replace(":id.", "1.")
    .replace(/:id\b/, "800001")
    .replace(/:\w+\??/g, "1")
    .replace("*", "some/thing");

const isRefused = (response: Response) =>
  response.status === 401 || (response.headers.get("Location") ?? "").includes("/signin");

describe("a visitor", () => {
  test("gets 401 or the sign-in page from every route but those that signing in needs", async () => {
    const answered: string[] = [];
    for (const route of routesOfSite().filter((one) => !openRoutes.has(one))) {
      const path = samplePath(route);
      for (const [asked, init] of [
        [path, {}],
        [path, { headers: { Accept: "text/html" } }],
        [path === "/" ? "/_.data" : `${path}.data`, {}],
        [path, { method: "HEAD" }],
        [path, { form: { intent: "any" } }],
        [path.toUpperCase(), {}],
        [`/%${path.charCodeAt(1).toString(16)}${path.slice(2)}`, {}],
      ] as const) {
        if (path === "/" && asked.startsWith("/%")) continue;
        const response = await new Visitor().request(asked, init);
        const text = await response.text();
        // The data request of a page announces a redirect in its body.
        const isLed = asked.endsWith(".data") && text.includes("/signin") && response.status === 202;
        // A 405 does nothing with the request, so it discloses nothing.
        if (!isRefused(response) && !isLed && response.status !== 405)
          answered.push(`${route} ${JSON.stringify([asked, init])} ${response.status}`);
        if (isApi(path) && response.status !== 405) expect(response.status, asked).toBe(401);
      }
    }
    expect(answered).toEqual([]);
  });

  test("every open route exists on the site", () => {
    const known = new Set(routesOfSite());
    expect([...openRoutes].filter((route) => !known.has(route))).toEqual([]);
  });

  test("cannot find the title, its poster or its film, also after a member has requested them", async () => {
    const steps = stepsFor([planted]).filter(
      ({ method = "GET", form, json }) => method === "GET" && !form && !json,
    );
    for (const { path } of steps) await (await member.request(path)).arrayBuffer();
    const told: string[] = [];
    for (const { path } of steps) {
      const response = await new Visitor().request(path);
      const text = await response.text();
      if (text.replaceAll(encodeURIComponent(path), "").includes(`${word} title`) || response.status === 200)
        told.push(path);
    }
    expect(told).toEqual([]);
  });

  test("gets the API's 401, and Jikan's 401 in Jikan's shape", async () => {
    const listing = await new Visitor().request("/api/animes/full");
    expect([listing.status, await listing.json()]).toEqual([401, { error: "Unauthorized", status: 401 }]);
    const jikan = await new Visitor().request("/v4/anime");
    expect([jikan.status, await jikan.json()]).toMatchObject([401, { status: 401, message: "Unauthorized" }]);
  });

  test("is led to the page after signing in", async () => {
    const answer = await new Visitor().request("/browse?year=2020");
    expect(answer.headers.get("Location")).toBe("/signin?redirectTo=%2Fbrowse%3Fyear%3D2020");
    expect(answer.headers.get("Cache-Control")).toContain("no-store");
  });

  test("gets the pages for signing in, with links to no other page", async () => {
    for (const path of ["/signin", "/signup", "/reset"]) {
      const response = await new Visitor().request(path);
      expect(response.status, path).toBe(200);
      const html = await response.text();
      expect(html).toContain("<h1");
      for (const link of ["/browse", "/schedule", "/random", "/about/data", "/list"])
        expect(html, path).not.toContain(`href="${link}`);
    }
  });

  test("gets icons, styles and scripts, but neither the demonstration film nor another spelling of its path", async () => {
    const html = await (await new Visitor().request("/signin")).text();
    const script = /"(\/assets\/[^"]+\.js)"/.exec(html)?.[1] ?? "";
    for (const path of ["/favicon.ico", "/icon.svg", "/manifest.webmanifest", script])
      expect((await new Visitor().request(path)).status, path).toBe(200);
    for (const path of ["/film/1/master.m3u8", "/%66ilm/1/master.m3u8", "/film/1%2fmaster.m3u8"]) {
      const response = await new Visitor().request(path);
      expect(isRefused(response) || response.status === 404, path).toBe(true);
      expect(await response.text()).not.toContain("#EXTM3U");
    }
  });

  test("gets nothing with an invented or ended session", async () => {
    const made = new Visitor();
    made.cookies.set("engawa-session", "made-up");
    expect((await made.request("/api/animes/full")).status).toBe(401);
    const left = await newMember();
    expect((await left.request("/api/animes/full")).status).toBe(200);
    const cookies = new Map(left.cookies);
    await left.request("/api/auth/signout", { method: "POST" });
    const copied = Object.assign(new Visitor(), { cookies });
    expect((await copied.request("/api/animes/full")).status).toBe(401);
  });
});

describe("a member", () => {
  test("gets pages, API, posters, proxies and films, none of which a shared cache may store", async () => {
    const own = encodeURIComponent("http://localhost:3000/poster/800001.webp?w=160");
    for (const path of [
      "/",
      "/browse",
      "/api/animes/full",
      "/v4/anime",
      "/poster/800001.webp?w=160",
      `/api/proxy?url=${own}&w=100`,
      "/film/1/master.m3u8",
    ]) {
      const response = await member.request(path);
      expect(response.status, path).toBe(200);
      expect(response.headers.get("Cache-Control"), path).toMatch(/^private/);
      expect(response.headers.get("Expires"), path).toBeNull();
    }
  });

  test("gets 304 for an answer that has not changed", async () => {
    const tag = (await member.request("/api/animes/full")).headers.get("ETag") ?? "";
    const again = await member.request("/api/animes/full", { headers: { "If-None-Match": tag } });
    expect(again.status).toBe(304);
  });

  test("may use an access token instead, and a revoked one opens nothing", async () => {
    const { token, id } = await dataOf<{ token: string; id: string }>(
      member.request("/api/auth/tokens", { json: { name: "bot", scope: "read" } }),
      201,
    );
    const ask = async () =>
      (await request("/api/animes/full", { headers: { Authorization: `Bearer ${token}` } })).status;
    expect(await ask()).toBe(200);
    await member.request("/api/auth/tokens", { method: "DELETE", json: { id } });
    expect(await ask()).toBe(401);
  });

  test("may use an access token while another program behind its address makes up tokens, which get 429", async () => {
    const address = newAddress();
    const ask = (token: string, path = "/api/animes/full") =>
      request(path, { address, headers: { Authorization: `Bearer ${token}` } });
    const { token } = await dataOf<{ token: string }>(
      member.request("/api/auth/tokens", { json: { name: "bot", scope: "read" } }),
      201,
    );
    expect((await ask(token)).status).toBe(200);
    const madeUp = () => `engawa_${randomBytes(32).toString("base64url")}`;
    const statuses = new Set<number>();
    while (statuses.size < 2) statuses.add((await ask(madeUp())).status);
    expect([...statuses]).toEqual([401, 429]);
    const jikan = await ask(madeUp(), "/v4/anime");
    expect([jikan.status, await jikan.json()]).toMatchObject([
      429,
      { status: 429, type: "RateLimitException" },
    ]);
    expect((await ask(madeUp(), "/film/1/master.m3u8")).status).toBe(429);
    expect((await ask(token)).status).toBe(200);
  });

  test("gets an error in JSON while access tokens cannot be read", async () => {
    await db.execute("alter table access_tokens rename to hidden_tokens");
    const token = `engawa_${randomBytes(32).toString("base64url")}`;
    const { status, body } = await request("/v4/anime", { headers: { Authorization: `Bearer ${token}` } })
      .then(async (answer) => ({ status: answer.status, body: await answer.json() }))
      .finally(() => db.execute("alter table hidden_tokens rename to access_tokens"));
    expect([status, body]).toMatchObject([500, { status: 500, type: "InternalException" }]);
  });

  test("is charged once for an unknown token, also at a file of a shared folder", async () => {
    const asked = async (path: string) => {
      const address = newAddress();
      const ask = () => request(path, { address, headers: { Authorization: "Bearer made-up" } });
      let count = 0;
      while ((await ask()).status === 401) count++;
      return count;
    };
    expect(await asked("/film/1/master.m3u8")).toBe(await asked("/api/animes/full"));
  });
});
