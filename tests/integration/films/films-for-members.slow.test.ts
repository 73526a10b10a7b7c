import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { transportStream } from "#tests/support/data/film-bytes.ts";
import type { Member } from "#tests/support/requests/visitor.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/**
 * With FILMS=members, visitors request every route, every URL in the answers, and every URL that a member finds in
 * answers. They get no byte of a film and no name of a file. The same walk as a member finds all of them.
 */

const folder = temporaryFolder("members-films");
Object.assign(process.env, {
  MEDIA_DIR: folder,
  FILMS: "members",
  PUBLIC_CACHE: "1",
  INDEXING: "1",
  CATALOG_SHARE: "public",
  RATE_LIMIT_POINTS: "100000",
});
await import("#app/start/site.server.ts");
const { newMember, Visitor } = await import("#tests/support/requests/visitor.ts");
const { crawl } = await import("#tests/support/requests/crawl.ts");
const { stepsFor } = await import("#tests/support/requests/site-walk.ts");
const { baseTitles, marker, plantedTitle, titleOf } = await import(
  "#tests/support/requests/planted-titles.ts"
);
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { createSource, createSubtitles } = await import("#app/domain/playback/playback.server.ts");

const title = plantedTitle(800_005, "quorbleth", "members");
const malId = title.malId;
/** Occurs in the bytes of the files, and in no name. */
const secret = "vyndrakoscript";
const film = Buffer.concat([transportStream(50), Buffer.from(secret)]);
let member: Member;
let filmPaths: string[];

beforeAll(async () => {
  const root = join(folder, `${marker}-members`);
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, "01.mp4"), film);
  writeFileSync(join(root, "01.en.srt"), `1\n00:00:01,000 --> 00:00:02,000\n${secret}\n`);
  copyFileSync("tests/fixtures/films/two-sounds.mkv", join(root, "02.mkv"));
  writeFileSync(
    join(root, "03.m3u8"),
    `#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n${marker}-0.ts\n#EXT-X-ENDLIST\n`,
  );
  writeFileSync(join(root, `${marker}-0.ts`), film);
  await importTitles([
    ...baseTitles,
    // Everybody may see the title. Only its films are restricted to members.
    titleOf(title, {
      title: "Quorbleth",
      title_english: null,
      title_japanese: null,
      title_synonyms: [],
      synopsis: null,
      studios: [],
      banner_image: null,
      youtube_id: null,
    }),
    ...[1, 2, 3].map((number) => ({ kind: "episode", mal_id: malId, number, title: `Part ${number}` })),
  ]);
  for (const [episode, name] of ["01.mp4", "02.mkv", "03.m3u8"].entries())
    await createSource({ malId, episode: episode + 1, url: `media:${marker}-members/${name}` });
  const subtitles = { malId, episode: 1, url: `media:${marker}-members/01.en.srt`, language: "en" };
  await createSubtitles(subtitles);
  member = await newMember();
  filmPaths = await listFilmPaths();
});

/** The pages where a visitor can start, and where a member finds the films. */
const starts = [
  "/",
  "/browse",
  "/schedule",
  "/api",
  "/sitemap.xml",
  `/anime/${malId}/quorbleth`,
  ...[1, 2, 3].flatMap((episode) => [
    `/watch/${malId}/${episode}`,
    `/watch/${malId}/${episode}.data`,
    `/api/episodes/getEpisode?mal_id=${malId}&ep=${episode}`,
  ]),
  `/api/episodes?id=${malId}`,
  `/v4/anime/${malId}/episodes`,
];
/** Removes the pass, which identifies the member who received the URL. */
const withoutPass = (path: string) => path.replace(/^\/signed\/[^/]+/, "");
/** Paths with braces are examples on the page that documents the API. */
const isFilm = (path: string) => /^\/(?:film|play|media|captions)\/[^{]*$/.test(path);
/** The demonstration film is open to everybody, so its paths are excluded. */
const isOfMembers = (path: string) => isFilm(path) && !/^\/film\/[1-3]\/|^\/play\/[1-3]\//.test(path);

async function read(browser: InstanceType<typeof Visitor>, path: string, headers = {}) {
  const answer = await browser.request(path, { headers });
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()).toString("latin1") };
}

/** All URLs of films that a member finds, including the segments in their playlists. */
async function listFilmPaths(): Promise<string[]> {
  const { addresses } = await crawl(member, starts, { depth: 1 });
  const found = new Set(addresses.map(withoutPass).filter(isOfMembers));
  for (const path of found) {
    if (!/\.m3u8?$|^\/film\/[^/]+$/.test(path)) continue;
    const { status, bytes } = await read(member, path);
    if (status !== 200 || !bytes.startsWith("#EXTM3U")) continue;
    for (const [name] of bytes.matchAll(/^[^#\s].*$|(?<=URI=")[^"]+/gm)) {
      const { pathname, search } = new URL(name, `http://site.invalid${path}`);
      if (isOfMembers(withoutPass(pathname))) found.add(withoutPass(pathname) + search);
    }
  }
  return [...found, `/media/${marker}-members/01.mp4`, `/media/${marker}-members/${marker}-0.ts`];
}

test("a member who follows the URLs reaches the bytes of each film, so the walk would find a leak", async () => {
  const kinds = new Set(filmPaths.map((path) => path.split("/")[1]));
  expect([...kinds].toSorted()).toEqual(["captions", "film", "media", "play"]);
  const got = await Promise.all(filmPaths.map((path) => read(member, path)));
  expect(got.filter(({ bytes }) => bytes.includes(secret)).length).toBeGreaterThan(3);
  expect(filmPaths.filter((path) => /\.m4s$|segment/.test(path)).length).toBeGreaterThan(0);
});

test("a visitor gets no byte from any of these URLs, with any method or range", async () => {
  const visitor = new Visitor();
  expect(filmPaths.length).toBeGreaterThan(8);
  for (const path of filmPaths)
    for (const headers of [{}, { Range: "bytes=0-99" }, { Accept: "text/html" }]) {
      const { status, bytes } = await read(visitor, path, headers);
      expect([status, bytes.includes(secret)], path).toEqual([401, false]);
    }
});

test("no answer to a visitor, from any route or URL in an answer, contains a film or the name of a file", async () => {
  // A member requests the pages first, so that anything cached for everybody would show.
  for (const path of starts) await read(member, path);
  const visitor = new Visitor();
  const told: string[] = [];
  for (const { path, method, json, form } of stepsFor([title])) {
    const write = { ...(method && { method }), ...(json !== undefined && { json }), ...(form && { form }) };
    const answer = await visitor.request(path, write);
    const text = Buffer.from(await answer.arrayBuffer()).toString("latin1");
    // An answer may repeat a name from the request.
    const isTold = path.includes(marker) ? answer.ok : text.includes(`${marker}-members`);
    if (isTold || text.includes(secret)) told.push(`${path} ${answer.status}`);
  }
  expect(told).toEqual([]);
  const found = await crawl(visitor, starts);
  expect(found.asked).toBeGreaterThan(60);
  expect(found.naming).toEqual([]);
  expect(found.addresses.filter((path) => isOfMembers(withoutPass(path)))).toEqual([]);
});
