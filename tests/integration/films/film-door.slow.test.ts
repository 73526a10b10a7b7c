import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { transportStream } from "#tests/support/data/film-bytes.ts";
import type { Member } from "#tests/support/requests/visitor.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** Films are for members, unless FILMS says otherwise: who gets them, and that visitors cannot learn which films exist. */

/** Appears in every name in the folder, and nowhere else. */
const word = "zqxjkvunlikely";
const folder = temporaryFolder("door");
process.env.MEDIA_DIR = folder;
process.env.FILMS = "members";
process.env.PUBLIC_CACHE = "1";
process.env.RATE_LIMIT_POINTS = "10000";
const { request, origin } = await import("#tests/support/site/in-process.ts");
const { newMember, newOperator, Visitor } = await import("#tests/support/requests/visitor.ts");
const { dataOf } = await import("#tests/support/requests/response-data.ts");
const { stepsFor } = await import("#tests/support/requests/site-walk.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { createSource, createSubtitles } = await import("#app/domain/playback/playback.server.ts");
const { db } = await import("#db/client.server.ts");
const { users } = await import("#db/schema/accounts.ts");
const { eq } = await import("drizzle-orm");

type EpisodeJson = {
  sources: { url: string; type: string }[];
  subtitles: { url: string }[];
  video_url: string | null;
  skip: unknown[];
  chapters: unknown[];
};

const malId = 1;
const adultId = 710_002;
const demonstrationId = 900_000_001;
const film = transportStream(300);
const episodePath = (id: number, episode: number) => `/api/episodes/getEpisode?mal_id=${id}&ep=${episode}`;
const pathOf = (url: string) => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};
let member: Member;
/** A path of each kind that serves bytes of a film. */
let filmPaths: Record<string, string>;

beforeAll(async () => {
  mkdirSync(join(folder, word));
  const file = (name: string) => join(folder, word, `${word} ${name}`);
  writeFileSync(file("01.mp4"), film);
  writeFileSync(file("adult.mp4"), film);
  copyFileSync("tests/fixtures/films/two-sounds.mkv", file("02.mkv"));
  writeFileSync(file("01.en.srt"), "1\n00:00:01,000 --> 00:00:02,000\nRain\n");
  mkdirSync(join(folder, word, "03"));
  const playlist = `#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n${word}-0.ts\n#EXT-X-ENDLIST\n`;
  writeFileSync(join(folder, word, "03", `${word}.m3u8`), playlist);
  writeFileSync(join(folder, word, "03", `${word}-0.ts`), film);
  await importTitles([
    {
      kind: "title",
      mal_id: malId,
      title: "Companion",
      status: "Finished Airing",
      type: "TV",
      episodes: 3,
      year: 2020,
    },
    { kind: "title", mal_id: 710_001, title: "Of unknown length", type: "TV", year: 2020 },
    { kind: "title", mal_id: adultId, title: "Not for everybody", rating: "rx", episodes: 1 },
    { kind: "title", mal_id: demonstrationId, title: "Engawa", type: "ONA", episodes: 1 },
    { kind: "source", mal_id: demonstrationId, number: 1, url: "/film/3/two-evenings.mkv", type: "file" },
    { kind: "skip", mal_id: malId, number: 1, segment: "intro", start: 1, end: 90 },
  ]);
  const source = (id: number, episode: number, name: string) =>
    createSource({ malId: id, episode, url: `media:${word}/${name}` });
  await source(malId, 1, `${word} 01.mp4`);
  await source(malId, 2, `${word} 02.mkv`);
  await source(malId, 3, `03/${word}.m3u8`);
  await source(710_001, 7, `${word} 01.mp4`);
  await source(adultId, 1, `${word} adult.mp4`);
  await createSubtitles({ malId, episode: 1, url: `media:${word}/${word} 01.en.srt`, language: "en" });
  member = await newMember();
  filmPaths = await listFilmPaths(member);
});

const readEpisode = (by: Member, episode: number) =>
  catalogDataOf<EpisodeJson>(by.request(episodePath(malId, episode)));

