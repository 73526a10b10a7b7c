import type { IncomingHttpHeaders } from "node:http";
import { eq } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { tool } from "#app/cli/sources.ts";
import { watchCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import * as playback from "#app/domain/playback/playback.server.ts";
import * as proxyDoor from "#app/domain/proxy/proxy.server.ts";
import { log } from "#app/platform/log.server.ts";
import { connectAlone, db } from "#db/client.server.ts";
import { sourceHeaders } from "#db/schema/episodes.ts";
import { exportedText } from "#tests/support/data/catalog-text.ts";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { transportStream } from "#tests/support/data/film-bytes.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";
import { request } from "#tests/support/site/in-process.ts";
import { runToolInProcess } from "#tests/support/site/tools-in-process.ts";

/** An operator gives a source request headers. Only the source's host gets them, and no viewer sees them. */

const film = transportStream(40);
const given = {
  Referer: "https://page.example/",
  Origin: "https://page.example",
  "User-Agent": "Films/1.0",
  Cookie: "sid=operator-secret",
  Authorization: "Bearer operator-secret",
};
const names = ["referer", "origin", "user-agent", "cookie", "authorization"] as const;
const all = Object.values(given);
const none = [undefined, undefined, "Mozilla/5.0 (compatible; Engawa)", undefined, undefined];

const stopWatching = await watchCatalog();
afterAll(stopWatching);

type Seen = { path: string; query: string; method: string; headers: IncomingHttpHeaders };
let seen: Seen[] = [];
beforeEach(() => {
  seen = [];
});
const receivedAt = (path: string) => {
  const hop = seen.findLast((one) => one.path === path);
  return hop && names.map((name) => hop.headers[name]);
};

/** Sends a film, a playlist or a redirect as the path says. Paths under /closed/ need the operator's cookie. */
const start = (host: string) =>
  startUpstream(({ url = "", method = "", headers }, response) => {
    const { pathname, search, searchParams } = new URL(url, "http://x");
    seen.push({ path: `${host}${pathname}`, query: search, method, headers });
    const cookie = headers.cookie ?? "";
    if (pathname.startsWith("/closed/") && !cookie.includes("operator-secret"))
      return response.writeHead(403).end();
    const to = searchParams.get("to");
    if (to !== null) {
      const setCookie = `${host}=1; Path=/`;
      return response.writeHead(302, { location: to, "set-cookie": setCookie }).end();
    }
    if (pathname.endsWith(".m3u8")) return response.end(playlists[pathname] ?? "#EXTM3U\n");
    const range = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "");
    if (!range) return response.writeHead(200, { "set-cookie": "late=1" }).end(film);
    const [first, last] = [Number(range[1]), Number(range[2])];
    response
      .writeHead(206, { "content-range": `bytes ${first}-${last}/${film.length}` })
      .end(film.subarray(first, last + 1));
  });

const own = await start("own");
const other = await start("other");
const playlists: Record<string, string> = {
  "/closed/master.m3u8": `#EXTM3U
#EXT-X-STREAM-INF:BANDWIDTH=1
media.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=2
${other.origin}/media.m3u8
`,
  "/closed/media.m3u8": `#EXTM3U
#EXT-X-TARGETDURATION:4
#EXT-X-KEY:METHOD=AES-128,URI="key"
#EXTINF:4,
0.ts
#EXTINF:4,
${other.origin}/1.ts
#EXT-X-ENDLIST
`,
  "/media.m3u8": `#EXTM3U\n#EXTINF:4,\n${own.origin}/closed/0.ts\n#EXT-X-ENDLIST\n`,
};

type Change = Parameters<typeof playback.updateSourceHeaders>[1];

type Key = { malId: number; episode: number };
type Listed = { url: string };
type EpisodeJson = { video_url: string; sources: Listed[]; subtitles: Listed[] };

async function episodeJson({ malId, episode }: Key): Promise<EpisodeJson> {
  const answer = await request(`/api/episodes/getEpisode?mal_id=${malId}&ep=${episode}`);
  return ((await answer.json()) as { data: EpisodeJson }).data;
}

