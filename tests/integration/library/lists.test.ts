import { eq } from "drizzle-orm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { editList } from "#app/domain/library/list-edits.server.ts";
import { importList, previewImport } from "#app/domain/library/list-import.server.ts";
import { undoImport } from "#app/domain/library/list-undo.server.ts";
import { listSearches, recordSearch } from "#app/domain/library/search-history.server.ts";
import { listWatched } from "#app/domain/library/watch-history.server.ts";
import { deleteListEntry, listEntries, saveListEntry } from "#app/domain/library/watch-list.server.ts";
import {
  findPlace,
  listContinueWatching,
  reportProgress,
} from "#app/domain/library/watch-progress.server.ts";
import { db, withTransaction } from "#db/client.server.ts";
import { episodes } from "#db/schema/catalog.ts";
import { searchHistory, watchList } from "#db/schema/library.ts";
import { someTitle, someUser } from "#tests/support/people.ts";
import { until } from "#tests/support/settled.ts";

const everything = { showMature: true };

test("a hundred racing changes of one title leave one entry", async () => {
  const [user, malId] = [await someUser(), await someTitle()];
  const saves = Array.from({ length: 100 }, (_, progress) =>
    saveListEntry(user, { malId, type: "Watching", progress }),
  );
  expect((await Promise.all(saves)).every(({ ok }) => ok)).toBe(true);
  expect(await listEntries(user, everything)).toHaveLength(1);
});

test("a change keeps what it does not name, and clears what it sets to nothing", async () => {
  const [user, malId] = [await someUser(), await someTitle({ episodes: 12 })];
  await saveListEntry(user, { malId, type: "Watching", progress: 3, score: 8.5, notes: "so far so good" });
  const saved = await saveListEntry(user, { malId, type: "Watching", progress: 12 });
  expect(saved).toEqual({
    ok: true,
    value: { type: "Watching", progress: 12, title: `Title ${malId}`, offersCompleted: true },
  });
  await saveListEntry(user, { malId, type: "Completed", score: null });
  const [entry] = await listEntries(user, everything);
  expect(entry).toMatchObject({
    type: "Completed",
    progress: 12,
    score: null,
    notes: "so far so good",
    episodes: 12,
  });
});

test("refuses a title the catalog does not hold; removing what is not there is fine", async () => {
  const user = await someUser();
  expect(await saveListEntry(user, { malId: 2 ** 31 - 1, type: "Watching" })).toMatchObject({
    reason: "not_found",
  });
  await deleteListEntry(user, 2 ** 31 - 1);
});

test("lists show mature titles only when they may be shown", async () => {
  const [user, malId] = [await someUser(), await someTitle({ rating: "rx" })];
  await saveListEntry(user, { malId, type: "Collection" });
  expect(await listEntries(user, { showMature: false })).toEqual([]);
  expect(await listEntries(user, { ...everything, type: "Collection" })).toHaveLength(1);
  expect(await listEntries(user, { ...everything, type: "Completed" })).toEqual([]);
});

test("keeps the newest five hundred searches", async () => {
  const user = await someUser();
  const search = (index: number) => ({
    userId: user,
    query: `q${index}`,
    searchedAt: new Date(1_700_000_000_000 + index),
  });
  await db.insert(searchHistory).values(Array.from({ length: 501 }, (_, index) => search(index)));
  for (const { query, searchedAt } of [search(501), search(502)]) await recordSearch(user, query, searchedAt);
  const kept = await listSearches(user, 1000);
  expect([kept.length, kept[0]?.query, kept.at(-1)?.query]).toEqual([500, "q502", "q3"]);
});