async function catalogDataOf<Data>(answer: Promise<Response>): Promise<Data> {
  const { data } = (await (await answer).json()) as { data: Data };
  return data;
}

async function listFilmPaths(by: Member): Promise<Record<string, string>> {
  const unsigned = (path: string) => path.replace(/^\/signed\/[^/]+/, "");
  const [direct, packaged, listed] = (await Promise.all([1, 2, 3].map((one) => readEpisode(by, one)))).map(
    ({ sources, subtitles }) => ({
      sources: sources.map(({ url, type }) => ({ type, url: origin + unsigned(pathOf(url)) })),
      subtitles: subtitles.map(({ url }) => ({ url: origin + unsigned(pathOf(url)) })),
    }),
  );
  const playlist = pathOf(packaged?.sources.find(({ type }) => type === "hls")?.url ?? origin);
  const hls = pathOf(listed?.sources[0]?.url ?? origin);
  return {
    "a film as it is": pathOf(direct?.sources[0]?.url ?? origin),
    subtitles: pathOf(direct?.subtitles[0]?.url ?? origin),
    "the playlist of a packaged film": playlist,
    "its first segment": await findFirst(".m4s", await findFirst(".m3u8", playlist, by), by),
    "a playlist in the folder": hls,
    "a segment of it": await findFirst(".ts", hls, by),
    "the old address": `/media/${word}/${word}%2001.mp4`,
  };
}

/** The address of the first part with this ending that a playlist names. */
async function findFirst(ending: string, playlist: string, by: Pick<Member, "request">): Promise<string> {
  const text = await (await by.request(playlist)).text();
  const name = new RegExp(`[\\w/-]+\\${ending}`).exec(text)?.[0] ?? "";
  return pathOf(new URL(name, origin + playlist).href);
}

async function everythingThat(visitor: InstanceType<typeof Visitor> | Member): Promise<string[]> {
  const planted = { malId, word: "Companion", year: 2020, film: `${word}/${word}%2001.mp4` };
  const answers: string[] = [];
  for (const { path, method, json, form, names } of stepsFor([planted])) {
    const write = json === undefined && form === undefined ? {} : { json, ...(form && { form }) };
    const response = await visitor.request(path, { ...(method && { method }), ...write });
    const text = `${JSON.stringify([...response.headers])} ${await response.text()}`;
    answers.push(`${path}\n${names && path.includes(word) ? text.replaceAll(path, "") : text}`);
  }
  return answers;
}

const later = async (ms: number, work: () => Promise<unknown>) => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
  try {
    await work();
  } finally {
    vi.useRealTimers();
  }
};
const seconds = 1000;
const hours = 3_600_000;

const holdingWord = (answers: string[]) =>
  answers.filter((answer) => decodeAll(answer.slice(answer.indexOf("\n"))).includes(word));
const decodeAll = (text: string) => text.replaceAll(/%[\da-f]{2}/gi, (code) => decodeOne(code));
function decodeOne(code: string) {
  try {
    return decodeURIComponent(code);
  } catch {
    return code;
  }
}

