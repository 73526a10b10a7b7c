import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import { complaintsAgainst } from "#tests/support/checks/schema-checker.ts";
import { transportStream } from "#tests/support/data/film-bytes.ts";
import { client, consentAt, startIdentityProvider } from "#tests/support/servers/identity-provider.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";

/** Calls every operation of /api/openapi.json once and compares the answer with the declaration. */

const site = "http://localhost:3000";
const redirectUri = `${site}/api/auth/callback`;
const provider = await startIdentityProvider(redirectUri);
provider.people.set("aki", { email: "aki@example.org", email_verified: true, name: "Aki" });
const films = mkdtempSync(join(tmpdir(), "engawa-films-"));
writeFileSync(join(films, "film.mp4"), transportStream(4));
Object.assign(process.env, {
  PUBLIC_URL: site,
  OAUTH_ISSUER: provider.issuer,
  OAUTH_CLIENT_ID: client.id,
  OAUTH_CLIENT_SECRET: client.secret,
  ALLOW_PRIVATE_UPSTREAMS: "127.0.0.1",
  MEDIA_DIR: films,
});
const { goodPassword } = await import("#tests/support/data/good-password.ts");
const { newMember, Visitor } = await import("#tests/support/requests/visitor.ts");
const { newSecretFor } = await import("#tests/support/data/mailed-token.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");

type Content = Record<string, { schema: Record<string, unknown> }>;
type Described = { responses: Record<string, { content: Content }>; "x-alias-of"?: string };
type Document = { paths: Record<string, Record<string, Described>> };

const png = await sharp({ create: { width: 40, height: 30, channels: 3, background: "#10a040" } })
  .png()
  .toBuffer();
const upstream = await startUpstream((received, response) =>
  received.url === "/film.ts"
    ? response.writeHead(200, { "content-type": "video/mp2t" }).end(transportStream(4))
    : response.writeHead(200, { "content-type": "image/png" }).end(png),
);

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
  { kind: "skip", mal_id: title, number: 1, segment: "intro", start: 0, end: 10 },
]);

const member = await newMember();
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

async function startProvider(browser = new Visitor()) {
  return { browser, answer: await browser.request("/api/auth/provider", { form: {} }) };
}

/** How to call each operation. The order matters, because later calls use what earlier ones created. */
const calls: Record<string, (path: string) => Promise<Response>> = {
  "POST /api/auth/signup": (path) =>
    new Visitor().request(path, {
      json: { username: "Described", email: "d@example.org", password: goodPassword },
    }),
  "POST /api/auth/signin": (path) =>
    new Visitor().request(path, { json: { email: member.email, password: goodPassword } }),
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
  "GET /api/user/export": get(),
  "POST /api/user/import": async (path) =>
    fileOf(await (await member.request("/api/user/export")).text(), "application/json")(path),
  "POST /api/saveUserPreferences": sends("POST", { enfasiscolor: "#336699" }),
  "POST /api/saveImage": sends("POST", { name: "Aki" }),
  "POST /api/uploadImage": sends("POST", { image: png.toString("base64"), filename: "me.png" }),
  "GET /api/animes/full": get("?search_query=described&limit_count=2"),
  "GET /api/animes/getAnime": get(`?id=${title}`),
  "GET /api/animes/random": get(),
  "GET /api/animes/suggest": get("?q=descr"),
  "GET /api/episodes": get(`?id=${title}`),
  "GET /api/episodes/getEpisode": get(`?mal_id=${title}&ep=1`),
  "GET /poster/{id}.webp": () => member.request(`/poster/${title}.webp`),
  "GET /ipfs/{cid}": async () => {
    const image = { image: png.toString("base64"), filename: "me.png" };
    const address = (await dataOf(member.request("/api/uploadImage", { json: image }))) as string;
    return member.request(new URL(address).pathname);
  },
  "GET /api/proxy": get(`?url=${encodeURIComponent(`${upstream.origin}/a.png`)}&w=20`),
  "POST /api/proxy": (path) => member.request(path, { method: "POST", body: new Uint8Array(png) }),
  "GET /api/videoProxy": get(`?url=${encodeURIComponent(`${upstream.origin}/film.ts`)}`),
  "GET /media/{path}": () => member.request("/media/film.mp4"),
  "GET /healthz": get(),
  "GET /readyz": get(),
  "GET /api/openapi.json": get(),
  "DELETE /api/user/watchList": sends("DELETE", { animeId: title }),
};

const { paths } = (await (await member.request("/api/openapi.json")).json()) as Document;
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, described]) => ({
    path,
    described,
    call: `${method.toUpperCase()} ${described["x-alias-of"] ?? path}`,
  })),
);
const inOrder = Object.keys(calls);
operations.sort((a, b) => inOrder.indexOf(a.call) - inOrder.indexOf(b.call));

test("every documented operation is called here, and nothing else", () => {
  expect(new Set(operations.map(({ call }) => call))).toEqual(new Set(inOrder));
});

test.each(operations)("$call at $path answers what it declares", async ({ path, described, call }) => {
  const response = (await calls[call]?.(path)) as Response;
  const declared = described.responses[response.status];
  const text = Buffer.from(await response.arrayBuffer());
  expect(Object.keys(described.responses).slice(0, 1), text.subarray(0, 500).toString()).toEqual([
    String(response.status),
  ]);
  if (response.status === 302) return;
  const type = response.headers.get("Content-Type")?.split(";")[0] ?? "";
  const offered = Object.keys(declared?.content ?? {});
  expect(offered.some((one) => one === type || one === type.replace(/\/.*/, "/*"))).toBe(true);
  const schema = declared?.content[type]?.schema;
  if (type === "application/json" && schema && schema.format !== "binary")
    expect(complaintsAgainst(schema, JSON.parse(text.toString()))).toEqual([]);
});

test("the page /api shows each operation once, by its first path", async () => {
  const html = await (await new Visitor().request("/api")).text();
  const firsts = operations.filter(({ described }) => described["x-alias-of"] === undefined);
  expect(html.match(/class="api-entry"/g)).toHaveLength(firsts.length);
  expect(html).not.toMatch(/<[a-z]+[^>]*\sstyle=/i);
});
