import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { changeCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import { getHome } from "#app/domain/discovery/discovery.server.ts";
import { listIncompleteTitles } from "#app/domain/films/films.server.ts";
import { type EntryEdit, editList } from "#app/domain/library/library.server.ts";
import { createViewer, unrestricted, type Viewer } from "#app/domain/visibility/visibility.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { episodeSources, episodes } from "#db/schema/episodes.ts";
import { films } from "#db/schema/films.ts";
import { someTitle, someUser } from "#tests/support/data/database-rows.ts";

/** New films on the home page, and missing episodes for operators. */

const day = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * day);
type Here = { numbers: number[]; arrivedAt?: Date; goneAt?: Date; path?: string };

async function addFilms(malId: number, { numbers, arrivedAt = ago(1), goneAt, path = `${malId}` }: Here) {
  await changeCatalog([], async (transaction) => {
    for (const episode of numbers) {
      const file = `${path}/${episode}.mkv`;
      const [film] = await transaction
        .insert(films)
        .values({ path: file, arrivedAt, ...(goneAt && { goneAt }) })
        .returning({ id: films.id });
      await transaction.insert(episodes).values({ malId, number: episode }).onConflictDoNothing();
      const url = path.startsWith("/film/") ? file : `media:${file}`;
      await transaction
        .insert(episodeSources)
        .values({ malId, episode, url, type: "file", filmId: film?.id ?? null });
    }
  });
}

const newHere = async (viewer: Viewer) => {
  const { rows } = await getHome({ userId: null, viewer, timeZone: "UTC" }, new Date());
  return rows.find(({ kind }) => kind === "new here")?.titles.map(({ malId }) => malId);
};
const member = createViewer({ parentalControl: true, isMember: true, watchesFilms: true });

let ids: Record<string, number>;
beforeAll(async () => {
  ids = {
    older: await someTitle({ title: "Older", episodes: 12, status: "Finished Airing" }),
    newer: await someTitle({ title: "Newer", episodes: 12 }),
    adult: await someTitle({ title: "Adult", episodes: 2, rating: "rx" }),
    gone: await someTitle({ title: "Gone", episodes: 2 }),
    longHere: await someTitle({ title: "Long here", episodes: 2 }),
    demonstration: await someTitle({ title: "Demonstration", episodes: 3 }),
    onAir: await someTitle({ title: "On air", episodes: 12, airedFrom: ago(20), status: "Currently Airing" }),
    endless: await someTitle({ title: "Endless" }),
  };
  await addFilms(ids.older!, { numbers: [1, 2, 3, 4, 5, 6, 8, 10, 11, 12], arrivedAt: ago(5) });
  await addFilms(ids.newer!, { numbers: [3], arrivedAt: ago(2) });
  await addFilms(ids.adult!, { numbers: [1, 2] });
  await addFilms(ids.gone!, { numbers: [1, 2], goneAt: ago(1) });
  await addFilms(ids.longHere!, { numbers: [1, 2], arrivedAt: ago(40) });
  await addFilms(ids.demonstration!, { numbers: [1], path: "/film/9" });
  await addFilms(ids.onAir!, { numbers: [1, 3], arrivedAt: ago(3) });
  await addFilms(ids.endless!, { numbers: [1, 4], arrivedAt: ago(4) });
});

test("the home page lists last month's new films that the viewer may see, newest first", async () => {
  const { newer, onAir, endless, older, adult } = ids;
  expect(await newHere(member)).toEqual([newer, onAir, endless, older]);
  expect(await newHere(unrestricted)).toEqual([adult, newer, onAir, endless, older]);
});

test("a member's row begins with followed titles to watch on, and has none whose next episode is not here", async () => {
  const { older, newer, longHere, endless, onAir } = ids as Record<string, number>;
  const userId = await someUser();
  const entries: [number | undefined, EntryEdit][] = [
    [older, { type: "Watching", progress: 6 }],
    [endless, { type: "Watching", progress: 4 }],
    [newer, { type: "Completed" }],
    [longHere, { type: "To Watch" }],
  ];
  for (const [malId = 0, entry] of entries) await editList(userId, { kind: "save", malId, ...entry }, member);
  const { rows, missing } = await getHome({ userId, viewer: member, timeZone: "UTC" }, new Date());
  const here = rows.find(({ kind }) => kind === "here")?.titles.map(({ malId }) => malId) ?? [];
  expect([here.slice(0, 2), here.at(-1)]).toEqual([[longHere, onAir], newer]);
  expect(here).not.toContain(older);
  expect(here).not.toContain(endless);
  expect(missing.map(({ title }) => title.malId)).toEqual([older]);
});

test("a visitor who may not see films sees none of them", async () => {
  expect(await newHere(createViewer({ parentalControl: true }))).toBeUndefined();
});

test("a title that an operator hides leaves the row at once", async () => {
  const hide = (hiddenAt: Date | null) =>
    changeCatalog([], async (transaction) => {
      await transaction.update(titles).set({ hiddenAt }).where(eq(titles.malId, ids.newer!));
    });
  await hide(new Date());
  expect(await newHere(member)).not.toContain(ids.newer);
  await hide(null);
  expect((await newHere(member))?.[0]).toBe(ids.newer);
});

test("operators see which episodes are missing; for airing titles, only those before the last film", async () => {
  const missing = (await listIncompleteTitles(100)).map(({ title, missing }) => [title, missing]);
  expect(missing).toEqual([
    ["Endless", [2, 3]],
    ["Newer", [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12]],
    ["Older", [7, 9]],
    ["On air", [2]],
  ]);
});
