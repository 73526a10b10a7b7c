import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  type ApiDocument,
  complaintsAbout,
  expectDeclared,
  isGuarded,
  type ListedOperation,
  operationsOf,
  withoutReferences,
} from "#tests/support/checks/api-document.ts";
import { transportStream } from "#tests/support/data/film-bytes.ts";
import { plainPng } from "#tests/support/data/plain-picture.ts";
import { client, consentAt, startIdentityProvider } from "#tests/support/servers/identity-provider.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** Calls every operation of /api/openapi.json, with and without success, and compares each answer with the declaration. */

const site = "http://localhost:3000";
const redirectUri = `${site}/api/auth/callback`;
const provider = await startIdentityProvider(redirectUri);
provider.people.set("aki", { email: "aki@example.org", email_verified: true, name: "Aki" });
const films = temporaryFolder("films");
writeFileSync(join(films, "film.mp4"), transportStream(4));
writeFileSync(join(films, "film.de.srt"), "1\n00:00:01,000 --> 00:00:02,000\nRegen\n");
mkdirSync(join(films, "Playlist"));
writeFileSync(join(films, "Playlist/all.m3u8"), "#EXTM3U\n#EXTINF:1,\n0.ts\n#EXT-X-ENDLIST\n");
writeFileSync(join(films, "Playlist/0.ts"), transportStream(4));
copyFileSync("tests/fixtures/films/two-sounds.mkv", join(films, "packaged.mkv"));
Object.assign(process.env, {
  PUBLIC_URL: site,
  OAUTH_ISSUER: provider.issuer,
  OAUTH_CLIENT_ID: client.id,
  OAUTH_CLIENT_SECRET: client.secret,
  ALLOW_PRIVATE_UPSTREAMS: "127.0.0.1",
  MEDIA_DIR: films,
  CATALOG_SHARE: "public",
  RATE_LIMIT_POINTS: "20",
});
const { goodPassword } = await import("#tests/support/data/good-password.ts");
const { newMember, Visitor } = await import("#tests/support/requests/visitor.ts");
const { newSecretFor } = await import("#tests/support/data/mailed-token.ts");
const { newChild } = await import("#tests/support/requests/household.ts");
const { addPeople } = await import("#tests/support/data/people.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { createSource } = await import("#app/domain/playback/playback.server.ts");
const { makeHookSecret } = await import("#app/domain/scanning/scanning.server.ts");
const { commandLine } = await import("#app/domain/events/events.server.ts");

const png = await plainPng(40, 30, "#10a040");
const upstream = await startUpstream((received, response) => {
  if (received.url !== "/film.ts")
    return void response.writeHead(200, { "content-type": "image/png" }).end(png);
  answerFilm(received, response);
});

function answerFilm({ headers: asked }: IncomingMessage, response: ServerResponse) {
  const film = transportStream(4);
  const headers = { "content-type": "video/mp2t", "accept-ranges": "bytes", etag: '"film"' };
  if (asked["if-none-match"] === '"film"') return void response.writeHead(304, headers).end();
  const [, from = "", to = ""] = /^bytes=(\d+)-(\d*)$/.exec(asked.range ?? "") ?? [];
  if (from === "") return void response.writeHead(200, headers).end(film);
  const part = film.subarray(Number(from), to === "" ? undefined : Number(to) + 1);
  const isInside = part.length > 0;
  const last = Number(from) + part.length - 1;
  const range = isInside ? `bytes ${from}-${last}/${film.length}` : `bytes */${film.length}`;
  response.writeHead(isInside ? 206 : 416, { ...headers, "content-range": range }).end(part);
}

const title = 77_000_001;
await importTitles([
  {
    kind: "title",
    mal_id: title,
    title: "A Described Title",
    title_synonyms: ["Described"],
    type: "TV",
    episodes: 3,
    status: "Finished Airing",
    aired_from: "2020-04-03T00:00:00.000Z",
    score: 7.5,
    genres: ["Action"],
    studios: ["Sunrise"],
  },
  { kind: "title", mal_id: title + 1, title: "Another", type: "Movie" },
  { kind: "relation", from: title, to: title + 1, relation: "sequel" },
  { kind: "episode", mal_id: title, number: 1, title: "First", duration: 120 },
  { kind: "source", mal_id: title, number: 1, url: `${upstream.origin}/film.ts`, type: "mp4", label: "Film" },
  { kind: "subtitle", mal_id: title, number: 1, url: "/film/1/en.vtt", language: "en", label: "English" },
  { kind: "subtitle", mal_id: title, number: 1, url: "media:film.de.srt", language: "de" },
  { kind: "skip", mal_id: title, number: 1, segment: "intro", start: 0, end: 10 },
]);

const member = await newMember();
const ask = member.request.bind(member);
let lastUrl = "";
member.request = (url, init) => {
  lastUrl = url;
  return ask(url, init);
};
const get =
  (query = "") =>
  (path: string) =>
    member.request(`${path}${query}`);
const sends = (method: string, json?: unknown) => (path: string) =>
  member.request(path, { method, ...(json !== undefined && { json }) });
const fileOf = (text: string, type: string) => (path: string) =>
  member.request(path, { method: "POST", body: text, headers: { "Content-Type": type } });
const dataOf = async (answer: Promise<Response>) => ((await (await answer).json()) as { data: never }).data;
const onList = { animeId: title, type: "Watching", progress: 1, score: 8 };
const at = () => ({ mal_id: title, ep: 1, position: 30, duration: 120, at: new Date().toISOString() });

async function startProvider() {
  const browser = new Visitor();
  return { browser, answer: await browser.request("/api/auth/provider", { form: {} }) };
}

const madeHook = await makeHookSecret("described", commandLine);
const hookSecret = madeHook.ok ? madeHook.value.secret : "";
const hookPassword = { Authorization: `Basic ${Buffer.from(`x:${hookSecret}`).toString("base64")}` };
const sendHook = (path: string, headers: Record<string, string>) =>
  new Visitor().request(path, { method: "POST", json: { eventType: "Test" }, headers });

/** How to call each operation. The order matters, because later calls use what earlier ones created. */
const calls: Record<string, (path: string) => Promise<Response>> = {
  "POST /api/auth/signup": (path) =>
    new Visitor().request(path, {
      json: { username: "Described", email: "d@example.org", password: goodPassword },
    }),
  "POST /api/auth/signin": (path) =>
    new Visitor().request(path, { json: { email: member.email, password: goodPassword } }),
  "POST /api/auth/device": (path) => new Visitor().request(path, { method: "POST" }),
  "POST /api/auth/device/token": async (path) => {
    const screen = new Visitor();
    const answer = await screen.request("/api/auth/device", { method: "POST" });
    const { data: started } = (await answer.json()) as { data: { device_code: string; user_code: string } };
    const phone = await newMember();
    await phone.request("/link", { form: { intent: "confirm", code: started.user_code, profile: phone.id } });
    return screen.request(path, { json: { device_code: started.device_code } });
  },
  "POST /api/hooks/{program}": () => sendHook("/api/hooks/sonarr", hookPassword),
  "POST /api/auth/signout": async (path) => (await newMember()).request(path, { method: "POST" }),
  "POST /api/auth/provider": async () => (await startProvider()).answer,
  "GET /api/auth/callback": async () => {
    const { browser, answer } = await startProvider();
    const back = new URL(await consentAt(answer.headers.get("Location") ?? "", "aki", redirectUri));
    return browser.request(back.pathname + back.search);
  },
  "GET /api/auth/session": get(),
  "GET /api/auth/sessions": get(),
  "DELETE /api/auth/sessions": sends("DELETE", { others: true }),
  "POST /api/auth/tokens": sends("POST", { name: "described", scope: "read" }),
  "GET /api/auth/tokens": get(),
  "DELETE /api/auth/tokens": async (path) => {
    const [token] = (await dataOf(member.request(path))) as { id: string }[];
    return member.request(path, { method: "DELETE", json: { id: token?.id } });
  },
  "POST /api/auth/password": async (path) =>
    (await newMember()).request(path, { json: { current: goodPassword, password: "Another1!x" } }),
  "POST /api/auth/reset": sends("POST", { email: "nobody@example.org" }),
  "POST /api/auth/reset/confirm": async (path) => {
    const token = await newSecretFor(await newMember(), "reset");
    return new Visitor().request(path, { json: { token, password: "Another1!x" } });
  },
  "POST /api/auth/verify": async (path) =>
    member.request(path, { json: { token: await newSecretFor(member, "verification") } }),
  "DELETE /api/user/account": async (path) =>
    (await newMember()).request(path, { method: "DELETE", json: { password: goodPassword } }),
  "POST /api/user/watchList": sends("POST", onList),
  "PUT /api/user/watchList": sends("PUT", { ...onList, progress: 2 }),
  "GET /api/user/watchList": get(),
  "DELETE /api/user/watchList/remove": sends("DELETE", { animeId: title }),
  "POST /api/user/watchList/add": sends("POST", onList),
  "PUT /api/user/watchList/update": sends("PUT", { ...onList, progress: 2 }),
  "GET /api/user/watchList/export": get("?format=json"),
  "POST /api/user/watchList/import": async (path) =>
    fileOf(
      await (await member.request("/api/user/watchList/export?format=json")).text(),
      "application/json",
    )(path),
  "POST /api/user/watchList/import/undo": async (path) => {
    const file = await (await member.request("/api/user/watchList/export?format=json")).text();
    const other = await newMember();
    const imported = await other.request("/api/user/watchList/import", {
      method: "POST",
      body: file,
      headers: { "Content-Type": "application/json" },
    });
    const { undo } = ((await imported.json()) as { data: { undo: string } }).data;
    return other.request(path, { json: { undo } });
  },
  "POST /api/user/searchHistory": sends("POST", { query: "porch" }),
  "GET /api/user/searchHistory": get(),
  "DELETE /api/user/searchHistory": sends("DELETE"),
  "PUT /api/user/progress": (path) => member.request(path, { method: "PUT", json: at() }),
  "GET /api/user/continueWatching": get(),
  "GET /api/user/upNext": get(),
  "GET /api/user/watchHistory": async (path) => {
    await member.request("/api/user/progress", { method: "PUT", json: { ...at(), ep: 2, position: 119 } });
    return member.request(path);
  },
  "DELETE /api/user/watchHistory": sends("DELETE"),
  "POST /api/user/profile": sends("POST", {
    name: "Aki",
    last_name: "Mori",
    gender: "Other",
    favorite_animes: [title],
  }),
  "GET /api/user/profile": get(),
  "GET /api/user/profiles": get(),
  "POST /api/user/profiles/switch": sends("POST", { profile: member.id }),
  "GET /api/user/export": get(),
  "POST /api/user/import": async (path) =>
    fileOf(await (await member.request("/api/user/export")).text(), "application/json")(path),
  "POST /api/saveUserPreferences": sends("POST", { enfasiscolor: "#336699" }),
  "POST /api/saveImage": sends("POST", { name: "Aki" }),
  "POST /api/uploadImage": sends("POST", { image: png.toString("base64"), filename: "me.png" }),
  "GET /api/animes/franchise": get(`?id=${title}`),
  "GET /api/animes/full": get("?search_query=described&limit_count=2"),
  "GET /api/animes/people": async (path) => {
    await addPeople({ malId: title, personId: 1_000_000, characterId: 1_000_000 });
    return member.request(`${path}?id=${title}`);
  },
  "GET /api/animes/getAnime": get(`?id=${title}`),
  "GET /api/animes/random": get(),
  "GET /api/animes/suggest": get("?q=descr"),
  "GET /api/episodes": get(`?id=${title}`),
  "GET /api/episodes/getEpisode": get(`?mal_id=${title}&ep=1`),
  "GET /api/catalog/changes": get(),
  "GET /poster/{id}.webp": () => member.request(`/poster/${title}.webp`),
  "GET /poster/{id}.jpg": () => member.request(`/poster/${title}.jpg`),
  "GET /ipfs/{cid}": async () => {
    const image = { image: png.toString("base64"), filename: "me.png" };
    const address = (await dataOf(member.request("/api/uploadImage", { json: image }))) as string;
    return member.request(new URL(address).pathname);
  },
  "GET /api/proxy": get(`?url=${encodeURIComponent(`${upstream.origin}/a.png`)}&w=20`),
  "POST /api/proxy": (path) => member.request(path, { method: "POST", body: new Uint8Array(png) }),
  "GET /api/videoProxy": get(`?url=${encodeURIComponent(`${upstream.origin}/film.ts`)}`),
  "GET /captions/{file}": async () => {
    return member.request(await captionsOf(1));
  },
  "GET /media/{path}": () => member.request("/media/film.mp4"),
  "GET /film/{film}": async () => {
    await createSource({ malId: title, episode: 2, url: "media:film.mp4" });
    await createSource({ malId: title, episode: 2, url: "media:Playlist/all.m3u8" });
    return member.request(await filmOf(2, "mp4"));
  },
  "GET /film/{film}/{part}": async () => {
    return member.request(await partOf(2));
  },
  "GET /film/{film}/open.m3u": async () => member.request(`${await filmOf(2, "mp4")}/open.m3u`),
  "PUT /api/user/trackChoice": sends("PUT", { mal_id: title, sound: "en", subtitles: "off" }),
  "GET /play/{film}/{version}/{name}": async () => {
    await createSource({ malId: title, episode: 3, url: "media:packaged.mkv" });
    return member.request(await packagedOf(3));
  },
  "GET /healthz": get(),
  "GET /readyz": get(),
  "GET /api/openapi.json": get(),
  "DELETE /api/user/watchList": sends("DELETE", { animeId: title }),
};

/** The address of the episode's film of this type, served unchanged. */
async function filmOf(episode: number, type: string): Promise<string> {
  const found = await dataOf(member.request(`/api/episodes/getEpisode?mal_id=${title}&ep=${episode}`));
  const sources = (found as { sources: { url: string; type: string }[] }).sources;
  const paths = sources.filter((one) => one.type === type).map(({ url }) => new URL(url).pathname);
  return paths.find((path) => path.startsWith("/film/")) ?? "";
}

async function partOf(episode: number): Promise<string> {
  const film = await filmOf(episode, "hls");
  const playlist = await (await member.request(film)).text();
  const name = playlist.split("\n").find((line) => line.endsWith(".ts")) ?? "";
  return new URL(name, site + film).pathname;
}

async function captionsOf(episode: number): Promise<string> {
  const found = await dataOf(member.request(`/api/episodes/getEpisode?mal_id=${title}&ep=${episode}`));
  const [, { url }] = (found as { subtitles: [unknown, { url: string }] }).subtitles;
  return new URL(url).pathname;
}

async function packagedOf(episode: number): Promise<string> {
  const found = await dataOf(member.request(`/api/episodes/getEpisode?mal_id=${title}&ep=${episode}`));
  return new URL((found as { video_url: string }).video_url).pathname;
}

const document = (await (await member.request("/api/openapi.json")).json()) as ApiDocument;
const { paths } = withoutReferences(document);
const operations = operationsOf(document);
const inOrder = Object.keys(calls);
operations.sort((a, b) => inOrder.indexOf(a.call) - inOrder.indexOf(b.call));

test("every documented operation is called here, and nothing else", () => {
  expect(new Set(operations.map(({ call }) => call))).toEqual(new Set(inOrder));
});

/** The URL with which each operation succeeded, for later requests with other headers. */
const urls = new Map<ListedOperation, string>();

test.each(operations)("$call at $path answers what it declares", async (operation) => {
  const { path, described, call } = operation;
  const response = (await calls[call]?.(path)) as Response;
  urls.set(operation, lastUrl);
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(String(response.status), bytes.subarray(0, 500).toString()).toBe(
    Object.keys(described.responses).at(0),
  );
  expect(complaintsAbout(described, response, bytes)).toEqual([]);
});

const callOf = (operation: ListedOperation, headers: Record<string, string>) =>
  member.request(urls.get(operation) ?? "", { headers });
const takesBody = ({ described }: ListedOperation) => described.requestBody !== undefined;
const csv = (method: string) => ({
  method,
  body: "a,b",
  headers: { "Content-Type": "text/csv" },
});

/** A hook reads neither the query nor the body of a request without its secret. */
const requestAs = (
  visitor: InstanceType<typeof Visitor>,
  path: string,
  options: { method: string; body?: string; headers?: object },
) =>
  visitor.request(path.replace("{secret}", hookSecret), {
    ...options,
    headers: { ...options.headers, ...(path.startsWith("/api/hooks/") && hookPassword) },
  });

test.each(operations.filter(({ path }) => path.startsWith("/api/")))(
  "$method $path declares the 400 for a query that cannot be stored",
  async (operation) => {
    const { method, path } = operation;
    await expectDeclared(operation, requestAs(member, `${path}?text=%00`, { method }), 400);
  },
);

test.each(operations.filter(isGuarded))(
  "$method $path declares the 401 without a session",
  async (operation) => {
    await expectDeclared(operation, new Visitor().request(operation.path, { method: operation.method }), 401);
  },
);

test.each(operations.filter(({ described }) => described.security.some((one) => "token" in one)))(
  "$method $path declares the 401 for a wrong token",
  async (operation) => {
    const headers = { Authorization: "Bearer wrong" };
    const url = operation.path.startsWith("/api/user/") ? operation.path : (urls.get(operation) ?? "");
    await expectDeclared(operation, new Visitor().request(url, { method: operation.method, headers }), 401);
  },
);

test.each(operations.filter(({ method }) => method !== "GET"))(
  "$method $path declares the 403 for another site",
  async (operation) => {
    const headers = { Origin: "https://other.example" };
    await expectDeclared(
      operation,
      member.request(operation.path, { method: operation.method, headers }),
      403,
    );
  },
);

test("every 403 for the profile of a child is declared", async () => {
  const { child } = await newChild("g");
  const refused: string[] = [];
  for (const operation of operations.filter(({ method }) => method === "GET")) {
    const answer = await child.request(urls.get(operation) ?? "");
    if (answer.status !== 403) continue;
    await expectDeclared(operation, answer, 403);
    refused.push(operation.path);
  }
  expect(refused).toEqual(expect.arrayContaining(["/api/auth/sessions", "/api/catalog/changes"]));
});

test.each(operations.filter(takesBody))(
  "$method $path declares the 413 for a body over its limit",
  async (operation) => {
    const { method, path, described } = operation;
    const [type = ""] = Object.keys(described.requestBody?.content ?? {});
    const headers = { "Content-Type": type.replace("/*", "/png"), "Content-Length": String(2 ** 30) };
    // This test has its own account, because all operations together exceed one account's limit per minute.
    const visitor = await newMember();
    await expectDeclared(operation, requestAs(visitor, path, { method, body: "{}", headers }), 413);
  },
);

test.each(operations.filter((one) => takesBody(one) && one.path !== "/api/proxy"))(
  "$method $path declares the 415 for a body of another type",
  async (operation) => {
    const visitor = await newMember();
    await expectDeclared(operation, requestAs(visitor, operation.path, csv(operation.method)), 415);
  },
);

test("a hook declares the 202 for a file that is searched", async () => {
  for (const operation of operations.filter(({ call }) => call === "POST /api/hooks/{program}")) {
    const named = { path: "/downloads/Unknown/05.mkv" };
    const url = operation.path.replace("{program}", "scan").replace("{secret}", hookSecret);
    await expectDeclared(operation, new Visitor().request(url, { json: named, headers: hookPassword }), 202);
  }
});

const declares = (status: number) => (one: ListedOperation) => status in one.described.responses;

test.each(operations.filter(declares(429)))(
  "$method $path declares the 429 over its limit",
  async (operation) => {
    const visitor = new Visitor();
    const send = () => visitor.request(operation.path, { method: operation.method });
    const first = await send();
    const limit = Number(first.headers.get("X-RateLimit-Limit"));
    for (let sent = 1; sent < limit; sent++) await (await send()).arrayBuffer();
    await expectDeclared(operation, send(), 429);
  },
);

test.each(operations.filter((one) => declares(302)(one) && one.method === "POST"))(
  "$method $path declares the 302 for a form",
  async (operation) => {
    const visitor = await newMember();
    await expectDeclared(operation, visitor.request(operation.path, { form: { email: "nobody" } }), 302);
  },
);

test.each(operations.filter((one) => declares(304)(one)))(
  "$method $path declares the 304 for a known tag",
  async (operation) => {
    const send = (headers = {}) => callOf(operation, headers);
    const first = await send();
    await first.arrayBuffer();
    const tag = first.headers.get("ETag") ?? "";
    await expectDeclared(operation, send({ "If-None-Match": tag }), 304);
  },
);

test.each(operations.filter(declares(206)))(
  "$method $path declares the 206 and the 416 of ranges",
  async (operation) => {
    await expectDeclared(operation, callOf(operation, { Range: "bytes=0-9" }), 206);
    await expectDeclared(operation, callOf(operation, { Range: "bytes=99999999-" }), 416);
  },
);

test("the page /api shows each operation once, by its first path", async () => {
  const html = await (await new Visitor().request("/api")).text();
  const firsts = operations.filter(({ described }) => described["x-alias-of"] === undefined);
  expect(html.match(/class="api-entry"/g)).toHaveLength(firsts.length);
  expect(html).not.toMatch(/<[a-z]+[^>]*\sstyle=/i);
});

test("the cookie scheme has the name of the session cookie", () => {
  expect([...member.cookies.keys()]).toContain(document.components.securitySchemes?.session?.name);
});

test("a query parameter is declared as the number, switch, word or list that it is, and required if it is", () => {
  const parametersOf = (path: string) =>
    Object.fromEntries((paths[path]?.get?.parameters ?? []).map((one) => [one.name, one]));
  const { genre_filter, score_filter, page_number, playable, order_by } = parametersOf("/api/animes/full");
  expect(genre_filter).toMatchObject({ style: "form", explode: false, required: false });
  expect(genre_filter?.schema).toMatchObject({
    type: "array",
    items: { enum: expect.arrayContaining(["Action"]) },
  });
  expect(score_filter?.schema).toMatchObject({ type: "number", minimum: 0, maximum: 10 });
  expect(page_number?.schema).toMatchObject({ type: "integer", minimum: 1 });
  expect(playable?.schema).toEqual({ type: "boolean" });
  expect(order_by?.schema).toMatchObject({ enum: expect.arrayContaining(["newest"]) });
  const { id, mal_id } = parametersOf("/api/animes/getAnime");
  expect([id?.required, mal_id?.required, mal_id?.deprecated]).toEqual([true, false, true]);
  expect(parametersOf("/api/proxy").url?.required).toBe(true);
  expect(parametersOf("/api/videoProxy").url?.required).toBe(true);
});

test("the bodies of uploads are declared as they are sent", () => {
  const bodyOf = (path: string) => paths[path]?.post?.requestBody?.content ?? {};
  const file = { type: "string", format: "binary" };
  const picture = bodyOf("/api/uploadImage");
  expect(picture["multipart/form-data"]?.schema.properties).toMatchObject({ image: file });
  expect(picture["application/json"]?.schema.properties?.image?.anyOf).toContainEqual({
    type: "string",
    contentEncoding: "base64",
  });
  for (const path of ["/api/user/import", "/api/user/watchList/import"]) {
    expect(bodyOf(path)["multipart/form-data"]?.schema).toMatchObject({
      properties: { file },
      required: ["file"],
    });
    expect(bodyOf(path)["application/gzip"]?.schema).toEqual(file);
  }
  expect(bodyOf("/api/proxy")["image/*"]?.schema).toEqual(file);
});

test("the title ids of a body are required under their first name", () => {
  const schema = paths["/api/user/watchList"]?.post?.requestBody?.content["application/json"]?.schema;
  expect(schema?.required?.toSorted()).toEqual(["animeId", "type"]);
});

test("a color is declared in all spellings that are accepted", () => {
  const { schema } = paths["/api/saveUserPreferences"]?.post?.requestBody?.content["application/json"] ?? {};
  expect("#0057E7").toMatch(new RegExp(String(schema?.properties?.enfasiscolor?.pattern)));
});

test("every answer with data refers to a named schema", () => {
  const unnamed = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) => {
      const answer = JSON.stringify(responses[200]?.content?.["application/json"]?.schema ?? {});
      return answer.includes('"data"') && !answer.includes("#/components/schemas/")
        ? [`${method.toUpperCase()} ${path}`]
        : [];
    }),
  );
  // The answer's data is the picture's URL.
  expect(unnamed).toEqual(["POST /api/uploadImage"]);
});