/** The URL that a player loads, without the origin. */
async function addressOf(episode: Key): Promise<string> {
  const [source] = (await episodeJson(episode)).sources;
  const { pathname, search } = new URL(source?.url ?? "");
  return pathname + search;
}

/** Registers a source with headers and returns the URL that its player loads. */
async function register(url: string, headers: Change = given) {
  const episode = { malId: await someTitle({ episodes: 3 }), episode: 1 };
  const created = await playback.createSource({ ...episode, url }, headers);
  if (!created.ok) throw new Error(created.message);
  const page = await (await request(`/watch/${episode.malId}/1`)).text();
  const address = await addressOf(episode);
  expect(page).toContain(address.replaceAll("&", "\\u0026"));
  return { id: created.value.id, episode, address, page };
}

async function expectRefusal(answer: Response, words: RegExp) {
  expect([answer.status, await answer.json()]).toEqual([
    400,
    { error: expect.stringMatching(words), status: 400 },
  ]);
  expect(answer.headers.get("Cache-Control")).toBe("no-store");
}

const linesOf = async (address: string) =>
  (await (await request(address)).text()).split("\n").filter((line) => line.startsWith("/api/videoProxy"));
const proxied = (url: string) => `/api/videoProxy?url=${encodeURIComponent(url)}`;

describe("who gets the headers of a source", () => {
  test("the source's own host gets them for the playlist, its children, keys, ranges and HEAD requests", async () => {
    const { address } = await register(`${own.origin}/closed/master.m3u8`);
    const [media = "", away = ""] = await linesOf(address);
    expect(receivedAt("own/closed/master.m3u8")).toEqual(all);
    const body = await (await request(media)).text();
    const key = /URI="([^"]+)"/.exec(body)?.[1] ?? "";
    const [segment = "", foreign = ""] = body.split("\n").filter((line) => line.startsWith("/api"));
    for (const child of [key, segment]) expect((await request(child)).status).toBe(200);
    expect(receivedAt("own/closed/key")).toEqual(all);
    expect(receivedAt("own/closed/0.ts")).toEqual(all);
    const part = await request(segment, { headers: { Range: "bytes=10-19" } });
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, film.subarray(10, 20)]);
    expect((await request(segment, { method: "HEAD" })).status).toBe(200);
    expect(seen.findLast(({ path }) => path === "own/closed/0.ts")?.method).toBe("HEAD");
    expect(receivedAt("own/closed/0.ts")).toEqual(all);

    expect((await request(foreign)).status).toBe(200);
    expect(receivedAt("other/1.ts")).toEqual(none);
    const [back = ""] = await linesOf(away);
    expect(receivedAt("other/media.m3u8")).toEqual(none);
    // Another host's playlist must not choose what is fetched with the operator's credentials.
    expect((await request(back)).status).toBe(500);
    expect(receivedAt("own/closed/0.ts")).toEqual(none);
  });

  test("the same address without the reference gets no headers, also from caches", async () => {
    const url = `${own.origin}/closed/media.m3u8`;
    const { address } = await register(url);
    const answer = await request(address);
    expect([answer.status, answer.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
    expect(answer.headers.getSetCookie()).toEqual([]);
    const [segment = ""] = await linesOf(address);
    const bytes = await request(segment);
    expect([bytes.status, bytes.headers.get("Cache-Control")]).toEqual([200, "private, max-age=86400"]);
    expect(bytes.headers.getSetCookie()).toEqual([]);
    for (const open of [url, `${own.origin}/closed/0.ts`]) {
      expect((await request(proxied(open))).status).toBe(500);
      expect((await request(address.replace(/&source=.*/, ""))).status).toBe(500);
    }
    expect(receivedAt("own/closed/0.ts")).toEqual(none);
  });

  test("a reference for another path, another host or another source gets 400 without a request", async () => {
    const { address } = await register(`${own.origin}/closed/media.m3u8`);
    const stranger = await register(`${other.origin}/x.ts`, { Cookie: "sid=of-another" });
    seen = [];
    const [, reference = ""] = address.split("&source=");
    const forged = reference.replace(/^[^.]+/, stranger.id);
    for (const changed of [
      `${proxied(`${own.origin}/closed/account`)}&source=${reference}`,
      `${proxied(`${other.origin}/media.m3u8`)}&source=${reference}`,
      `${proxied(`${own.origin}/closed/media.m3u8`)}&source=${forged}`,
      `${proxied(`${own.origin}/closed/media.m3u8`)}&source=${stranger.id}`,
      `${address}&define=a%3D1`,
      `${address}x`,
    ]) {
      await expectRefusal(await request(changed), /Load the page of the episode again/);
    }
    expect(seen).toEqual([]);
  });

  test("a redirect that leaves the server drops them, and one that comes back does not add them again", async () => {
    // Cookies do not distinguish ports (RFC 6265, 8.5), so both servers get each other's cookies, but never the
    // operator's.
    const noneBut = (cookie: string) => [...none.slice(0, 3), cookie, ...none.slice(4)];
    const away = `${other.origin}/film.ts`;
    await request((await register(`${own.origin}/start?to=${encodeURIComponent(away)}`)).address);
    expect(receivedAt("own/start")).toEqual(all);
    expect(receivedAt("other/film.ts")).toEqual(noneBut("own=1"));
    const home = `${other.origin}/gate?to=${encodeURIComponent(`${own.origin}/closed/film.ts`)}`;
    const { address } = await register(`${own.origin}/start?to=${encodeURIComponent(home)}`);
    await request(address);
    expect(receivedAt("other/gate")).toEqual(noneBut("own=1"));
    expect(receivedAt("own/closed/film.ts")).toEqual(noneBut("own=1; other=1"));
  });

  test("a cookie set by a redirect is sent back to its host in that chain only, and never to the host of the open proxy", async () => {
    const url = `${own.origin}/start?to=/film.ts`;
    const { address } = await register(url, { "User-Agent": "Films/1.0" });
    expect((await request(address)).headers.getSetCookie()).toEqual([]);
    expect(receivedAt("own/film.ts")?.[3]).toBe("own=1");
    await request(address);
    expect(receivedAt("own/start")?.[3]).toBeUndefined();
    await request(proxied(url));
    expect(receivedAt("own/film.ts")).toEqual(none);
  });
});

