import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { changeCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import { getHome } from "#app/domain/discovery/discovery.server.ts";
import { renewFranchises } from "#app/domain/franchises/franchises.server.ts";
import {
  dismissTitle,
  type EntryEdit,
  editList,
  reportProgress,
  undismissTitle,
} from "#app/domain/library/library.server.ts";
import { updateProfile } from "#app/domain/profile/profile.server.ts";
import { anybody, createViewer } from "#app/domain/visibility/visibility.server.ts";
import { demonstrationId } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import type { Ceiling } from "#db/schema/enumerations.ts";
import { episodeSources, episodes } from "#db/schema/episodes.ts";
import { householdTitles } from "#db/schema/library.ts";
import { someTitle, someUser } from "#tests/support/data/database-rows.ts";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { newChild } from "#tests/support/requests/household.ts";
import { htmlOf } from "#tests/support/requests/response-data.ts";
import { newMember } from "#tests/support/requests/visitor.ts";

const now = new Date("2025-05-01T12:00:00Z");
const home = (userId: string | null, at = now) => getHome({ userId, viewer: anybody, timeZone: "UTC" }, at);
const ids = (titles: readonly { malId: number }[] = []) => titles.map((title) => title.malId);

const finished = {
  kind: "title",
  type: "TV",
  aired_from: "2020-01-05T00:00:00Z",
  aired_to: "2020-03-29T00:00:00Z",
};
const mystery = { ...finished, genres: ["Mystery"] };
const sport = { ...finished, genres: ["Sports"] };

beforeAll(async () => {
  await importTitles([
    { ...mystery, mal_id: 1, title: "Lantern at the gate", popularity: 1, score: 8 },
    { ...mystery, mal_id: 2, title: "Who moved the well", popularity: 2, score: 7 },
    { ...mystery, mal_id: 3, title: "A letter without ink", popularity: 3, score: 6 },
    { ...sport, mal_id: 4, title: "Last lap", popularity: 4, score: 9 },
    { ...sport, mal_id: 5, title: "Offside in the rain", popularity: 5, score: 5 },
    ...[11, 12].map((mal_id) => ({
      ...mystery,
      mal_id,
      title: `Riddle ${mal_id}`,
      popularity: mal_id,
      score: 2,
    })),
    ...[14, 15, 16].map((mal_id) => ({
      ...sport,
      mal_id,
      title: `Match ${mal_id}`,
      popularity: mal_id,
      score: 3,
    })),
    { ...mystery, mal_id: 6, title: "Grown-up riddle", popularity: 6, rating: "Rx - Hentai" },
    {
      ...finished,
      type: "Movie",
      mal_id: 7,
      title: "Alone in its genre",
      genres: ["Gourmet"],
      popularity: 7,
    },
    {
      kind: "title",
      type: "TV",
      mal_id: 8,
      title: "A story to come",
      popularity: 8,
      aired_from: `${new Date().getUTCFullYear() + 2}-01-01T00:00:00Z`,
    },
    {
      kind: "title",
      type: "TV",
      mal_id: 9,
      title: "A story without a day",
      status: "Not yet aired",
      popularity: 1,
    },
  ]);
});

const makePlayable = (malId: number, numbers: readonly number[]) =>
  changeCatalog([], async (transaction) => {
    await transaction.insert(episodes).values(numbers.map((number) => ({ malId, number })));
    await transaction.insert(episodeSources).values(
      numbers.map((episode) => ({
        malId,
        episode,
        type: "hls" as const,
        url: `https://films.test/${malId}/${episode}`,
      })),
    );
  });

/** The rows of the page that say why they recommend their titles to the member. */
const reasonsOf = async (userId: string | null) =>
  (await home(userId)).rows.flatMap((row) => (row.kind === "because" ? [row] : []));
const saved = (userId: string, malId: number, fields: EntryEdit) =>
  editList(userId, { kind: "save", malId, ...fields }, anybody);

describe("recommendations", () => {
  test("a visitor, or a member whose taste is unknown, gets none", async () => {
    expect(await reasonsOf(null)).toEqual([]);
    expect(await reasonsOf(await someUser())).toEqual([]);
  });

  test("a member with a favorite genre gets its best known titles", async () => {
    const user = await someUser();
    await updateProfile(user, { favoriteGenres: ["Mystery", "Sports"] });
    const [row, ...more] = await reasonsOf(user);
    expect([row?.because, ids(row?.titles), more]).toEqual([
      { kind: "genre", genre: "Mystery" },
      [1, 2, 3, 11, 12],
      [],
    ]);
  });

  test("a member with a favorite title gets titles similar to it before those of a genre", async () => {
    const user = await someUser();
    await updateProfile(user, { favoriteGenres: ["Mystery"], favoriteAnimes: [4] });
    const [row] = await reasonsOf(user);
    expect(row?.because).toMatchObject({ kind: "loved", title: { malId: 4 } });
    expect(ids(row?.titles)).toContain(5);
  });

  test("the two titles that a member liked best give two rows without a common title", async () => {
    const user = await someUser();
    await saved(user, 4, { type: "Completed", score: 9 });
    await saved(user, 1, { type: "Completed", score: 10 });
    await saved(user, 3, { type: "Completed" });
    const rows = await reasonsOf(user);
    expect(rows.map(({ because }) => because)).toMatchObject([
      { kind: "liked", title: { malId: 1 } },
      { kind: "liked", title: { malId: 4 } },
    ]);
    const shown = rows.flatMap(({ titles }) => ids(titles));
    expect(new Set(shown).size).toBe(shown.length);
    expect(shown).toEqual(expect.arrayContaining([2, 5]));
  });

  test("a title finished with a low score counts as disliked", async () => {
    const user = await someUser();
    await updateProfile(user, { favoriteAnimes: [4] });
    await saved(user, 1, { type: "Completed", score: 6 });
    expect((await reasonsOf(user))[0]?.because).toMatchObject({ kind: "loved" });
  });

  test("a title without similar ones gives way to the next reason", async () => {
    const user = await someUser();
    await updateProfile(user, { favoriteGenres: ["Sports"], favoriteAnimes: [7] });
    expect((await reasonsOf(user))[0]?.because).toEqual({ kind: "genre", genre: "Sports" });
  });

  test("the third title is the reason if nothing resembles the first two, and known titles are left out", async () => {
    const user = await someUser();
    await updateProfile(user, { favoriteAnimes: [7, 8, 4] });
    const [row, ...more] = await reasonsOf(user);
    expect([row?.because, more]).toMatchObject([{ kind: "loved", title: { malId: 4 } }, []]);
    expect(ids(row?.titles)).toContain(5);
    await saved(user, 5, { type: "To Watch" });
    expect((await reasonsOf(user)).flatMap(({ titles }) => ids(titles))).not.toContain(5);
  });

  test("listed, watched and dismissed titles are left out, and a row of fewer than three as well", async () => {
    const user = await someUser();
    await updateProfile(user, { favoriteGenres: ["Mystery"] });
    const shown = async () => (await reasonsOf(user)).flatMap(({ titles }) => ids(titles));
    await saved(user, 2, { type: "To Watch" });
    expect(await shown()).toEqual([1, 3, 11, 12]);
    await reportProgress(
      user,
      { malId: 1, episode: 1, position: 99, duration: 100, at: new Date() },
      anybody,
    );
    expect(await shown()).toEqual([3, 11, 12]);
    expect((await dismissTitle(user, { malId: 11, place: "suggestions" }, anybody)).ok).toBe(true);
    expect(await shown()).toEqual([]);
    await undismissTitle(user, { malId: 11, place: "suggestions" });
    expect(await shown()).toEqual([3, 11, 12]);
  });
});

describe("a member's rows", () => {
  test("come in a fixed order, without short ones", async () => {
    const user = await someUser();
    await saved(user, 1, { type: "Completed", score: 10 });
    await saved(user, 4, { type: "Completed", score: 9 });
    const kinds = (await home(user)).rows.map(({ kind }) => kind);
    expect(kinds).toEqual(["because", "because", "season"]);
  });

  test("contain no dropped or dismissed title, and no dismissed title leads the page", async () => {
    const user = await someUser();
    expect(ids((await home(user)).rows.flatMap(({ titles }) => titles))).toContain(4);
    await saved(user, 1, { state: "dropped" });
    await dismissTitle(user, { malId: 4, place: "suggestions" }, anybody);
    const { rows, hero } = await home(user);
    const shown = ids(rows.flatMap(({ titles }) => titles));
    expect(shown).toContain(2);
    expect(shown).not.toContain(1);
    expect(shown).not.toContain(4);
    expect(hero?.title.malId).not.toBe(4);
  });
});

test("rows without titles are left out, and no row has a mature title", async () => {
  const { rows } = await home(null);
  expect(rows.map(({ kind }) => kind)).toEqual(["season", "best rated", "movies", "coming up"]);
  expect(rows.map((row) => ids(row.titles)[0])).toEqual([1, 4, 7, 8]);
  expect(rows.flatMap((row) => ids(row.titles))).not.toContain(6);
  expect(ids(rows.at(-1)?.titles), "only titles with a day are coming up").toEqual([8]);
});

test("a member's home has the entry about each title shown", async () => {
  const user = await someUser();
  await editList(user, { kind: "save", malId: 4, type: "Watching", progress: 3 }, anybody);
  const { cardStates } = await home(user);
  expect([...cardStates]).toEqual([[4, expect.objectContaining({ type: "Watching", progress: 3 })]]);
});

describe("playable titles", () => {
  test("without any, the best known title of the season leads the page", async () => {
    expect((await home(null)).hero).toMatchObject({ title: { malId: 1 }, step: { firstPlayable: null } });
  });

  test("a few are shown by their first episodes, and many in a row of titles", async () => {
    await makePlayable(1, [1, 2]);
    const few = await home(null);
    expect(few.firstEpisodes.map(({ title, episode }) => [title.malId, episode.number])).toEqual([
      [1, 1],
      [1, 2],
    ]);
    expect(few.rows.map(({ kind }) => kind)).not.toContain("playable");
    for (const malId of [2, 3, 4]) await makePlayable(malId, [1]);
    const many = await home(null);
    expect(many.firstEpisodes).toEqual([]);
    expect(many.rows[0]).toMatchObject({ kind: "playable" });
    expect(ids(many.rows[0]?.titles)).toEqual([1, 2, 3, 4]);
  });

  test("a different one leads the page each day", async () => {
    const leading = await Promise.all(
      [0, 1, 2, 3, 4].map(async (day) => (await home(null, new Date(now.getTime() + day * 86_400_000))).hero),
    );
    expect(leading.every((hero) => hero?.step?.firstPlayable === 1)).toBe(true);
    expect(new Set(leading.slice(0, 4).map((hero) => hero?.title.malId))).toEqual(new Set([1, 2, 3, 4]));
    expect(leading[4]).toEqual(leading[0]);
  });

  test("a member continues the title watched last, and a visitor none", async () => {
    const user = await someUser();
    const report = { position: 60, duration: 1400 };
    await reportProgress(
      user,
      { malId: 1, episode: 1, ...report, at: new Date(Date.now() - 60_000) },
      anybody,
    );
    await reportProgress(user, { malId: 2, episode: 1, ...report, at: new Date() }, anybody);
    const { goOn } = await home(user);
    expect(goOn.map(({ title, episode }) => [title.malId, episode])).toEqual([
      [2, 1],
      [1, 1],
    ]);
    expect((await home(null)).goOn).toEqual([]);
  });

  test("a card removed from Continue returns when its member continues the title", async () => {
    const user = await someUser();
    const watch = (position: number) =>
      reportProgress(user, { malId: 1, episode: 1, position, duration: 1400, at: new Date() }, anybody);
    const cards = async () => (await home(user)).goOn.map(({ title }) => title.malId);
    await watch(60);
    expect(await cards()).toEqual([1]);
    expect((await dismissTitle(user, { malId: 1, place: "continue" }, anybody)).ok).toBe(true);
    expect(await cards()).toEqual([]);
    await watch(90);
    expect(await cards()).toEqual([1]);
  });

  test("no title that is finished, dropped, or lacks the next episode leads the member's page", async () => {
    const user = await someUser();
    const heroes = () =>
      Promise.all(
        [0, 1, 2, 3].map(
          async (day) => (await home(user, new Date(now.getTime() + day * 86_400_000))).hero?.title.malId,
        ),
      );
    await editList(user, { kind: "save", malId: 1, type: "Completed" }, anybody);
    await editList(user, { kind: "save", malId: 2, state: "dropped" }, anybody);
    expect(new Set(await heroes())).toEqual(new Set([3, 4]));
    await editList(user, { kind: "save", malId: 3, type: "Watching", progress: 90 }, anybody);
    expect(new Set(await heroes())).toEqual(new Set([4]));
    await editList(user, { kind: "save", malId: 3, type: "Completed" }, anybody);
    await editList(user, { kind: "save", malId: 4, type: "Completed" }, anybody);
    expect(new Set(await heroes())).toEqual(new Set([5]));
  });
});

describe("a home page whose other rows have no title of the first genres", () => {
  const crowd = Array.from({ length: 14 }, (_, index) => ({
    ...finished,
    mal_id: 100 + index,
    title: `Crowd ${index}`,
    genres: ["Horror"],
    aired_from: "2025-04-05T00:00:00Z",
    aired_to: "2025-04-26T00:00:00Z",
    score: 9.9,
  }));

  test("known titles are also left out of the later reasons", async () => {
    await importTitles(crowd);
    // An import takes effect a moment later, an edit at once.
    await changeCatalog([], () => Promise.resolve());
    const user = await someUser();
    await updateProfile(user, { favoriteAnimes: [7, 8, 4] });
    const titlesOf = async (kind: string) =>
      (await home(user)).rows.filter((row) => row.kind === kind).flatMap(({ titles }) => ids(titles));
    expect([await titlesOf("season"), await titlesOf("best rated")].flat()).not.toContain(5);
    expect(await titlesOf("because")).toContain(5);
    await saved(user, 5, { type: "To Watch" });
    expect(await titlesOf("because")).toContain(15);
    expect(await titlesOf("because")).not.toContain(5);
  });
});

test("a member whose only listed title is hidden is new", async () => {
  const user = await someUser();
  const malId = await someTitle();
  await editList(user, { kind: "save", malId, type: "Completed", score: 9 }, anybody);
  expect((await home(user)).isNew).toBe(false);
  await db.update(titles).set({ hiddenAt: new Date() }).where(eq(titles.malId, malId));
  await changeCatalog([], () => Promise.resolve());
  expect((await home(user)).isNew).toBe(true);
});

test("a long list without films does not push out what can be watched", async () => {
  const user = await someUser();
  expect((await home(user)).isNew).toBe(true);
  const imported = Array.from({ length: 20 }, (_, index) => 200 + index);
  await importTitles(
    imported.map((mal_id) => ({ ...finished, mal_id, title: `Unlike ${mal_id}`, episodes: 12 })),
  );
  await changeCatalog([], () => Promise.resolve());
  for (const malId of [1, ...imported])
    await editList(user, { kind: "save", malId, type: "Watching", progress: 1 }, anybody);
  const { goOn, missing, isNew } = await home(user);
  expect(isNew).toBe(false);
  expect(goOn.map(({ title, episode }) => [title.malId, episode])).toEqual([[1, 2]]);
  expect(missing.length).toBe(13);
});

describe("next on the list", () => {
  const planned = [300, 301, 302, 303];

  test("titles to watch without a film come after begun ones, one of each franchise", async () => {
    await importTitles([
      ...planned.map((mal_id) => ({ ...finished, mal_id, title: `Planned ${mal_id}`, episodes: 12 })),
      { kind: "relation", from: 301, to: 302, relation: "sequel" },
    ]);
    await makePlayable(303, [1]);
    await renewFranchises();
    const user = await someUser();
    for (const malId of [300, 302, 301, 303, 8]) await saved(user, malId, { type: "To Watch" });
    const shown = async () => ids((await home(user)).planned);
    expect(await shown()).toEqual([301, 300]);
    // The begun title has its own card, and its sequel none.
    await saved(user, 301, { type: "Watching", progress: 1 });
    expect(await shown()).toEqual([300]);
    expect((await home(user)).missing.map(({ title }) => title.malId)).toEqual([301]);
    expect((await dismissTitle(user, { malId: 300, place: "continue" }, anybody)).ok).toBe(true);
    expect(await shown()).toEqual([]);
  });

  test("a child's home has only what can be watched, and no season, reason or missing title", async () => {
    const user = await someUser();
    await saved(user, 300, { type: "To Watch" });
    await saved(user, 301, { type: "Watching", progress: 1 });
    await updateProfile(user, { favoriteAnimes: [4] });
    const child = createViewer({
      parentalControl: true,
      isMember: true,
      watchesFilms: true,
      ceiling: { limit: "r", accountId: user, chosenAt: "" },
    });
    const page = await getHome({ userId: user, viewer: child, timeZone: "UTC" }, now);
    expect([page.missing, page.planned, page.rows.map(({ kind }) => kind)]).toEqual([[], [], ["here"]]);
  });

  test("a child's home begins with the allowed titles that can be watched, the last allowed first", async () => {
    const user = await someUser();
    const chosenAt = (minute: number) => new Date(now.getTime() + minute * 60_000);
    await db.insert(householdTitles).values([
      { userId: user, malId: 1, verdict: "allowed", chosenAt: chosenAt(1) },
      { userId: user, malId: 303, verdict: "allowed", chosenAt: chosenAt(2) },
      { userId: user, malId: 300, verdict: "allowed", chosenAt: chosenAt(3) },
    ]);
    const rowsUpTo = async (limit: Ceiling) => {
      const viewer = createViewer({
        parentalControl: true,
        isMember: true,
        watchesFilms: true,
        ceiling: { limit, accountId: user, chosenAt: "" },
      });
      const { rows } = await getHome({ userId: user, viewer, timeZone: "UTC" }, now);
      return rows.map(({ kind, titles }) => [kind, ids(titles)]);
    };
    expect(await rowsUpTo("chosen")).toEqual([["chosen", [303, 1]]]);
    const [chosen, here] = await rowsUpTo("r");
    expect([chosen, here?.[0]]).toEqual([["chosen", [303, 1]], "here"]);
    expect(here?.[1]).not.toContain(303);
  });
});

test("a child's home goes on with allowed titles where little can be watched here", async () => {
  const user = await someUser();
  const chosenAt = now;
  await db
    .insert(householdTitles)
    .values([1, 11, 12, 14].map((malId) => ({ userId: user, malId, verdict: "allowed" as const, chosenAt })));
  const viewer = createViewer({
    parentalControl: true,
    isMember: true,
    watchesFilms: true,
    ceiling: { limit: "chosen", accountId: user, chosenAt: "" },
  });
  const { rows } = await getHome({ userId: user, viewer, timeZone: "UTC" }, now);
  expect(rows.map(({ kind, titles }) => [kind, ids(titles)])).toEqual([
    ["chosen", [1]],
    ["allowed", [14, 11, 12]],
  ]);
});

test("a child's home says once what can be watched here, also with a title shown large", async () => {
  const { child } = await newChild("r");
  const page = await htmlOf(child.request("/"));
  expect(page).toMatch(/aria-label="Featured".*>Watch</s);
  expect(page.match(/>Watch here</g)).toHaveLength(1);
});

test("a new member is asked for tastes only until there are some", async () => {
  const member = await newMember();
  const page = async () => (await member.request("/")).text();
  const asked = "Say what you like";
  const before = await page();
  expect(before).toContain("Bring your list");
  expect(before).toContain(asked);
  await updateProfile(member.id, { favoriteAnimes: [7, 8, 4] });
  const after = await page();
  expect(after).toContain("Bring your list");
  expect(after).toContain("Three for your taste");
  expect(after).not.toContain(asked);
});

test("two rows whose reasons have the same name stay apart when the page is rendered again", async () => {
  await importTitles([
    { ...mystery, mal_id: 31, title: "Twice told", popularity: 31 },
    { ...sport, mal_id: 32, title: "Twice told", popularity: 32 },
  ]);
  const member = await newMember();
  await updateProfile(member.id, { favoriteAnimes: [31, 32] });
  await saved(member.id, 8, { type: "To Watch" });
  const page = await htmlOf(member.request("/"));
  expect(page.match(/>Because you love Twice told</g)).toHaveLength(2);
  const data = await htmlOf(member.request("/_.data"));
  for (const malId of [31, 32]) expect(data).toContain(`"because ${malId}"`);
});

test("the demonstration leads the page only if no other title can be watched", async () => {
  await importTitles([{ ...mystery, mal_id: demonstrationId, title: "Demonstration", popularity: 1 }]);
  await makePlayable(demonstrationId, [1]);
  const leading = await Promise.all(
    [0, 1, 2, 3, 4, 5].map(
      async (day) => (await home(null, new Date(now.getTime() + day * 86_400_000))).hero,
    ),
  );
  expect(ids(leading.map((hero) => hero!.title))).not.toContain(demonstrationId);
});
