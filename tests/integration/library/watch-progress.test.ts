import { sql } from "drizzle-orm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { listContinueWatching } from "#app/domain/discovery/discovery.server.ts";
import {
  editList,
  findOwnEntry,
  getSeenAndNote,
  listEntries,
  listResumePoints,
  listWatchHistory,
  reportProgress,
} from "#app/domain/library/library.server.ts";
import { anybody } from "#app/domain/visibility/visibility.server.ts";
import { preparedDb } from "#db/client.server.ts";
import { someTitle, someUser } from "#tests/support/data/database-rows.ts";
import { bytesReadBy } from "#tests/support/database/bytes-read.ts";

const asAnybody = { viewer: anybody };

test("progress reports in any order end in the same state", async () => {
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
    await editList(user, { kind: "save", malId, type: "Watching" }, anybody);
    for (const one of reports) await reportProgress(user, { ...one, malId, duration: 100 }, anybody);
    const [entry] = await listEntries(user, asAnybody);
    const history = await listWatchHistory(user, { limit: 10, ...asAnybody });
    return {
      resumePoints: (await listResumePoints(user, malId, { first: 1, last: 3 })).sort(
        (one, other) => one.episode - other.episode,
      ),
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

test("the next episode has its earlier resume point, or starts at zero if it was watched to its end", async () => {
  const [user, malId] = [await someUser(), await someTitle({ episodes: 3 })];
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const report = (episode: number, position: number, at: Date) =>
    reportProgress(user, { malId, episode, position, duration: 100, at }, anybody);
  const first = async () => (await listContinueWatching(user, { ...asAnybody, limit: 5 }))[0];
  await report(2, 30, minutesAgo(30));
  await report(1, 90, minutesAgo(20));
  expect(await first()).toMatchObject({ ep: 2, position: 30 });
  await report(2, 95, minutesAgo(15));
  await report(1, 90, minutesAgo(10));
  expect(await first()).toMatchObject({ ep: 2, position: 0 });
});

test("the next episode is offered up to the title's number of episodes, and a report beyond it is refused", async () => {
  const [user, malId] = [await someUser(), await someTitle({ episodes: 2 })];
  const seen = { malId, position: 90, duration: 100, at: new Date() };
  await reportProgress(user, { ...seen, episode: 1 }, anybody);
  expect((await listContinueWatching(user, { ...asAnybody, limit: 5 }))[0]).toMatchObject({
    ep: 2,
    position: 0,
  });
  await reportProgress(user, { ...seen, episode: 2 }, anybody);
  expect(await listContinueWatching(user, { ...asAnybody, limit: 5 })).toHaveLength(0);
  expect(await reportProgress(user, { ...seen, episode: 3 }, anybody)).toMatchObject({ reason: "not_found" });
});

test("the watched episodes of a long series are read as runs, and too many runs as one", async () => {
  const user = await someUser();
  const [whole, odd, few] = [await someTitle(), await someTitle(), await someTitle()];
  const watch = (malId: number, condition: string) =>
    preparedDb.execute(sql`insert into watch_history (user_id, mal_id, episode)
      select ${user}::uuid, ${malId}::int, episode from generate_series(1, 9999) as episode
      where ${sql.raw(condition)}`);
  await watch(whole, "true");
  await watch(odd, "episode % 2 = 1");
  await watch(few, "episode in (1, 2, 5)");
  const ids = [whole, odd, few];
  const ticks = [
    [[1, 9999]],
    [[1, 9999]],
    [
      [1, 2],
      [5, 5],
    ],
  ];
  const read = async () => {
    for (const [at, malId] of ids.entries())
      expect((await getSeenAndNote(user, malId)).seen).toEqual(ticks[at]);
  };
  expect(await bytesReadBy(read)).toBeLessThan(1000);
  expect(await getSeenAndNote(user, await someTitle())).toEqual({ seen: [], notes: "" });
  await editList(user, { kind: "add", ids, fields: { type: "Watching" } }, anybody);
  for (const [at, malId] of ids.entries())
    expect((await findOwnEntry(user, malId))?.ticks).toEqual(ticks[at]);
});

test("a page of a long history is read without the rest of it", async () => {
  const [user, malId] = [await someUser(), await someTitle()];
  await preparedDb.execute(sql`insert into watch_history (user_id, mal_id, episode, watched_at)
    select ${user}::uuid, ${malId}::int, episode, timestamptz '2024-01-01' + episode * interval '1 second'
    from generate_series(1, 9999) as episode`);
  await preparedDb.execute(sql`vacuum analyze titles, episodes, watch_history`);
  const before = { at: new Date("2024-01-01T01:00:00Z"), episode: { malId, ep: 3600 } };
  for (const page of [{}, { before }]) {
    const query = listWatchHistory(user, { ...page, limit: 10, ...asAnybody });
    const plan = await preparedDb.execute(sql`explain (analyze, timing off, format json) ${query.getSQL()}`);
    const rows = [...JSON.stringify(plan).matchAll(/"Actual Rows":(\d+)/g)].map(([, count]) => Number(count));
    expect(rows.length).toBeGreaterThan(2);
    expect(Math.max(...rows)).toBeLessThan(100);
  }
});
