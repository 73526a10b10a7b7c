import { linkSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isNull, sql } from "drizzle-orm";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { moveFilm, writeOldFilm } from "#tests/support/data/old-films.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** Data that moves along with films and folders, and scans that run at the same time. */

const folder = temporaryFolder("moved-films");
const media = join(folder, "media");
process.env.MEDIA_DIR = media;
const { db } = await import("#db/client.server.ts");
const { films } = await import("#db/schema/films.ts");
const { scans } = await import("#db/schema/scanning.ts");
const { episodeSources, episodeSubtitles } = await import("#db/schema/episodes.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { onCatalogChange } = await import("#app/domain/catalog-version/catalog-version.server.ts");
const { commandLine } = await import("#app/domain/events/events.server.ts");
const scanningDoor = await import("#app/domain/scanning/scanning.server.ts");
const playback = await import("#app/domain/playback/playback.server.ts");
const filmsDoor = await import("#app/domain/films/films.server.ts");

beforeAll(() =>
  importTitles([
    { kind: "title", mal_id: 1, title: "Cowboy Bebop", type: "TV", episodes: 26 },
    { kind: "title", mal_id: 2, title: "Paper Lantern Story", type: "TV", episodes: 2000 },
  ]),
);
beforeEach(async () => {
  rmSync(media, { recursive: true, force: true });
  mkdirSync(media);
  await db.delete(films);
  await db.delete(episodeSubtitles);
  await db.delete(episodeSources);
});

const put = (path: string, content?: string) => writeOldFilm(media, path, content);
const move = (from: string, to: string) => moveFilm(media, from, to);
const scan = () => scanningDoor.scanLibrary({ folder: "", reason: "command" });
const sources = async () =>
  (await playback.listSources()).map(({ malId, episode, url }) => `${malId} ${episode} ${url}`);
const subtitles = async () => (await playback.listSubtitles()).map(({ id, url }) => ({ id, url }));

test.each([
  ["read", "the same"],
  ["unread", null],
])(
  "a film that moved on, %s, before scans had missed it twice is the first of the three that they saw",
  async (_, fingerprint) => {
    put("Cowboy Bebop - 01.mkv");
    await scan();
    const [first] = await db.select().from(films);
    move("Cowboy Bebop - 01.mkv", "third/Cowboy Bebop - 01.mkv");
    const seen = { fingerprint, seenSize: first?.seenSize, seenModifiedMs: first?.seenModifiedMs };
    await db.update(films).set({ ...seen, goneAt: new Date() });
    await db.insert(films).values({ ...seen, path: "second/Cowboy Bebop - 01.mkv", goneAt: new Date() });
    await scan();
    const here = () => db.select({ id: films.id, path: films.path }).from(films).where(isNull(films.goneAt));
    // Read films are recognized only after the third was read too.
    if (fingerprint !== null) expect((await here())[0]?.id).not.toBe(first?.id);
    await db.update(films).set({ fingerprint });
    await scan();
    expect(await here()).toEqual([{ id: first?.id, path: "third/Cowboy Bebop - 01.mkv" }]);
    expect(await sources()).toContain("1 1 media:third/Cowboy Bebop - 01.mkv");
  },
);

test("subtitles beside a film move with it, under its new name, and keep their ids", async () => {
  put("Cowboy Bebop - 01.mkv");
  put("Cowboy Bebop - 01.en.srt");
  put("Subs/Cowboy Bebop - 01/2_German.srt");
  await scan();
  const before = await subtitles();
  expect(before).toHaveLength(2);
  move("Cowboy Bebop - 01.mkv", "Anime/Bebop/CB 01.mkv");
  move("Cowboy Bebop - 01.en.srt", "Anime/Bebop/CB 01.en.srt");
  move("Subs/Cowboy Bebop - 01", "Anime/Bebop/Subs/CB 01");
  await scan();
  const paths = new Map([
    ["media:Cowboy Bebop - 01.en.srt", "media:Anime/Bebop/CB 01.en.srt"],
    ["media:Subs/Cowboy Bebop - 01/2_German.srt", "media:Anime/Bebop/Subs/CB 01/2_German.srt"],
  ]);
  expect(await subtitles()).toEqual(before.map(({ id, url }) => ({ id, url: paths.get(url) })));
  move("Anime", "Series");
  await scan();
  expect((await subtitles()).map(({ url }) => url).sort()).toEqual([
    "media:Series/Bebop/CB 01.en.srt",
    "media:Series/Bebop/Subs/CB 01/2_German.srt",
  ]);
});

test("a decision about a folder of folders moves along when that folder is renamed", async () => {
  put("Strange/Season 1/03.mkv");
  put("Strange/Season 1/04.mkv");
  await scan();
  await scanningDoor.decideFilm({ kind: "title", folder: "Strange", malId: 2, shift: 0 }, commandLine);
  await scan();
  move("Strange", "Odd/Name");
  put("Odd/Name/Season 1/05.mkv");
  await scan();
  expect(await sources()).toEqual(
    [3, 4, 5].map((number) => `2 ${number} media:Odd/Name/Season 1/0${number}.mkv`),
  );
});

test("a renamed library moves in parts; a scan stopped between them continues later", async () => {
  const count = 600;
  const name = (index: number) => `${String(index + 1).padStart(4, "0")}.mkv`;
  for (let index = 0; index < count; index++)
    put(`Paper Lantern Story/${name(index)}`, `film ${index} ${"x".repeat(index)}`);
  await scan();
  const idsByPath = async () => new Map((await db.select().from(films)).map(({ path, id }) => [path, id]));
  const before = await idsByPath();
  expect(await sources()).toHaveLength(count);
  move("Paper Lantern Story", "Other/Paper Lantern Story");
  // Two of the films exchange their names.
  move("Other/Paper Lantern Story/0001.mkv", "x");
  move("Other/Paper Lantern Story/0002.mkv", "Other/Paper Lantern Story/0001.mkv");
  move("x", "Other/Paper Lantern Story/0002.mkv");
  const stopping = new AbortController();
  // Stopped after the first part of 500 films, which is the first change.
  onCatalogChange(() => stopping.abort());
  await scanningDoor.scanLibrary({ folder: "", reason: "command" }, { signal: stopping.signal });
  const partly = [...(await idsByPath()).keys()].filter((path) => path.startsWith("Other/")).length;
  expect(partly).toBe(500);
  await scan();
  const after = await idsByPath();
  expect(after.size).toBe(count);
  const swapped = (path: string) =>
    path.replace(/000([12])\.mkv$/, (_, digit) => `000${3 - Number(digit)}.mkv`);
  for (const [path, id] of before) expect(after.get(`Other/${swapped(path)}`), path).toBe(id);
  expect(await sources()).toHaveLength(count);
});

test("an unread film that a scan sees at its new path before missing it at the old one stays one film", async () => {
  put("Cowboy Bebop/01.mkv");
  put("Cowboy Bebop/02.mkv", "another");
  await scan();
  const idOf = async (path: string) => (await db.select().from(films)).find((film) => film.path === path)?.id;
  const before = await idOf("Cowboy Bebop/01.mkv");
  mkdirSync(join(media, "New/Cowboy Bebop"), { recursive: true });
  linkSync(join(media, "Cowboy Bebop/01.mkv"), join(media, "New/Cowboy Bebop/01.mkv"));
  await scan();
  expect(await sources()).toHaveLength(3);
  rmSync(join(media, "Cowboy Bebop/01.mkv"));
  await scan();
  expect(await idOf("New/Cowboy Bebop/01.mkv")).toBe(before);
  expect(await sources()).toEqual(["1 1 media:New/Cowboy Bebop/01.mkv", "1 2 media:Cowboy Bebop/02.mkv"]);
});

test("a scan that lost its lock ends when another has begun, and leaves its record unchanged", async () => {
  put("Cowboy Bebop/01.mkv");
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    const scanned = await db.transaction(async (transaction) => {
      // The scan waits here while another scan begins.
      await transaction.execute(sql`lock table films in exclusive mode`);
      const scanning = scan();
      const isUnderWay = isNull(scans.outcome);
      while ((await db.$count(scans, isUnderWay)) === 0);
      await db.update(scans).set({ outcome: "interrupted", endedAt: new Date() }).where(isUnderWay);
      vi.advanceTimersByTime(2_000);
      return { scanning };
    });
    expect(await scanned.scanning).toMatchObject({ ok: true, value: { registered: 0 } });
  } finally {
    vi.useRealTimers();
  }
  expect(await sources()).toEqual([]);
  const [last] = await filmsDoor.listScans(1);
  expect(last?.outcome).toBe("interrupted");
  await scan();
  expect(await sources()).toHaveLength(1);
});

test("one file added under several spellings is one source", async () => {
  for (const url of [
    "media:Cowboy Bebop/01.mkv",
    "MEDIA://Cowboy Bebop//01.mkv",
    "media:/Cowboy Bebop/01.mkv",
  ])
    expect((await playback.createSource({ malId: 1, episode: 1, url })).ok).toBe(true);
  put("Cowboy Bebop/01.mkv");
  await scan();
  expect(await sources()).toEqual(["1 1 media:Cowboy Bebop/01.mkv"]);
});