test("reports of progress end in the same state in any order", async () => {
  const malId = await someTitle({ episodes: 3 });
  const start = Date.now() - 60_000;
  const report = fc.record({
    episode: fc.integer({ min: 1, max: 3 }),
    position: fc.integer({ min: 0, max: 100 }),
    at: fc.integer({ min: 0, max: 50 }).map((offset) => new Date(start + offset)),
  });
  const runs = fc
    .array(report, { minLength: 1, maxLength: 8 })
    .chain((reports) =>
      fc.tuple(fc.constant(reports), fc.shuffledSubarray(reports, { minLength: reports.length })),
    );
  const endOf = async (reports: { episode: number; position: number; at: Date }[]) => {
    const user = await someUser();
    await saveListEntry(user, { malId, type: "Watching" });
    for (const one of reports) await reportProgress(user, { ...one, malId, duration: 100 });
    const [entry] = await listEntries(user, everything);
    const history = await listWatched(user, { limit: 10, ...everything });
    return {
      places: await Promise.all([1, 2, 3].map((episode) => findPlace(user, malId, episode))),
      watched: history.map(({ ep, watchedAt }) => [ep, watchedAt.getTime()]),
      progress: entry?.progress,
    };
  };
  await fc.assert(
    fc.asyncProperty(runs, async ([reports, shuffled]) => {
      expect(await endOf(shuffled)).toEqual(await endOf(reports));
    }),
    { numRuns: 25 },
  );
});

test("watching moves the list entry up, never down, and offers the next episode", async () => {
  const [user, malId] = [await someUser(), await someTitle({ episodes: 2 })];
  await db.insert(episodes).values([1, 2].map((number) => ({ malId, number, title: `Part ${number}` })));
  await saveListEntry(user, { malId, type: "Watching", progress: 1 });
  const at = new Date(Date.now() + 3_600_000);
  expect(await reportProgress(user, { malId, episode: 1, position: 84, duration: 100, at })).toMatchObject({
    value: { watched: false },
  });
  expect((await findPlace(user, malId, 1))!.at.getTime()).toBeLessThanOrEqual(Date.now());
  expect((await listContinueWatching(user, { ...everything, limit: 5 }))[0]).toMatchObject({
    ep: 1,
    position: 84,
    episodeTitle: "Part 1",
  });
  await reportProgress(user, { malId, episode: 1, position: 85, duration: 100, at: new Date() });
  expect((await listContinueWatching(user, { ...everything, limit: 5 }))[0]).toMatchObject({
    ep: 2,
    position: 0,
    episodeTitle: "Part 2",
  });
  await reportProgress(user, { malId, episode: 2, position: 100, duration: 100, at: new Date() });
  expect(await listContinueWatching(user, { ...everything, limit: 5 })).toHaveLength(0);
  expect((await listEntries(user, everything))[0]?.progress).toBe(2);
});

test("the next episode goes on where it had been left before", async () => {
  const [user, malId] = [await someUser(), await someTitle({ episodes: 3 })];
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const report = (episode: number, position: number, at: Date) =>
    reportProgress(user, { malId, episode, position, duration: 100, at });
  const first = async () => (await listContinueWatching(user, { ...everything, limit: 5 }))[0];
  await report(2, 30, minutesAgo(30));
  await report(1, 90, minutesAgo(20));
  expect(await first()).toMatchObject({ ep: 2, position: 30 });
  await report(2, 95, minutesAgo(15));
  await report(1, 90, minutesAgo(10));
  // Seen to its end as well: from its beginning then.
  expect(await first()).toMatchObject({ ep: 2, position: 0 });
});

test("the next episode is offered by the title's count alone; one that cannot be is refused", async () => {
  const [user, malId] = [await someUser(), await someTitle({ episodes: 2 })];
  const seen = { malId, position: 90, duration: 100, at: new Date() };
  await reportProgress(user, { ...seen, episode: 1 });
  expect((await listContinueWatching(user, { ...everything, limit: 5 }))[0]).toMatchObject({
    ep: 2,
    position: 0,
  });
  await reportProgress(user, { ...seen, episode: 2 });
  expect(await listContinueWatching(user, { ...everything, limit: 5 })).toHaveLength(0);
  expect(await reportProgress(user, { ...seen, episode: 3 })).toMatchObject({ reason: "not_found" });
});

