import { randomBytes } from "node:crypto";
import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { eq } from "drizzle-orm";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { writeOldFilm as put } from "#tests/support/data/old-films.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** Several folders of films: their paths, films that move between them, links, and files that were skipped. */

const folder = temporaryFolder("roots");
const first = join(folder, "first");
const second = join(folder, "second");
const outside = join(folder, "outside");
process.env.MEDIA_DIR = [first, second].join(delimiter);
process.env.FILMS = "everyone";
const { request } = await import("#tests/support/site/in-process.ts");
const { db } = await import("#db/client.server.ts");
const { films, filmRoots } = await import("#db/schema/films.ts");
const { filmDecisions } = await import("#db/schema/scanning.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const playback = await import("#app/domain/playback/playback.server.ts");
const { commandLine } = await import("#app/domain/events/events.server.ts");
const scanning = await import("#app/domain/scanning/scanning.server.ts");
const filmsDoor = await import("#app/domain/films/films.server.ts");

beforeAll(() =>
  importTitles([
    { kind: "title", mal_id: 1, title: "Cowboy Bebop", type: "TV", episodes: 26 },
    { kind: "title", mal_id: 2, title: "Paper Lantern Story", type: "TV", episodes: 12 },
  ]),
);

beforeEach(async () => {
  for (const root of [first, second, outside]) {
    rmSync(root, { recursive: true, force: true });
    mkdirSync(root, { recursive: true });
  }
  await db.delete(films);
  await db.delete(filmDecisions);
  for (const source of await playback.listSources()) await playback.deleteSource(source.id);
});

async function scan(inside = "") {
  const scanned = await scanning.scanLibrary({ folder: inside, reason: "command" });
  if (!scanned?.ok) throw new Error(scanned?.message ?? "another scan is under way");
  return scanned.value;
}
const sources = async () =>
  (await playback.listSources()).map(({ malId, episode, url }) => `${malId} ${episode} ${url}`).sort();
const filmOf = async (path: string) => (await db.select().from(films).where(eq(films.path, path)))[0];
const statusOf = async (path: string) => (await request(path)).status;

describe("several folders of films", () => {
  test("have numbers and ids, except the first folder, which keeps its paths and URLs", async () => {
    put(first, "Cowboy Bebop/01.mkv");
    put(second, "Cowboy Bebop/02.mkv");
    expect(await scan()).toMatchObject({ found: 2, registered: 2 });
    expect(await sources()).toEqual(["1 1 media:Cowboy Bebop/01.mkv", "1 2 media:.2/Cowboy Bebop/02.mkv"]);
    expect(await statusOf("/media/Cowboy%20Bebop/01.mkv")).toBe(200);
    for (const path of ["/media/.2/Cowboy%20Bebop/02.mkv", "/media/%2e2/Cowboy%20Bebop/02.mkv"])
      expect([400, 404]).toContain(await statusOf(path));
    const film = await filmOf(".2/Cowboy Bebop/02.mkv");
    const answer = await request(`/film/${film?.id}`);
    expect([answer.status, await answer.text()]).toEqual([200, "the film Cowboy Bebop/02.mkv"]);
    const episodes = await request("/api/episodes/getEpisode?id=1&ep=2");
    const text = await episodes.text();
    expect(text).toContain(`/film/${film?.id}`);
    expect(text).not.toMatch(/\.2\/|02\.mkv|second/);
  });

  test("read a film directly in a later folder as in the first one, without the number of the folder", async () => {
    put(second, "Cowboy Bebop - 03.mkv");
    await scan();
    expect(await sources()).toEqual(["1 3 media:.2/Cowboy Bebop - 03.mkv"]);
  });

  test("keep the id and the decisions of a film that moves from one folder to another", async () => {
    put(first, "Strange/01.mkv");
    put(first, "Strange/02.mkv");
    await scan();
    const film = await filmOf("Strange/01.mkv");
    await scanning.decideFilm({ kind: "title", filmId: film?.id ?? "", malId: 2, episode: 7 }, commandLine);
    await scanning.decideFilm({ kind: "title", folder: "Strange", malId: 2, shift: 0 }, commandLine);
    await scan();
    put(first, "Stays/01.mkv");
    renameSync(join(first, "Strange"), join(second, "Strange"));
    put(second, "Strange/03.mkv");
    expect(await scan()).toMatchObject({ moved: 2, gone: 0 });
    expect((await filmOf(".2/Strange/01.mkv"))?.id).toBe(film?.id);
    expect(await sources()).toEqual([
      "2 2 media:.2/Strange/02.mkv",
      "2 3 media:.2/Strange/03.mkv",
      "2 7 media:.2/Strange/01.mkv",
    ]);
  });

  test("change nothing for a folder that is missing or empty, and the others are scanned", async () => {
    put(first, "Cowboy Bebop/01.mkv");
    put(second, "Cowboy Bebop/02.mkv");
    await scan();
    const before = await sources();
    renameSync(second, `${second} elsewhere`);
    put(first, "Cowboy Bebop/03.mkv");
    expect(await scan()).toMatchObject({ registered: 1, gone: 0 });
    expect(await sources()).toEqual(
      [...before.slice(0, 1), "1 3 media:Cowboy Bebop/03.mkv", ...before.slice(1)].sort(),
    );
    expect((await filmsDoor.listScans(1))[0]?.problems.join()).toContain(`${second} cannot be read (ENOENT)`);
    mkdirSync(second);
    expect(await scan()).toMatchObject({ gone: 0 });
    expect((await filmsDoor.listScans(1))[0]?.problems.join()).toContain(`${second} is empty`);
    rmSync(second, { recursive: true });
    renameSync(`${second} elsewhere`, second);
    expect(await scan()).toMatchObject({ gone: 0 });
    expect((await filmOf(".2/Cowboy Bebop/02.mkv"))?.goneAt).toBeNull();
  });

  test("keep their numbers in the database when MEDIA_DIR changes later", async () => {
    await filmsDoor.loadFilmRoots();
    const numbers = await db.select().from(filmRoots).orderBy(filmRoots.number);
    expect(numbers.map(({ number, folder: of }) => [number, of])).toEqual([
      [1, first],
      [2, second],
    ]);
  });
});

describe("links", () => {
  test("into a later folder list its films once, and events in that folder change nothing about them", async () => {
    put(second, "x8a7/01.mkv");
    put(second, "x8a7/02.mkv");
    symlinkSync(join(second, "x8a7"), join(first, "Cowboy Bebop"));
    symlinkSync(join(second, "x8a7"), join(first, "Cowboy Bebop again"));
    expect(await scan()).toMatchObject({ found: 2, registered: 2 });
    const linked = ["1 1 media:Cowboy Bebop/01.mkv", "1 2 media:Cowboy Bebop/02.mkv"];
    expect(await sources()).toEqual(linked);
    await scan(".2/x8a7");
    await scan("Cowboy Bebop again");
    expect(await sources()).toEqual(linked);
    expect(await db.$count(films)).toBe(2);
    const film = await filmOf("Cowboy Bebop/01.mkv");
    expect(await (await request(`/film/${film?.id}`)).text()).toBe("the film x8a7/01.mkv");
  });

  test("that appear or vanish move the films, which keep their ids", async () => {
    put(second, "Paper Lantern Story/01.mkv");
    await scan();
    const id = (await filmOf(".2/Paper Lantern Story/01.mkv"))?.id;
    symlinkSync(join(second, "Paper Lantern Story"), join(first, "Cowboy Bebop"));
    await scan();
    expect((await filmOf("Cowboy Bebop/01.mkv"))?.id).toBe(id);
    rmSync(join(first, "Cowboy Bebop"));
    put(first, "Other/01.mkv");
    await scan();
    expect((await filmOf(".2/Paper Lantern Story/01.mkv"))?.id).toBe(id);
  });

  test("into a folder that is missing now leave its films unchanged", async () => {
    put(second, "x8a7/01.mkv");
    put(second, "pool/a.mkv");
    symlinkSync(join(second, "x8a7"), join(first, "Cowboy Bebop"));
    mkdirSync(join(first, "Paper Lantern Story"));
    symlinkSync(join(second, "pool/a.mkv"), join(first, "Paper Lantern Story/02.mkv"));
    expect(await scan()).toMatchObject({ registered: 2 });
    renameSync(second, `${second} elsewhere`);
    expect(await scan()).toMatchObject({ gone: 0 });
    expect(await passedOver()).toEqual([]);
    renameSync(`${second} elsewhere`, second);
    expect(await scan()).toMatchObject({ gone: 0, moved: 0 });
  });

  test("to a folder and to a subfolder of it list each film once", async () => {
    put(second, "a/b/01.mkv");
    put(second, "a/02.mkv");
    symlinkSync(join(second, "a/b"), join(first, "Cowboy Bebop"));
    symlinkSync(join(second, "a"), join(first, "Paper Lantern Story"));
    expect(await scan()).toMatchObject({ found: 2 });
    expect(await db.$count(films)).toBe(2);
  });

  test("to files list single films", async () => {
    put(second, "pool/a.mkv");
    mkdirSync(join(first, "Cowboy Bebop"));
    symlinkSync(join(second, "pool/a.mkv"), join(first, "Cowboy Bebop/05.mkv"));
    expect(await scan()).toMatchObject({ found: 1, registered: 1 });
    expect(await sources()).toEqual(["1 5 media:Cowboy Bebop/05.mkv"]);
  });

  test("that form circles, leave the folders, or lead to hidden folders or to nothing are not followed", async () => {
    put(first, "Cowboy Bebop/01.mkv");
    put(outside, "Cowboy Bebop/02.mkv");
    put(second, ".hidden/03.mkv");
    symlinkSync("..", join(first, "Cowboy Bebop/up"));
    symlinkSync(join(first, "Cowboy Bebop"), join(first, "By genre"));
    symlinkSync(join(first, "b"), join(first, "a"));
    symlinkSync(join(first, "a"), join(first, "b"));
    symlinkSync(first, join(second, "back"));
    symlinkSync(second, join(first, "there"));
    symlinkSync(outside, join(first, "Outside"));
    symlinkSync(join(second, ".hidden"), join(first, "Hidden"));
    symlinkSync(join(folder, "nowhere.mkv"), join(first, "lost.mkv"));
    expect(await scan()).toMatchObject({ found: 1, registered: 1 });
    const passed = Object.fromEntries((await passedOver()).map(({ path, reason }) => [path, reason]));
    expect(passed).toEqual({
      Outside: "link_outside",
      Hidden: "link_outside",
      a: "link_broken",
      b: "link_broken",
      "lost.mkv": "link_broken",
    });
  });
});

test("a file is not read if another file took its place after it was checked", async () => {
  put(first, "Cowboy Bebop/01.mkv");
  put(outside, "01.mkv", "the secret of the same length");
  await scan();
  const path = "Cowboy Bebop/01.mkv";
  const [opened, file] = [await filmsDoor.openServedFile(path), await filmsDoor.findFilmFile(path)];
  if (!opened.ok || !file) throw new Error("the film is not there");
  renameSync(join(first, "Cowboy Bebop"), join(first, "before"));
  symlinkSync(outside, join(first, "Cowboy Bebop"));
  await expect(opened.value.read(null).toArray()).rejects.toThrow("another file took its place");
  const order = { kind: "inspect", file: file.file, id: file.id } as const;
  const { answer } = await filmsDoor.orderFilm(order, { client: "test" });
  expect(answer).toMatchObject({ kind: "refused", why: "changed" });
});

const passedOver = async () => (await filmsDoor.listPassedOver(100)).files;

describe("a file that is no film", () => {
  test("is listed also if only reading shows it, and needs no decision any more", async () => {
    put(first, "Zzyx Unheard Of/01.mkv", randomBytes(5_000));
    await scan();
    expect((await scanning.countUndecidedFilms()).toDecide).toBe(1);
    await filmsDoor.readUnreadFilms(new AbortController().signal);
    await scan();
    expect(await passedOver()).toEqual([{ path: "Zzyx Unheard Of/01.mkv", reason: "damaged" }]);
    expect((await scanning.countUndecidedFilms()).toDecide).toBe(0);
  });

  test("is listed with the reason, and disappears from the list with the file", async () => {
    put(first, "Cowboy Bebop/01.mkv", "");
    put(first, "Cowboy Bebop/disc.iso");
    put(first, "Cowboy Bebop/02.flv");
    for (const extension of ["m2t", "mk3d", "mpe", "tp", "trp"]) put(second, `Mori/01.${extension}`, "");
    put(second, "Mori/02.m2v");
    put(second, "Mori/02.wtv");
    put(first, "Cowboy Bebop/cover.jpg");
    put(first, "Cowboy Bebop/.hack--SIGN - 05.mkv");
    put(first, "Cowboy Bebop/._01.mkv");
    put(first, "Cowboy Bebop/BDMV/STREAM/00001.m2ts");
    put(second, "Paper Lantern Story/VIDEO_TS/VTS_01_1.VOB");
    expect(await scan()).toMatchObject({ found: 0 });
    const listed = await passedOver();
    expect(listed.map(({ path, reason }) => `${path} ${reason}`).sort()).toEqual([
      ".2/Mori/01.m2t empty",
      ".2/Mori/01.mk3d empty",
      ".2/Mori/01.mpe empty",
      ".2/Mori/01.tp empty",
      ".2/Mori/01.trp empty",
      ".2/Mori/02.m2v format",
      ".2/Mori/02.wtv format",
      ".2/Paper Lantern Story/VIDEO_TS disc_folder",
      "Cowboy Bebop/.hack--SIGN - 05.mkv name",
      "Cowboy Bebop/01.mkv empty",
      "Cowboy Bebop/02.flv format",
      "Cowboy Bebop/BDMV disc_folder",
      "Cowboy Bebop/disc.iso disc_image",
    ]);
    expect((await filmsDoor.listScans(1))[0]?.problems.join()).toContain(
      "Cowboy Bebop/disc.iso: It is the image",
    );
    put(first, "Cowboy Bebop/01.mkv");
    rmSync(join(first, "Cowboy Bebop/disc.iso"));
    rmSync(join(second, "Mori"), { recursive: true });
    await scan();
    expect((await passedOver()).map(({ path }) => path).sort()).toEqual([
      ".2/Paper Lantern Story/VIDEO_TS",
      "Cowboy Bebop/.hack--SIGN - 05.mkv",
      "Cowboy Bebop/02.flv",
      "Cowboy Bebop/BDMV",
    ]);
  });
});