describe("visitors", () => {
  test("get 401 at every address with bytes of a film, whether the film exists or not", async () => {
    const unknown = {
      "an unknown film": "/film/00000000-0000-4000-8000-000000000000",
      "an unknown file": "/media/nothing.mp4",
      "unknown subtitles": "/captions/00000000-0000-4000-8000-000000000000.vtt",
      "an unknown part": "/play/00000000-0000-4000-8000-000000000000/abc/main.m3u8",
    };
    for (const [what, path] of Object.entries({ ...filmPaths, ...unknown })) {
      const refused = await request(path);
      expect([what, refused.status, refused.headers.get("Cache-Control")]).toEqual([what, 401, "no-store"]);
      expect((await request(path, { method: "HEAD" })).status, what).toBe(401);
    }
  });

  test("get an episode without sources, subtitles, segments to skip and chapters", async () => {
    const data = await catalogDataOf<EpisodeJson>(request(episodePath(malId, 1)));
    expect(data).toMatchObject({ sources: [], subtitles: [], video_url: null, skip: [], chapters: [] });
    const listed = await catalogDataOf<EpisodeJson[]>(request(`/api/episodes?id=${malId}`));
    expect(listed.map(({ sources }) => sources)).toEqual([[], [], []]);
    const { meta } = (await (await request("/api/episodes?id=710001")).json()) as {
      meta: { total_items: number };
    };
    expect(meta.total_items).toBe(0);
  });

  test("cannot see an episode known only through a still of its film", async () => {
    const totalFor = async (by: Pick<Member, "request">, page = 1) => {
      const answer = await by.request(`/api/episodes?id=710001&page=${page}`);
      return ((await answer.json()) as { meta: { total_items: number } }).meta.total_items;
    };
    const still = { kind: "episode", mal_id: 710_001, number: 7, image_url: `media:${word}/still.jpg` };
    await importTitles([still]);
    expect([await totalFor(new Visitor()), await totalFor(member)]).toEqual([0, 7]);
    await importTitles([{ ...still, image_url: "https://pictures.test/still.jpg" }]);
    // The other page is in no cache.
    expect(await totalFor(new Visitor(), 2)).toBe(7);
    await importTitles([{ ...still, image_url: `media:${word}/still.jpg` }]);
  });

  test("cannot list playable titles, and /v4 does not name this site", async () => {
    for (const path of ["/api/animes/full?playable=true", "/api/animes/random?playable=true"])
      expect((await request(path)).status, path).toBe(401);
    expect(await catalogDataOf(request(`/v4/anime/${malId}/streaming`))).toEqual([]);
  });

  test("see no new films on the home page, also after a member has read it", async () => {
    const rowsFor = async (by: Pick<Member, "request">) => (await by.request("/")).text();
    for (let turn = 0; turn < 2; turn++) {
      expect(await rowsFor(member)).toContain("Watch here</h2>");
      expect(await rowsFor(new Visitor())).not.toContain("Watch here</h2>");
    }
  });

  test("read on the pages of all titles that films are for members, with or without a film", async () => {
    const { someTitle } = await import("#tests/support/data/database-rows.ts");
    const bare = await someTitle({ episodes: 2 });
    for (const path of [
      `/anime/${malId}/companion`,
      `/watch/${malId}/1`,
      `/anime/${bare}/title-${bare}`,
      `/watch/${bare}/1`,
    ]) {
      const page = await (await request(path)).text();
      expect(page, path).toContain("Videos here are for members");
      expect(page, path).toContain(`/signin?redirectTo=${encodeURIComponent(path)}`);
    }
    expect(await (await member.request(`/watch/${malId}/1`)).text()).not.toContain(
      "Videos here are for members",
    );
  });

  test("get the demonstration film, also its packaged parts", async () => {
    const data = await catalogDataOf<EpisodeJson>(request(episodePath(demonstrationId, 1)));
    const packaged = data.sources.find(({ type }) => type === "hls");
    expect((await request(pathOf(packaged?.url ?? origin))).status).toBe(200);
    expect(data.sources.at(-1)?.url).toBe(`${origin}/film/3/two-evenings.mkv`);
  });

  test("find no file name in any answer, and neither do members; operators do", async () => {
    expect(holdingWord(await everythingThat(new Visitor()))).toEqual([]);
    expect(holdingWord(await everythingThat(member))).toEqual([]);
    const operator = await newOperator();
    expect(holdingWord(await everythingThat(operator)).length).toBeGreaterThan(0);
  });
});