test("an import says what it would change, does it, and takes it back as one", async () => {
  const user = await someUser();
  const [known, fresh, same] = [await someTitle(), await someTitle(), await someTitle()];
  await saveListEntry(user, { malId: known, type: "Watching", progress: 5, notes: "mine" });
  await saveListEntry(user, { malId: same, type: "Completed", progress: 1, score: 7 });
  const before = await listEntries(user, everything);
  const stamps = { title: null, addedAt: null, updatedAt: null };
  const imported = { ...stamps, score: 9, notes: "", startedOn: "2024-01-02", finishedOn: null };
  const file = {
    entries: [
      { ...imported, malId: known, type: "Completed" as const, progress: 3 },
      { ...imported, malId: fresh, type: "To Watch" as const, progress: 0 },
      { ...imported, malId: same, type: "Watching" as const, progress: 1, startedOn: null },
      { ...imported, malId: 2_147_000_000, type: "To Watch" as const, progress: 0 },
    ],
    unplaced: [{ mal_id: null, title: "?", why: "has no MyAnimeList id" }],
  };
  const preview = await previewImport(user, file, { replaceScores: false });
  expect(preview.undo).toBeNull();
  expect(preview.unmatched.map(({ why }) => why)).toEqual([
    "has no MyAnimeList id",
    "is not in this catalog",
  ]);
  expect(await listEntries(user, everything)).toEqual(before);

  const { undo, ...report } = await importList(user, file, { replaceScores: false });
  expect({ ...report, undo: null }).toEqual(preview);
  expect(report.changed).toMatchObject([
    { mal_id: known, after: { type: "Completed", progress: 5, score: 9 } },
  ]);
  expect(report.added).toMatchObject([{ mal_id: fresh, type: "To Watch" }]);
  expect(report.unchanged).toMatchObject([{ mal_id: same }]);

  const again = await importList(user, file, { replaceScores: false });
  expect([again.added, again.changed, again.undo]).toEqual([[], [], null]);
  expect(await undoImport(await someUser(), undo!)).toMatchObject({ reason: "not_found" });
  expect(await undoImport(user, undo!)).toEqual({ ok: true, value: { restored: 1, removed: 1 } });
  expect(await undoImport(user, undo!)).toMatchObject({ reason: "not_found" });
  expect(await listEntries(user, everything)).toEqual(before);
});

test("taking a removal back brings the whole entry back", async () => {
  const [user, malId] = [await someUser(), await someTitle()];
  const entry = { malId, type: "Collection" as const, progress: 2, score: 7.5, notes: "✓\n" };
  await saveListEntry(user, { ...entry, startedOn: "2024-02-29", finishedOn: null });
  const [before] = await listEntries(user, everything);
  const removed = await editList(user, { kind: "remove", ids: [malId] });
  expect(await listEntries(user, everything)).toEqual([]);
  await editList(user, { kind: "restore", entries: removed.ok ? removed.value.undo : [] });
  const { id: _id, addedAt: _added, updatedAt: _updated, ...kept } = before!;
  expect(await listEntries(user, everything)).toMatchObject([kept]);
});

test("an import waits for whoever is changing an entry, and merges with what they leave", async () => {
  const [user, malId] = [await someUser(), await someTitle()];
  await saveListEntry(user, { malId, type: "Watching", progress: 2 });
  const entry = {
    malId,
    type: "Watching" as const,
    progress: 3,
    score: 8,
    notes: "",
    startedOn: null,
    finishedOn: null,
  };
  const file = { entries: [{ ...entry, title: null, addedAt: null, updatedAt: null }], unplaced: [] };
  const { importing } = await withTransaction(async (player) => {
    await player.update(watchList).set({ progress: 9 }).where(eq(watchList.userId, user));
    const importing = importList(user, file, { replaceScores: false });
    await until(async () => {
      const [waiting] = await db.execute(
        "select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      );
      return waiting !== undefined;
    });
    return { importing };
  });
  expect(await importing).toMatchObject({ changed: [{ fields: ["score"] }] });
  expect(await listEntries(user, everything)).toMatchObject([{ progress: 9, score: 8 }]);
});