describe("what players get", () => {
  test("the JSON gives an absolute address that plays, and a source without headers keeps its own", async () => {
    const { episode } = await register(`${own.origin}/closed/media.m3u8`);
    const open = `${own.origin}/film.ts`;
    await playback.createSource({ ...episode, url: open });
    const json = await episodeJson(episode);
    const [closed, plain] = json.sources.map(({ url }) => url);
    expect(plain).toBe(open);
    expect([json.video_url, closed]).toEqual([
      closed,
      expect.stringMatching(/^https?:\/\/[^/]+\/api\/videoProxy\?url=/),
    ]);
    const answer = await request(`/api/episodes?id=${episode.malId}`);
    const { data } = (await answer.json()) as { data: EpisodeJson[] };
    expect(data[0]).toEqual(json);
    const [segment = ""] = await linesOf(closed?.replace(/^https?:\/\/[^/]+/, "") ?? "");
    expect((await request(segment)).status).toBe(200);
    expect(receivedAt("own/closed/0.ts")).toEqual(all);
  });

  test("subtitles on the source's server are fetched with its headers, and others without", async () => {
    const { episode } = await register(`${own.origin}/closed/media.m3u8`);
    const elsewhere = `${other.origin}/en.vtt`;
    for (const [language, url] of [
      ["en", `${own.origin}/closed/en.vtt`],
      ["de", elsewhere],
      ["fr", "/film/fr.vtt"],
    ] as const)
      expect(await playback.createSubtitles({ ...episode, language, url })).toMatchObject({ ok: true });
    const [closed = "", foreign, local] = (await episodeJson(episode)).subtitles.map(({ url }) => url);
    expect([foreign, local]).toEqual([elsewhere, expect.stringMatching(/^https?:\/\/[^/]+\/film\/fr\.vtt$/)]);
    const { pathname, search } = new URL(closed);
    const page = await (await request(`/watch/${episode.malId}/1`)).text();
    expect(page).toContain((pathname + search).replaceAll("&", "\\u0026"));
    expect((await request(pathname + search)).status).toBe(200);
    expect(receivedAt("own/closed/en.vtt")).toEqual(all);
  });

  test("only the parameters that HLS defines are added to the source's address", async () => {
    const { address } = await register(`${own.origin}/closed/media.m3u8`);
    const added = "&_HLS_msn=3&_HLS_token=x&_HLS_msn=4&_HLS_skip=no&_HLS_pathway=../x&account=1";
    expect((await request(address + added)).status).toBe(200);
    expect(seen.at(-1)?.query).toBe("?_HLS_msn=3");
  });
});

