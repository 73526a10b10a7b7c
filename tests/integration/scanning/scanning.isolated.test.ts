import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eq, like, sql } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { until } from "#tests/support/checks/wait-until.ts";
import { moveFilm, writeOldFilm } from "#tests/support/data/old-films.ts";
import { lockTables } from "#tests/support/database/lock-tables.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** Identities, decisions and sources survive renames, missing files and missing folders. */

const folder = temporaryFolder("films");
const media = join(folder, "media");
process.env.MEDIA_DIR = media;
const { db } = await import("#db/client.server.ts");
const { films } = await import("#db/schema/films.ts");
const { episodes, episodeSources, episodeSubtitles } = await import("#db/schema/episodes.ts");
const { getEpisode } = await import("#app/domain/catalog/catalog.server.ts");
const { unrestricted } = await import("#app/domain/visibility/visibility.server.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { untilQueriesWait } = await import("#tests/support/database/lock-waits.ts");
const playback = await import("#app/domain/playback/playback.server.ts");
const { commandLine } = await import("#app/domain/events/events.server.ts");
const scanning = await import("#app/domain/scanning/scanning.server.ts");
const { decisionText } = await import("#app/domain/scanning/scanning.ts");
const filmsDoor = await import("#app/domain/films/films.server.ts");

const titles = [
  { kind: "title", mal_id: 1, title: "Cowboy Bebop", type: "TV", episodes: 26 },
  { kind: "title", mal_id: 2, title: "Paper Lantern Story", type: "TV", episodes: 12 },
];

beforeAll(() => importTitles(titles));

const put = (path: string, content?: string) => writeOldFilm(media, path, content);
const move = (from: string, to: string) => moveFilm(media, from, to);

beforeEach(async () => {
  rmSync(media, { recursive: true, force: true });
  mkdirSync(media);
  await db.delete(films);
  for (const source of await playback.listSources()) await playback.deleteSource(source.id);
});

const scan = async (inside = "") => {
  const scanned = await scanning.scanLibrary({ folder: inside, reason: "command" });
  if (!scanned) throw new Error("another scan is under way");
  return scanned;
};
const sources = async () =>
  (await playback.listSources()).map(({ malId, episode, url }) => `${malId} ${episode} ${url}`);
const playable = async (episode: number) => {
  const found = await getEpisode(1, episode, unrestricted);
  return found.ok ? found.value.sources.length : 0;
};
const decide = (decision: Parameters<typeof scanning.decideFilm>[0]) =>
  scanning.decideFilm(decision, commandLine);
const filmOf = async (path: string) => (await db.select().from(films).where(eq(films.path, path)))[0];

describe("a film whose file moves", () => {
  test("keeps its id and its sources at the new path", async () => {
    put("Cowboy Bebop/01.mkv");
    await scan();
    const before = await filmOf("Cowboy Bebop/01.mkv");
    move("Cowboy Bebop/01.mkv", "Anime/Bebop, the first one.mkv");
    expect(await scan()).toMatchObject({ value: { moved: 1, gone: 0, registered: 0 } });
    expect((await filmOf("Anime/Bebop, the first one.mkv"))?.id).toBe(before?.id);
    expect(await sources()).toEqual(["1 1 media:Anime/Bebop, the first one.mkv"]);
  });

  test("keeps them when two films swap their names", async () => {
    put("Cowboy Bebop/01.mkv", "one");
    put("Cowboy Bebop/02.mkv", "the second");
    await scan();
    const ids = [(await filmOf("Cowboy Bebop/01.mkv"))?.id, (await filmOf("Cowboy Bebop/02.mkv"))?.id];
    move("Cowboy Bebop/01.mkv", "Cowboy Bebop/x");
    move("Cowboy Bebop/02.mkv", "Cowboy Bebop/01.mkv");
    move("Cowboy Bebop/x", "Cowboy Bebop/02.mkv");
    await scan();
    expect([(await filmOf("Cowboy Bebop/02.mkv"))?.id, (await filmOf("Cowboy Bebop/01.mkv"))?.id]).toEqual(
      ids,
    );
    expect((await sources()).sort()).toEqual([
      "1 1 media:Cowboy Bebop/02.mkv",
      "1 2 media:Cowboy Bebop/01.mkv",
    ]);
  });

  test("is proposed with the episode that it keeps, as its subtitles are, whatever its new name says", async () => {
    put("Cowboy Bebop/01.mkv");
    put("Cowboy Bebop/01.en.srt");
    await scan();
    move("Cowboy Bebop/01.mkv", "Cowboy Bebop/07.mkv");
    move("Cowboy Bebop/01.en.srt", "Cowboy Bebop/07.en.srt");
    await scan();
    expect(await sources()).toEqual(["1 1 media:Cowboy Bebop/07.mkv"]);
    const proposed = await playback.proposeSources(media);
    const registered = { state: "registered", match: { malId: 1, title: "Cowboy Bebop" } };
    expect(proposed.ok && proposed.value.proposals).toMatchObject([
      { ...registered, episode: 1, lastEpisode: 1 },
      { ...registered, episode: 1, lastEpisode: 1 },
    ]);
    await db.delete(episodeSubtitles);
  });

  test("keeps the decisions about it, also if its folder was renamed", async () => {
    put("Strange/01.mkv");
    put("Strange/02.mkv");
    await scan();
    const first = await filmOf("Strange/01.mkv");
    await decide({ kind: "title", filmId: first?.id ?? "", malId: 2, episode: 7 });
    await decide({ kind: "ignored", folder: "Strange" });
    await scan();
    move("Strange", "Stranger");
    put("Stranger/03.mkv");
    await scan();
    expect(await sources()).toEqual(["2 7 media:Stranger/01.mkv"]);
    expect([(await filmOf("Stranger/02.mkv"))?.state, (await filmOf("Stranger/03.mkv"))?.state]).toEqual([
      "ignored",
      "ignored",
    ]);
  });
});

describe("several files of one episode", () => {
  test("are offered in order of quality, whichever came first, until an operator orders them", async () => {
    put("Cowboy Bebop/[A] Cowboy Bebop - 01 [480p].mkv");
    put("Cowboy Bebop/[B] Cowboy Bebop - 01 [1080p].mkv");
    await scan();
    put("Cowboy Bebop/[0] Cowboy Bebop - 01 [720p].mkv");
    put("Cowboy Bebop/[C] Cowboy Bebop - 01v2 [1080p].mkv");
    await scan();
    const offered = async () => {
      const episode = await getEpisode(1, 1, unrestricted);
      if (!episode.ok) throw new Error("the episode is not there");
      const options = { child: undefined, signal: AbortSignal.timeout(60_000) };
      const { sources } = await playback.readPlayableEpisode(episode.value, options);
      const ids = sources.map(({ url }) => url.replace("/film/", ""));
      const paths = new Map((await db.select().from(films)).map(({ id, path }) => [id, path]));
      return ids.map((id) => /\[(.)\]/.exec(paths.get(id) ?? "")?.[1]).join("");
    };
    expect(await offered()).toBe("CB0A");
    const [first] = (await playback.listSources()).filter(({ url }) => url.includes("[A]"));
    await playback.updateSource(first?.id ?? "", { position: 5 });
    const [second] = (await playback.listSources()).filter(({ url }) => url.includes("[C]"));
    await playback.updateSource(second?.id ?? "", { position: 6 });
    expect(await offered()).toBe("B0AC");
  });
});

describe("files of one folder that cannot be the same episode", () => {
  const stateOf = async (path: string) => (await filmOf(path))?.state;

  test("are unsure, even if one of them came first", async () => {
    put("Cowboy Bebop/Cowboy Bebop - 01.mkv");
    put("Cowboy Bebop/Cowboy Bebop - 01.en.srt", "1\n00:00:01,000 --> 00:00:02,000\nHi\n");
    put("Cowboy Bebop/Cowboy Bebop - 02.mkv");
    await scan();
    expect((await sources()).length).toBe(2);
    // The title is spelled in two ways, so each spelling has its own numbers.
    put("Cowboy Bebop/Cowboy Bebop 2nd - 01.mkv");
    put("Cowboy Bebop/Cowboy Bebop - 01-02.mkv");
    await scan();
    expect(await sources()).toEqual([]);
    expect(await stateOf("Cowboy Bebop/Cowboy Bebop - 01.mkv")).toBe("unsure");
    expect(await stateOf("Cowboy Bebop/Cowboy Bebop - 01-02.mkv")).toBe("unsure");
    const { folders } = await scanning.listUndecidedFilms(10);
    expect(folders[0]?.films.map(({ reasons }) => reasons.at(-1))).toContain(
      "another file of its folder has a different number and would be the same episode",
    );
    expect(await playable(1)).toBe(0);
  });

  test("stay where a person put them", async () => {
    put("Cowboy Bebop/Cowboy Bebop - 01.mkv");
    await scan();
    const film = await filmOf("Cowboy Bebop/Cowboy Bebop - 01.mkv");
    await decide({ kind: "title", filmId: film?.id ?? "", malId: 1, episode: 1 });
    await scan();
    put("Cowboy Bebop/Cowboy Bebop - 01-02.mkv");
    await scan();
    expect(await sources()).toEqual(["1 1 media:Cowboy Bebop/Cowboy Bebop - 01.mkv"]);
  });

  test("are two qualities of one episode if their numbers are equal", async () => {
    put("Cowboy Bebop/[A] Cowboy Bebop - 01 [480p].mkv");
    await scan();
    put("Cowboy Bebop/[B] Cowboy Bebop S01E01 [1080p].mkv");
    await scan();
    expect((await sources()).length).toBe(2);
  });

  test("are proposed as parts of an episode, and never compete for it", async () => {
    put("In parts/Cowboy Bebop - 01 - pt1.mkv");
    put("In parts/Cowboy Bebop - 01 - pt2.mkv");
    await scan();
    const { folders } = await scanning.listUndecidedFilms(10);
    expect(folders[0]?.films.map(({ match, episode, piece }) => [match?.malId, episode, piece])).toEqual([
      [1, 1, 1],
      [1, 1, 2],
    ]);
    await decide({ kind: "title", folder: "In parts", malId: 1, shift: 0 });
    await scan();
    expect(await sources()).toEqual([]);
  });
});

describe("a film whose file is missing", () => {
  test("keeps its source, which cannot be played until the file is back", async () => {
    put("Cowboy Bebop/01.mkv");
    put("Cowboy Bebop/02.mkv");
    await scan();
    expect(await playable(1)).toBe(1);
    rmSync(join(media, "Cowboy Bebop/01.mkv"));
    expect(await scan()).toMatchObject({ value: { gone: 1 } });
    expect([await playable(1), await playable(2)]).toEqual([0, 1]);
    expect(await filmsDoor.isFilmAway(1, 1, unrestricted)).toBe(true);
    expect(await filmsDoor.isFilmAway(1, 2, unrestricted)).toBe(false);
    expect(await sources()).toHaveLength(2);
    put("Cowboy Bebop/01.mkv");
    await scan();
    expect(await playable(1)).toBe(1);
  });

  test.each([
    ["missing", () => renameSync(media, join(folder, "away")), () => renameSync(join(folder, "away"), media)],
    [
      "empty, as one that is not mounted",
      () => {
        renameSync(media, join(folder, "away"));
        mkdirSync(media);
      },
      () => {
        rmSync(media, { recursive: true });
        renameSync(join(folder, "away"), media);
      },
    ],
  ])("is kept if the whole folder is %s", async (_, unmount, mount) => {
    put("Cowboy Bebop/01.mkv");
    await scan();
    unmount();
    expect(await scan()).toMatchObject({ ok: false });
    expect((await filmsDoor.listScans(1))[0]).toMatchObject({ outcome: "failed" });
    mount();
    expect((await filmOf("Cowboy Bebop/01.mkv"))?.goneAt).toBeNull();
    expect(await scan()).toMatchObject({ value: { found: 1, gone: 0, registered: 0 } });
    expect(await playable(1)).toBe(1);
  });
});

describe("decisions", () => {
  test("about a folder apply to files that come later, and survive an import", async () => {
    put("Lanterns/01.mkv");
    await scan();
    expect(await sources()).toEqual([]);
    await decide({ kind: "title", folder: "Lanterns", malId: 2, shift: 2 });
    await scan();
    await importTitles(titles);
    put("Lanterns/02.mkv");
    await scan();
    expect((await sources()).sort()).toEqual(["2 3 media:Lanterns/01.mkv", "2 4 media:Lanterns/02.mkv"]);
  });

  test("about a folder leave decisions about its subfolders and sources added by hand unchanged", async () => {
    for (const name of ["Strange/Cowboy Bebop/01.mkv", "Strange/Cowboy Bebop - 03.mkv", "Strange/x.mkv"])
      put(name);
    await scan();
    await playback.createSource({ malId: 2, episode: 9, url: "media:Strange/x.mkv" });
    expect(await decide({ kind: "title", folder: "", malId: 2, shift: 0 })).toMatchObject({
      reason: "invalid",
    });
    await decide({ kind: "title", folder: "Strange", malId: 2, shift: 0 });
    await scan();
    expect((await sources()).sort()).toEqual([
      "1 1 media:Strange/Cowboy Bebop/01.mkv",
      "2 3 media:Strange/Cowboy Bebop - 03.mkv",
      "2 9 media:Strange/x.mkv",
    ]);
  });

  test("can be undone, and then the name decides again", async () => {
    put("Cowboy Bebop/01.mkv");
    await scan();
    const film = await filmOf("Cowboy Bebop/01.mkv");
    await decide({ kind: "title", filmId: film?.id ?? "", malId: 2, episode: 3 });
    await scan();
    expect(await sources()).toEqual(["2 3 media:Cowboy Bebop/01.mkv"]);
    const [decision] = await scanning.listDecisions(1);
    expect(await scanning.undoDecision(decision?.id ?? "", commandLine)).toMatchObject({ ok: true });
    await scan();
    expect(await sources()).toEqual(["1 1 media:Cowboy Bebop/01.mkv"]);
    expect(await scanning.undoDecision(decision?.id ?? "", commandLine)).toMatchObject({
      reason: "not_found",
    });
  });

  test("that a film is a special take it off the list and give it no episode", async () => {
    put("Cowboy Bebop/Specials/Cowboy Bebop - S00E01.mkv");
    await scan();
    const [special] = (await scanning.listUndecidedFilms(10)).folders[0]?.films ?? [];
    expect(special).toMatchObject({ match: { malId: 1 }, isSpecial: true, episode: null });
    await decide({ kind: "title", filmId: special?.id ?? "", malId: 1, episode: null });
    await scan();
    expect(await sources()).toEqual([]);
    expect(await scanning.countUndecidedFilms()).toMatchObject({ toDecide: 0, extras: 1 });
    const [decision] = await scanning.listDecisions(1);
    expect(decision && decisionText(decision)).toBe("Cowboy Bebop, a special");
  });

  test("that a film does not belong to a title leave it on the list", async () => {
    put("Cowboy Bebop/01.mkv");
    await scan();
    const film = await filmOf("Cowboy Bebop/01.mkv");
    const decision = { kind: "not_title", filmId: film?.id ?? "", malId: 1 } as const;
    expect(await decide(decision)).toMatchObject({ ok: true });
    await scan();
    expect(await sources()).toEqual([]);
    expect((await scanning.listUndecidedFilms(10)).folders[0]?.films[0]).toMatchObject({
      match: null,
      reasons: ["an operator said that it is not Cowboy Bebop"],
    });
  });

  test("about an unknown film, title or episode are refused", async () => {
    put("Lanterns/01.mkv");
    await scan();
    const filmId = (await filmOf("Lanterns/01.mkv"))?.id ?? "";
    const none = "00000000-0000-0000-0000-000000000000";
    expect(await decide({ kind: "ignored", filmId: none })).toMatchObject({ reason: "not_found" });
    expect(await decide({ kind: "ignored", filmId: "x'" })).toMatchObject({ reason: "not_found" });
    expect(await decide({ kind: "title", filmId, malId: 99, episode: 1 })).toMatchObject({
      reason: "not_found",
    });
    expect(await decide({ kind: "title", filmId, malId: 1, episode: 0 })).toMatchObject({
      reason: "invalid",
    });
  });
});

describe("while a scan runs", () => {
  /** Calls `act` after the scan has read the decisions, and before it judges films. */
  async function decideDuringScan(act: () => Promise<unknown>) {
    const unlock = await lockTables("title_aliases");
    const scanned = scan();
    await until(async () => {
      const waiting = await db.execute(
        sql`select from pg_locks where relation = 'title_aliases'::regclass and not granted`,
      );
      return waiting.length > 0;
    });
    await act();
    await unlock();
    await scanned;
  }
  const idOf = async (path: string) => (await filmOf(path))?.id ?? "";
  const decideEpisode = async (path: string, episode: number) =>
    decide({ kind: "title", filmId: await idOf(path), malId: 2, episode });

  test("decisions about new films are kept, and the next scan applies them", async () => {
    put("Cowboy Bebop/01.mkv");
    put("Cowboy Bebop/01.en.srt", "1\n00:00:01,000 --> 00:00:02,000\nHi\n");
    put("Strange/01.mkv");
    await decideDuringScan(async () => {
      await decideEpisode("Cowboy Bebop/01.mkv", 7);
      await decideEpisode("Strange/01.mkv", 8);
    });
    expect(await sources()).toEqual([]);
    expect(await db.select().from(episodeSubtitles)).toEqual([]);
    await scan();
    expect((await sources()).sort()).toEqual(["2 7 media:Cowboy Bebop/01.mkv", "2 8 media:Strange/01.mkv"]);
    expect(await db.select().from(episodeSubtitles)).toMatchObject([{ malId: 2, episode: 7 }]);
    await db.delete(episodeSubtitles);
  });

  test("a decision about a film that the scan would withdraw is kept", async () => {
    put("Cowboy Bebop/Cowboy Bebop - 01.mkv");
    await scan();
    put("Cowboy Bebop/Cowboy Bebop 2nd - 01.mkv");
    put("Cowboy Bebop/Cowboy Bebop - 01-02.mkv");
    await decideDuringScan(() => decideEpisode("Cowboy Bebop/Cowboy Bebop - 01.mkv", 7));
    await scan();
    expect(await sources()).toEqual(["2 7 media:Cowboy Bebop/Cowboy Bebop - 01.mkv"]);
  });

  test("a decision about a folder above is kept", async () => {
    put("Shows/Cowboy Bebop/01.mkv");
    put("Shows/Strange/01.mkv");
    await decideDuringScan(() => decide({ kind: "ignored", folder: "Shows" }));
    await scan();
    expect(await sources()).toEqual([]);
    expect((await db.select().from(films)).map(({ state }) => state)).toEqual(["ignored", "ignored"]);
  });

  test("a decision that is undone has no effect any more", async () => {
    put("Strange/01.mkv");
    await scan();
    const decided = await decide({ kind: "title", folder: "Strange", malId: 2, shift: 0 });
    await scan();
    expect(await sources()).toEqual(["2 1 media:Strange/01.mkv"]);
    put("Strange/02.mkv");
    await decideDuringScan(() => scanning.undoDecision(decided.ok ? decided.value.id : "", commandLine));
    await scan();
    expect(await sources()).toEqual([]);
  });
});

test("playlists with equal bytes are never mistaken for each other", async () => {
  const names = ["01", "02", "03"].map((number) => `Cowboy Bebop/${number}/master.m3u8`);
  for (const name of names) put(name, "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n");
  await scan();
  await db.update(films).set({ fingerprint: "57-same" }).where(like(films.path, "Cowboy%"));
  const before = await sources();
  rmSync(join(media, "Cowboy Bebop/01"), { recursive: true });
  put("Cowboy Bebop/04/master.m3u8", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n");
  expect(await scan()).toMatchObject({ value: { moved: 0, gone: 1 } });
  expect(await sources()).toEqual(expect.arrayContaining(before));
});

test("a file that replaces a renamed one is found by the same scan", async () => {
  put("Cowboy Bebop/01.mkv", "the first copy");
  await scan();
  move("Cowboy Bebop/01.mkv", "Cowboy Bebop/01 (old).mkv");
  put("Cowboy Bebop/01.mkv", "a better one");
  expect(await scan()).toMatchObject({ value: { moved: 1 } });
  expect(await filmOf("Cowboy Bebop/01.mkv")).toBeDefined();
});

test("the last full scan is still known after scans of many single folders", async () => {
  put("Cowboy Bebop/01.mkv");
  await scan();
  for (let at = 0; at < 25; at++) await scan("Cowboy Bebop");
  expect((await filmsDoor.listScans(100)).map(({ folder: of }) => of)).toContain("");
});

test("a source that an operator removed is not registered again", async () => {
  put("Cowboy Bebop/01.mkv");
  await scan();
  for (const { id } of await playback.listSources()) await playback.deleteSource(id);
  await scan();
  expect(await sources()).toEqual([]);
});

test("a film that has just arrived waits until its size no longer changes", async () => {
  put("Cowboy Bebop/01.mkv");
  writeFileSync(join(media, "Cowboy Bebop/02.mkv"), "growing");
  expect(await scan()).toMatchObject({ value: { found: 2, registered: 1 } });
  expect((await filmOf("Cowboy Bebop/02.mkv"))?.state).toBe("waiting");
});

test("names that no path can contain are reported, and nothing outside the folder is found", async () => {
  put("Cowboy Bebop/01.mkv");
  put("Cowboy Bebop/0\n2.mkv");
  writeFileSync(
    Buffer.concat([
      Buffer.from(`${media}/Cowboy Bebop - `),
      Buffer.from([0xff, 0xfe]),
      Buffer.from("03.mkv"),
    ]),
    "x",
  );
  expect(await scan()).toMatchObject({ value: { found: 1, registered: 1 } });
  const [last] = await filmsDoor.listScans(1);
  expect(last?.problems.join(" ")).toMatch(/control characters.*not UTF-8|not UTF-8.*control characters/s);
});

test("a source added by hand while a scan registers its film waits for the scan", async () => {
  const path = "Paper Lantern Story/40.mkv";
  await db.insert(films).values({ path });
  let adding: ReturnType<typeof playback.createSource> | undefined;
  // A scan locks the film, and then writes its episode.
  await db.transaction(async (scan) => {
    await scan.execute(sql`select from films where path = ${path} for no key update`);
    adding = playback.createSource({ malId: 2, episode: 40, url: `media:${path}` });
    await untilQueriesWait();
    await scan.insert(episodes).values({ malId: 2, number: 40 }).onConflictDoNothing();
  });
  expect(await adding).toMatchObject({ ok: true });
  expect(await sources()).toEqual([`2 40 media:${path}`]);
});

test.each([
  {
    change: "changed",
    run: (id: string, url: string) => playback.updateSource(id, { url, label: "4K" }),
  },
  { change: "deleted", run: (id: string) => playback.deleteSource(id) },
])("a source that is $change while a scan registers its film waits for the scan", async ({ run }) => {
  const path = "Paper Lantern Story/40.mkv";
  const source = { malId: 2, episode: 40, url: `media:${path}` };
  const added = await playback.createSource(source);
  if (!added.ok) throw new Error(added.message);
  let changing: ReturnType<typeof run> | undefined;
  // A scan locks the film, and then writes its sources.
  await db.transaction(async (scan) => {
    await scan.execute(sql`select from films where path = ${path} for no key update`);
    changing = run(added.value.id, source.url);
    await untilQueriesWait();
    await scan.update(episodeSources).set({ type: "file" }).where(sql`url = ${source.url}`);
  });
  expect(await changing).toMatchObject({ ok: true });
});