describe("members", () => {
  test("get every film by their session or token, and no shared cache keeps it", async () => {
    const { token } = await dataOf<{ token: string }>(
      member.request("/api/auth/tokens", { json: { name: "TV", scope: "read" } }),
      201,
    );
    for (const [what, path] of Object.entries(filmPaths)) {
      const answer = await member.request(path);
      expect([what, answer.status]).toEqual([what, 200]);
      expect(answer.headers.get("Cache-Control"), what).toMatch(/^private/);
      expect(answer.headers.get("Access-Control-Allow-Origin"), what).toBeNull();
      const byToken = await request(path, { headers: { Authorization: `Bearer ${token}` } });
      expect([what, byToken.status]).toEqual([what, 200]);
    }
  });

  test("get the bytes of the file, also of a range", async () => {
    const path = filmPaths["a film as it is"] ?? "";
    const part = await member.request(path, { headers: { Range: "bytes=100-199" } });
    expect([part.status, part.headers.get("Content-Type")]).toEqual([206, "video/mp4"]);
    expect(Buffer.from(await part.arrayBuffer()).equals(film.subarray(100, 200))).toBe(true);
    const segment = await member.request(filmPaths["a segment of it"] ?? "");
    expect(Buffer.from(await segment.arrayBuffer()).equals(film)).toBe(true);
  });

  test("get their own answer, which the public cache neither stores nor gives them", async () => {
    const path = episodePath(malId, 1);
    const seen = async (by?: Member) => {
      const answer = by ? await by.request(path) : await request(path);
      const { data } = (await answer.json()) as { data: EpisodeJson };
      return [data.sources.length, answer.headers.get("Cache-Control")?.split(",")[0]];
    };
    for (let turn = 0; turn < 2; turn++) {
      expect(await seen()).toEqual([0, "public"]);
      expect(await seen(member)).toEqual([1, "private"]);
    }
  });

  test("may ask which titles can be played", async () => {
    const listed = await catalogDataOf<{ mal_id: number }[]>(
      member.request("/api/animes/full?playable=true"),
    );
    expect(listed.map(({ mal_id }) => mal_id).sort()).toEqual([malId, 710_001, demonstrationId].sort());
  });

  test("with parental control get no film of an adult title, not even by its old address", async () => {
    const grownUp = await newMember();
    await db.update(users).set({ parentalControl: false }).where(eq(users.id, grownUp.id));
    const answer = grownUp.request(`${episodePath(adultId, 1)}&parental_control=false`);
    const data = await catalogDataOf<EpisodeJson>(answer);
    const path = pathOf(data.sources[0]?.url ?? origin).replace(/^\/signed\/[^/]+/, "");
    for (const address of [path, `/media/${word}/${word}%20adult.mp4`]) {
      expect((await grownUp.request(address)).status).toBe(200);
      expect((await member.request(address)).status).toBe(404);
    }
  });

  test("lose the films within seconds of signing out, also with the old cookie", async () => {
    const other = await newMember();
    const headers = { Cookie: other.cookieHeader };
    const path = filmPaths["a film as it is"] ?? "";
    expect((await request(path, { headers })).status).toBe(200);
    await other.request("/api/auth/signout", { method: "POST" });
    await later(6 * seconds, async () => expect((await request(path, { headers })).status).toBe(401));
  });

  test("can continue on a page that was paused for 13 hours", async () => {
    const other = await newMember();
    expect((await other.request(`/watch/${malId}/1`)).status).toBe(200);
    await later(13 * hours, async () => {
      for (const [what, path] of Object.entries(filmPaths))
        expect([what, (await other.request(path)).status]).toEqual([what, 200]);
    });
  });
});