describe("what is kept and shown", () => {
  test("values are encrypted in the database, and no page, JSON or export holds them", async () => {
    const { id, episode, page } = await register(`${own.origin}/closed/media.m3u8`);
    const rows = await db.select().from(sourceHeaders).where(eq(sourceHeaders.sourceId, id));
    expect(rows).toHaveLength(5);
    const json = await (await request(`/api/episodes/getEpisode?mal_id=${episode.malId}&ep=1`)).text();
    const exported = await exportedText();
    expect(exported).toContain("/closed/media.m3u8");
    for (const text of [JSON.stringify(rows), json, page, exported])
      for (const value of [...all, "operator-secret"]) expect(text).not.toContain(value);
    const shown = (await proxyDoor.listSourceHeaders(episode)).get(id);
    expect(shown?.map(({ name, value }) => [name, value])).toEqual([
      ["Authorization", null],
      ["Cookie", null],
      ["Origin", given.Origin],
      ["Referer", given.Referer],
      ["User-Agent", given["User-Agent"]],
    ]);
  });

  test("a source that moves to another host loses its headers, and one that stays keeps them", async () => {
    const { id, episode } = await register(`${own.origin}/closed/0.ts`);
    expect(await playback.updateSource(id, { url: `${own.origin}/closed/1.ts` })).toEqual({
      ok: true,
      value: { losesHeaders: false },
    });
    await request(await addressOf(episode));
    expect(receivedAt("own/closed/1.ts")).toEqual(all);
    expect(await playback.updateSource(id, { url: `${other.origin}/1.ts` })).toEqual({
      ok: true,
      value: { losesHeaders: true },
    });
    expect((await proxyDoor.listSourceHeaders(episode)).size).toBe(0);
    expect((await episodeJson(episode)).sources[0]?.url).toBe(`${other.origin}/1.ts`);
  });

  test("a value that no secret decrypts is not sent, and the log names the source", async () => {
    const warned = vi.spyOn(log, "warnOnce").mockReturnValue();
    const { id, episode, address } = await register(`${own.origin}/film.ts`, { Referer: given.Referer });
    await db.update(sourceHeaders).set({ encryptedValue: "lost" }).where(eq(sourceHeaders.sourceId, id));
    expect((await request(address)).status).toBe(200);
    expect(receivedAt("own/film.ts")).toEqual(none);
    expect(warned).toHaveBeenCalledWith(expect.anything(), expect.stringContaining("cannot be decrypted"), {
      source: id,
      header: "Referer",
    });
    warned.mockRestore();
    expect((await proxyDoor.listSourceHeaders(episode)).get(id)).toEqual([
      { name: "Referer", value: null, isReadable: false },
    ]);
  });

  test("headers of a deleted source are deleted, and none of its addresses can be used any more", async () => {
    const { id, address } = await register(`${own.origin}/closed/media.m3u8`);
    const [segment = ""] = await linesOf(address);
    expect((await request(segment)).status).toBe(200);
    expect(await playback.deleteSource(id)).toMatchObject({ ok: true });
    expect(await db.select().from(sourceHeaders).where(eq(sourceHeaders.sourceId, id))).toEqual([]);
    seen = [];
    for (const gone of [address, segment]) await expectRefusal(await request(gone), /expired/);
    expect(seen).toEqual([]);
  });

  test("a removed or changed header is no longer sent as soon as the change is saved", async () => {
    const { id, address } = await register(`${own.origin}/film.ts`);
    await request(address);
    await playback.updateSourceHeaders(
      id,
      { Cookie: null, Referer: "https://new.example/" },
      { kind: "command", ip: null },
    );
    await request(address);
    expect(receivedAt("own/film.ts")).toEqual([
      "https://new.example/",
      ...all.slice(1, 3),
      undefined,
      all[4],
    ]);
  });

  test("a change or deletion by another process soon takes effect", async () => {
    const { id, address } = await register(`${own.origin}/film.ts`, {
      Referer: given.Referer,
      Cookie: "a=1",
    });
    await request(address);
    const sql = await connectAlone("another process");
    await sql.begin((begun) => [
      begun`delete from source_headers where source_id = ${id} and name = 'Cookie'`,
      begun`update catalog_state set version = version + 1`,
    ]);
    const cookie = async () => {
      await request(address);
      return receivedAt("own/film.ts")?.[3];
    };
    await expect.poll(cookie, { interval: 200 }).toBeUndefined();
    expect(receivedAt("own/film.ts")?.[0]).toBe(given.Referer);
    await sql`delete from episode_sources where id = ${id}`;
    await sql`update catalog_state set version = version + 1`;
    const status = async () => (await request(address)).status;
    await expect.poll(status, { interval: 200 }).toBe(400);
    await sql.end();
  });

  test.each([
    ["media:Show/1.mp4", { Referer: "https://a.test/" }, /http or https/],
    ["https://a.test/1.mp4", { Referer: "a\r\nb" }, /^Referer: /],
    ["https://a.test/1.mp4", { Cookie: "é" }, /^Cookie: /],
    ["https://a.test/1.mp4", { Cookie: "x".repeat(4001) }, /^Cookie: /],
  ])("for %s, the headers %j are invalid and the source is not created", async (url, headers, words) => {
    const episode = { malId: await someTitle({ episodes: 1 }), episode: 1 };
    const outcome = await playback.createSource({ ...episode, url }, headers);
    expect(outcome).toMatchObject({ ok: false, message: expect.stringMatching(words) });
    expect(await playback.listSources(episode)).toEqual([]);
  });

  test("the command line sets, lists and removes headers, and prints no secret", async () => {
    const { id, address } = await register(`${own.origin}/film.ts`, { Origin: "https://page.example" });
    const set = ["headers", id, "--header", "referer: https://page.example/", "--header", "Origin:"];
    const changed = await runToolInProcess(
      tool,
      [...set, "--header-file", "-"],
      "Cookie: sid=operator-secret\n",
    );
    expect(changed).toMatchObject({
      code: 0,
      stdout: "Cookie: (set, not shown)\nReferer: https://page.example/\n",
    });
    await request(address);
    expect(receivedAt("own/film.ts")).toEqual([
      "https://page.example/",
      undefined,
      none[2],
      given.Cookie,
      undefined,
    ]);
    const listed = await runToolInProcess(tool, ["list"]);
    expect(listed.stdout).toContain("(headers: Cookie, Referer)");
    expect(listed.stdout).not.toContain("operator-secret");
    expect((await runToolInProcess(tool, ["address", id])).stdout.trim()).toBe(address);
    const refused = runToolInProcess(tool, ["headers", id, "--header", "X-Key: operator-secret"]);
    await expect(refused).resolves.toMatchObject({ code: 2, stderr: expect.not.stringContaining("secret") });
  });
});