describe("signed addresses", () => {
  const signedPaths = async (by: Member) => {
    const episodes = await Promise.all([1, 2, 3].map((one) => readEpisode(by, one)));
    const paths = episodes.flatMap(({ sources, subtitles }) =>
      [...sources, ...subtitles].map(({ url }) => pathOf(url)),
    );
    expect(paths.length).toBeGreaterThan(4);
    for (const path of paths) expect(path).toMatch(/^\/signed\/[^/]+\/(?:film|play|captions)\//);
    return paths;
  };
  const statusesOf = async (paths: string[]) =>
    [...new Set(await Promise.all(paths.map(async (path) => (await request(path)).status)))].sort();

  test("play without a session for 12 hours, with everything that their playlists name", async () => {
    const paths = await signedPaths(await newMember());
    expect(await statusesOf(paths)).toEqual([200]);
    const packaged = paths.find((path) => path.includes("/play/")) ?? "";
    const stranger = new Visitor();
    const playlist = await findFirst(".m3u8", packaged, stranger);
    const segment = await findFirst(".m4s", playlist, stranger);
    const folderPlaylist = paths.at(-1) ?? "";
    const part = await findFirst(".ts", folderPlaylist, stranger);
    expect(await statusesOf([playlist, segment, part])).toEqual([200]);
    await later(11.9 * hours, async () => expect(await statusesOf([segment, part])).toEqual([200]));
    await later(12.1 * hours, async () => expect(await statusesOf([...paths, segment, part])).toEqual([401]));
  });

  test("are for one film, and a changed one is refused", async () => {
    const [first = "", second = ""] = await signedPaths(await newMember());
    const [, pass = ""] = /^\/signed\/([^/]+)/.exec(first) ?? [];
    const [userId, generation, ends, signature = ""] = pass.split(".");
    const other = (member.id ?? "").replace(/^./, (one) => (one === "a" ? "b" : "a"));
    const forged = [
      second.replace(/^\/signed\/[^/]+/, `/signed/${pass}`),
      first.replace(pass, [other, generation, ends, signature].join(".")),
      first.replace(pass, [userId, "1", ends, signature].join(".")),
      first.replace(pass, [userId, generation, "zzzzzz", signature].join(".")),
      first.replace(pass, [userId, generation, ends, signature.replace(/^./, "-")].join(".")),
      first.replace(pass, "x"),
    ].filter((path) => path !== first);
    expect(forged.length).toBeGreaterThan(4);
    expect(await statusesOf(forged)).toEqual([401]);
  });

  test.each<[string, (by: Member) => Promise<unknown>]>([
    [
      "signing out everywhere else",
      (by) => by.request("/api/auth/sessions", { method: "DELETE", json: { others: true } }),
    ],
    [
      "a new password",
      (by) => by.request("/api/auth/password", { json: { current: by.password, password: "Newpas1!" } }),
    ],
    ["disabling the account", (by) => db.update(users).set({ disabled: true }).where(eq(users.id, by.id))],
    ["deleting the account", (by) => db.delete(users).where(eq(users.id, by.id))],
    [
      "parental control, for an adult title",
      (by) => db.update(users).set({ parentalControl: true }).where(eq(users.id, by.id)),
    ],
  ])("end within seconds of %s", async (_what, end) => {
    const by = await newMember();
    await db.update(users).set({ parentalControl: false }).where(eq(users.id, by.id));
    const answer = by.request(`${episodePath(adultId, 1)}&parental_control=false`);
    const { sources } = await catalogDataOf<EpisodeJson>(answer);
    const paths = sources.map(({ url }) => pathOf(url));
    expect(await statusesOf(paths)).toEqual([200]);
    await end(by);
    await later(6 * seconds, async () => expect((await statusesOf(paths))[0]).toBeGreaterThanOrEqual(401));
  });

  test("are in a playlist for other players, which only readers allowed to see the film get", async () => {
    const path = `${filmPaths["a film as it is"]}/open.m3u?name=Porch`;
    expect((await request(path)).status).toBe(401);
    const answer = await member.request(path);
    expect(answer.headers.get("Cache-Control")).toBe("private, no-store");
    const [head, name, address = ""] = (await answer.text()).split("\n");
    expect([head, name]).toEqual(["#EXTM3U", "#EXTINF:-1,Porch"]);
    const played = await request(pathOf(address));
    expect(Buffer.from(await played.arrayBuffer()).equals(film)).toBe(true);
  });
});

test("the proxies give visitors no way around this, and never forward a member's cookie", async () => {
  for (const [what, path] of Object.entries(filmPaths))
    for (const proxy of ["/api/videoProxy", "/api/proxy"]) {
      const address = `${proxy}?url=${encodeURIComponent(origin + path)}`;
      for (const answer of [await request(address), await member.request(address)])
        expect([what, proxy, answer.status >= 400]).toEqual([what, proxy, true]);
    }
});
