import { and, desc, eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { endFilmPasses, lockAccount } from "#app/domain/accounts/accounts.server.ts";
import { editTitle, findReplacement } from "#app/domain/catalog-editing/catalog-editing.server.ts";
import {
  dismissTitle,
  findTrackChoice,
  reportProgress,
  undismissTitle,
  undoImport,
} from "#app/domain/library/library.server.ts";
import {
  createLocalTitle,
  replaceLocalTitle,
  replaceLocalTitlesByIds,
} from "#app/domain/local-titles/local-titles.server.ts";
import { createSource, createSubtitles, listSources } from "#app/domain/playback/playback.server.ts";
import { anybody } from "#app/domain/visibility/visibility.server.ts";
import { db, withTransaction } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { titleRelations, titles } from "#db/schema/catalog.ts";
import { listStatuses } from "#db/schema/enumerations.ts";
import { securityEvents } from "#db/schema/events.ts";
import {
  dismissals,
  episodeWishes,
  householdTitles,
  importUndos,
  trackChoices,
  watchHistory,
  watchList,
  watchProgress,
  wishes,
} from "#db/schema/library.ts";
import { exportedText } from "#tests/support/data/catalog-text.ts";
import { someTitle, someUser } from "#tests/support/data/database-rows.ts";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { untilQueriesWait } from "#tests/support/database/lock-waits.ts";
import { whileRefused } from "#tests/support/database/refused-writes.ts";
import { newMember, Visitor } from "#tests/support/requests/visitor.ts";

/** Titles that exist only on this site, and their replacement by catalog titles with all data of members. */

const actor = { kind: "command", ip: null } as const;
let [local, real] = [0, 0];

async function someLocalTitle(sameAs: string[] = []): Promise<number> {
  const made = await createLocalTitle({ name: "Attic Films", type: "TV", sameAs }, actor);
  if (!made.ok) throw new Error(made.message);
  return made.value.malId;
}
const people = [await someUser(), await someUser(), await someUser()];
beforeEach(async () => {
  for (const table of [watchList, watchProgress, watchHistory, importUndos]) await db.delete(table);
  real = await someTitle();
  local = await someLocalTitle();
});

const replace = () => replaceLocalTitle({ from: local, to: real }, actor);
const ofUser = (userId: string, table: typeof watchList | typeof watchProgress | typeof watchHistory) =>
  and(eq(table.userId, userId), eq(table.malId, real));

const episode = fc.integer({ min: 1, max: 6 });
const at = fc.integer({ min: 1, max: 1000 }).map((minute) => new Date(Date.UTC(2026, 0, 1, 0, minute)));
const entry = fc.record({
  type: fc.constantFrom(...listStatuses),
  ticked: fc.uniqueArray(episode),
  notes: fc.constantFrom("", "Mine", "Other"),
  score: fc.option(fc.integer({ min: 0, max: 10 })),
  rewatchCount: fc.integer({ min: 0, max: 3 }),
});
/** All data that one member has about one title. */
const collection = fc.record({
  entry: fc.option(entry),
  history: fc.uniqueArray(fc.record({ episode, at }), { selector: (one) => one.episode }),
  progress: fc.uniqueArray(fc.record({ episode, at, position: fc.integer({ min: 0, max: 99 }) }), {
    selector: (one) => one.episode,
  }),
});
type Collection = typeof collection extends fc.Arbitrary<infer Value> ? Value : never;

async function store(userId: string, malId: number, { entry: own, history, progress }: Collection) {
  if (own) {
    const { ticked, ...fields } = own;
    await db.insert(watchList).values({ userId, malId, ...fields, ticks: runsOf(ticked) });
  }
  for (const one of history)
    await db.insert(watchHistory).values({ userId, malId, episode: one.episode, watchedAt: one.at });
  for (const one of progress) await db.insert(watchProgress).values({ userId, malId, ...one, duration: 100 });
}
const runsOf = (numbers: readonly number[]) =>
  [...numbers]
    .sort((a, b) => a - b)
    .reduce<[number, number][]>((runs, number) => {
      const last = runs.at(-1);
      if (last && last[1] === number - 1) last[1] = number;
      else runs.push([number, number]);
      return runs;
    }, []);

const latest = <One extends { episode: number; at: Date }>(all: readonly One[]) => [
  ...new Map([...all].sort((a, b) => +a.at - +b.at).map((one) => [one.episode, one])).values(),
];
const byEpisode = (one: { episode: number }, other: { episode: number }) => one.episode - other.episode;

async function expectAll(userId: string, [one, other]: readonly [Collection, Collection]) {
  const [kept] = await db.select().from(watchList).where(ofUser(userId, watchList));
  const entries = [one.entry, other.entry].filter((each) => each !== null);
  expect(kept === undefined).toBe(entries.length === 0);
  if (kept) {
    expect(kept.ticks).toEqual(runsOf([...new Set(entries.flatMap(({ ticked }) => ticked))]));
    expect(kept.rewatchCount).toBe(Math.max(...entries.map(({ rewatchCount }) => rewatchCount)));
    for (const { notes } of entries) expect(kept.notes).toContain(notes);
    if (entries.some(({ score }) => score !== null))
      expect(entries.map(({ score }) => score)).toContain(kept.score);
    const ranks = entries.map(({ type }) => listStatuses.indexOf(type));
    expect(listStatuses.indexOf(kept.type)).toBe(Math.max(...ranks));
  }
  const views = await db.select().from(watchHistory).where(ofUser(userId, watchHistory));
  expect(views.map((row) => ({ episode: row.episode, at: row.watchedAt })).sort(byEpisode)).toEqual(
    latest([...one.history, ...other.history]).sort(byEpisode),
  );
  const points = await db.select().from(watchProgress).where(ofUser(userId, watchProgress));
  expect(points.map((row) => row.episode).sort()).toEqual(
    latest([...one.progress, ...other.progress])
      .map((row) => row.episode)
      .sort(),
  );
  for (const { episode: number, at: time } of latest([...one.progress, ...other.progress]))
    expect(points.find((row) => row.episode === number)?.at).toEqual(time);
}

test("members' data on a local title and on the real one ends up on the real one", async () => {
  const all = fc.array(fc.tuple(collection, collection), { minLength: 3, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(all, async (collections) => {
      local = await someLocalTitle();
      real = await someTitle();
      for (const [index, [ofLocal, ofReal]] of collections.entries()) {
        await store(people[index]!, local, ofLocal);
        await store(people[index]!, real, ofReal);
      }
      expect(await replace()).toMatchObject({ ok: true });
      for (const [index, pair] of collections.entries()) await expectAll(people[index]!, pair);
      expect(await db.$count(titles, eq(titles.malId, local))).toBe(0);
    }),
    { numRuns: 8 },
  );
});

test("films, failed plays and relations move along, after those of the real title", async () => {
  const other = await someTitle();
  await createSource({ malId: real, episode: 1, url: "media:known.mkv" });
  for (const [number, url] of [
    [1, "media:known.mkv"],
    [1, "media:new.mkv"],
    [7, "media:seven.mkv"],
  ] as const)
    await createSource({ malId: local, episode: number, url });
  await createSubtitles({ malId: local, episode: 7, url: "/seven.vtt", language: "en" });
  await importTitles([{ kind: "relation", from: other, to: local, relation: "sequel" }]);
  await replace();
  const sources = await listSources({ malId: real });
  expect(sources.map((one) => [one.episode, one.url])).toEqual([
    [1, "media:known.mkv"],
    [1, "media:new.mkv"],
    [7, "media:seven.mkv"],
  ]);
  expect(await db.select().from(titleRelations).where(eq(titleRelations.malId, other))).toMatchObject([
    { relatedId: real, relation: "sequel" },
  ]);
  const [event] = await db
    .select()
    .from(securityEvents)
    .where(eq(securityEvents.kind, "local_title_replaced"))
    .orderBy(desc(securityEvents.at))
    .limit(1);
  expect(event?.detail).toContain(`Attic Films (catalog number ${local})`);
});

test("the local title's relations move too, except those the operator removed from the real title", async () => {
  const [one, two] = [await someTitle(), await someTitle()];
  const operatorId = people[0] ?? "";
  await importTitles([
    { kind: "relation", from: local, to: one, relation: "sequel" },
    { kind: "relation", from: two, to: local, relation: "other" },
    { kind: "relation", from: two, to: real, relation: "other" },
  ]);
  await editTitle(two, [{ field: `relation ${real} other`, word: { isPresent: false } }], {
    ...actor,
    operatorId,
  });
  await replace();
  expect(await db.select().from(titleRelations).where(eq(titleRelations.malId, real))).toMatchObject([
    { relatedId: one, relation: "sequel" },
  ]);
  expect(await db.select().from(titleRelations).where(eq(titleRelations.malId, two))).toEqual([]);
});

test("after a file brings the highest number, the next local title still gets its own", async () => {
  await importTitles([{ mal_id: 2_147_483_647, title: "Highest" }]);
  expect(await someLocalTitle()).toBe(local + 1);
  await db.delete(titles).where(eq(titles.malId, 2_147_483_647));
});

test("an earlier import can still be undone, but takes nothing away from the real title", async () => {
  const [one = "", two = ""] = people;
  const imported = { userId: one, malId: local, type: "Watching", ticks: [[1, 3]] } as const;
  const rest = { state: null, rewatchCount: 0, rewatchProgress: 0, score: null, notes: "", tags: [] };
  const after = { ...rest, ...imported, startedOn: null, finishedOn: null };
  const undos = new Map<string, string>();
  for (const userId of [one, two]) {
    await db.insert(watchList).values({ ...imported, userId });
    const [row] = await db
      .insert(importUndos)
      .values({ userId, before: [{ before: null, after }] })
      .returning();
    undos.set(userId, row!.id);
  }
  await db.insert(watchList).values({ ...imported, userId: two, malId: real });
  await replace();
  for (const [userId, undo] of undos) expect(await undoImport(userId, undo)).toMatchObject({ ok: true });
  expect(await db.$count(watchList, ofUser(one, watchList))).toBe(0);
  expect(await db.$count(watchList, ofUser(two, watchList))).toBe(1);
});

test.each([
  ["the member had both titles", { imports: "real", has: ["local", "real"] }],
  ["the imported real title was removed before", { imports: "real", has: ["local"] }],
  ["the imported local title was removed before", { imports: "local", has: ["real"] }],
] as const)(
  "undoing an import of one title keeps the entry of the other, if %s",
  async (_, { imports, has }) => {
    const [userId = ""] = people;
    const ids = { local, real };
    const entry = { type: "Watching", ticks: [[1, 3]] } as const;
    const rest = { state: null, rewatchCount: 0, rewatchProgress: 0, score: null, notes: "", tags: [] };
    const after = { ...rest, ...entry, malId: ids[imports], startedOn: null, finishedOn: null };
    await db.insert(watchList).values(has.map((title) => ({ ...entry, userId, malId: ids[title] })));
    const [undo] = await db
      .insert(importUndos)
      .values({ userId, before: [{ before: null, after }] })
      .returning();
    await replace();
    expect(await undoImport(userId, undo!.id)).toMatchObject({ ok: true });
    expect(await db.$count(watchList, ofUser(userId, watchList))).toBe(1);
  },
);

test("favorites list the real title once", async () => {
  const [first = "", second = ""] = people;
  await db
    .update(users)
    .set({ favoriteAnimes: [local, 5] })
    .where(eq(users.id, first));
  await db
    .update(users)
    .set({ favoriteAnimes: [5, real, local] })
    .where(eq(users.id, second));
  await replace();
  const favorites = async (id: string) =>
    (await db.select().from(users).where(eq(users.id, id)))[0]?.favoriteAnimes;
  expect([await favorites(first), await favorites(second)]).toEqual([
    [real, 5],
    [5, real],
  ]);
});

test("choices of sound and subtitles move, and the later of two choices stays", async () => {
  const [first = "", second = ""] = people;
  const choice = { userId: first, malId: local, sound: "ja", chosenAt: new Date(2000) };
  await db.insert(trackChoices).values([choice, { ...choice, userId: second }]);
  await db
    .insert(trackChoices)
    .values({ ...choice, userId: second, malId: real, sound: "en", chosenAt: new Date(3000) });
  await replace();
  const rows = await db.select().from(trackChoices).where(eq(trackChoices.malId, real));
  expect(new Map(rows.map(({ userId, sound }) => [userId, sound]))).toEqual(
    new Map([
      [first, "ja"],
      [second, "en"],
    ]),
  );
});

test("the history is deleted by the number of the replaced title too", async () => {
  const member = await newMember();
  await db
    .insert(watchHistory)
    .values([1, 2, 3].map((number) => ({ userId: member.id, malId: local, episode: number })));
  await replace();
  const left = async (query: string) => {
    const answer = await member.request(`/api/user/watchHistory?${query}`, { method: "DELETE" });
    expect(answer.status).toBe(200);
    return db.$count(watchHistory, ofUser(member.id, watchHistory));
  };
  expect(await left(`mal_id=${local}&ep=2`)).toBe(2);
  expect(await left(`mal_id=${local}`)).toBe(0);
});

test("a form with a favorite that was replaced meanwhile keeps, moves and removes the real title", async () => {
  const member = await newMember();
  const other = await someTitle();
  await db
    .update(users)
    .set({ favoriteAnimes: [other, local] })
    .where(eq(users.id, member.id));
  await replace();
  const favoritesAfter = async (form: Record<string, string>) => {
    const answer = await member.request("/profile/edit", { form: { name: member.username, ...form } });
    expect(answer.status).toBe(302);
    const [row] = await db.select().from(users).where(eq(users.id, member.id));
    return row?.favoriteAnimes;
  };
  expect(await favoritesAfter({ [`favorite:${local}`]: "on" })).toEqual([other, real]);
  expect(await favoritesAfter({ move: `first:${local}` })).toEqual([real, other]);
  expect(await favoritesAfter({ [`favorite:${local}`]: "0" })).toEqual([other]);
});

test("wishes move; of two, the earlier date stays, and the result is open if either is", async () => {
  const [first = "", second = "", third = ""] = people;
  const ended = new Date(4000);
  await db.insert(wishes).values([
    { userId: first, malId: local, wishedAt: new Date(2000), fulfilledAt: ended },
    { userId: second, malId: local, wishedAt: new Date(2000), fulfilledAt: ended },
    { userId: second, malId: real, wishedAt: new Date(3000) },
    { userId: third, malId: local, wishedAt: new Date(3000), fulfilledAt: ended },
    { userId: third, malId: real, wishedAt: new Date(2000), fulfilledAt: new Date(3500) },
  ]);
  await db.insert(episodeWishes).values({ userId: third, malId: local, episode: 4 });
  await replace();
  const moved = await db.select().from(wishes).where(eq(wishes.malId, real));
  expect(await db.$count(wishes)).toBe(3);
  expect(await db.select().from(episodeWishes)).toMatchObject([{ userId: third, malId: real, episode: 4 }]);
  const ofMember = new Map(moved.map((wish) => [wish.userId, wish]));
  expect([first, second, third].map((id) => ofMember.get(id)?.wishedAt.getTime())).toEqual([
    2000, 2000, 2000,
  ]);
  expect([first, second, third].map((id) => ofMember.get(id)?.fulfilledAt ?? null)).toEqual([
    ended,
    null,
    ended,
  ]);
});

test("a household's decisions on a local title move, and a title blocked under either number stays blocked", async () => {
  const [moved, blocked, kept] = people as [string, string, string];
  await db.insert(householdTitles).values([
    { userId: moved, malId: local, verdict: "allowed" },
    { userId: blocked, malId: local, verdict: "blocked" },
    { userId: blocked, malId: real, verdict: "allowed" },
    { userId: kept, malId: local, verdict: "allowed" },
    { userId: kept, malId: real, verdict: "blocked" },
  ]);
  await replace();
  const rows = await db.select().from(householdTitles).where(eq(householdTitles.malId, real));
  const verdictOf = (userId: string) => rows.find((row) => row.userId === userId)?.verdict;
  expect(people.map(verdictOf)).toEqual(["allowed", "blocked", "blocked"]);
});

test("every table that would prevent the deletion of a local title is one that moves", async () => {
  const rows = await db.execute<{ name: string }>(sql`
    select distinct conrelid::regclass::text as name from pg_constraint
    where contype = 'f' and confrelid = 'titles'::regclass and confdeltype <> 'c' order by 1`);
  expect(rows.map(({ name }) => name)).toEqual([
    "dismissals",
    "household_titles",
    "track_choices",
    "watch_history",
    "watch_list",
    "watch_progress",
    "wishes",
  ]);
});

test("old addresses redirect to the real title permanently, and a player's reports with the old number count", async () => {
  const member = await newMember();
  await replace();
  expect(await findReplacement(local)).toBe(real);
  const visitor = new Visitor();
  const page = await visitor.request(`/anime/${local}/attic-films`);
  expect([page.status, page.headers.get("Location")]).toEqual([301, `/anime/${real}`]);
  const watch = await member.request(`/watch/${local}/2`);
  expect([watch.status, watch.headers.get("Location")]).toEqual([301, `/watch/${real}/2`]);
  const report = { malId: local, episode: 2, position: 30, duration: 100, at: new Date() };
  expect(await reportProgress(member.id, report, anybody)).toMatchObject({ ok: true });
  expect(await db.$count(watchProgress, ofUser(member.id, watchProgress))).toBe(1);
  expect(await someLocalTitle(), "no number is given twice").toBeGreaterThan(local);
});

test("a choice of tracks and a dismissal with the old number count for the real title", async () => {
  const member = await newMember();
  await replace();
  const choice = { mal_id: local, sound: "ja" };
  expect((await member.request("/api/user/trackChoice", { method: "PUT", json: choice })).status).toBe(200);
  expect(await findTrackChoice(member.id, real)).toMatchObject({ sound: "ja" });
  const title = { malId: local, place: "suggestions" } as const;
  expect(await dismissTitle(member.id, title, anybody)).toMatchObject({ ok: true });
  const dismissed = () =>
    db.select({ malId: dismissals.malId }).from(dismissals).where(eq(dismissals.userId, member.id));
  expect(await dismissed()).toEqual([{ malId: real }]);
  await undismissTitle(member.id, title);
  expect(await dismissed()).toEqual([]);
});

test("edits of the list and favorites with the old number change the real title", async () => {
  const member = await newMember();
  await replace();
  const path = "/api/user/watchList";
  const listed = () =>
    db.select({ malId: watchList.malId }).from(watchList).where(eq(watchList.userId, member.id));
  const favorites = async () =>
    (await db.select({ ids: users.favoriteAnimes }).from(users).where(eq(users.id, member.id)))[0]?.ids;
  const added = await member.request(path, { json: { animeId: `${local}`, type: "Watching" } });
  expect(added.status).toBe(200);
  expect(await listed()).toEqual([{ malId: real }]);
  const removed = await member.request(path, { method: "DELETE", json: { animeId: `${local}` } });
  expect(removed.status).toBe(200);
  expect(await listed()).toEqual([]);
  const heart = (intent: string) => member.request("/list", { form: { intent, mal_id: `${local}` } });
  expect((await heart("favorite")).status).toBe(200);
  expect(await favorites()).toEqual([real]);
  await heart("unfavorite");
  expect(await favorites()).toEqual([]);
});

test("an undo and a decision of a household with the old number change the real title", async () => {
  const member = await newMember();
  await member.request("/api/user/watchList", { json: { animeId: local, type: "Watching" } });
  await replace();
  const change = { malId: local, before: { type: "To Watch" }, after: { type: "Watching" } };
  const undo = { intent: "restore", entries: JSON.stringify([change]) };
  expect((await member.request("/list", { form: undo })).status).toBe(200);
  expect(await db.select().from(watchList).where(eq(watchList.userId, member.id))).toMatchObject([
    { malId: real, type: "To Watch" },
  ]);
  const decided = await member.request("/profiles/titles", { form: { id: `${local}`, verdict: "blocked" } });
  expect(decided.status).toBe(302);
  expect(await db.select().from(householdTitles).where(eq(householdTitles.userId, member.id))).toMatchObject([
    { malId: real, verdict: "blocked" },
  ]);
});

test("only members see a local title, and no export contains it", async () => {
  const [member, visitor] = [await newMember(), new Visitor()];
  const path = `/anime/${local}/attic-films`;
  expect((await member.request(path)).status).toBe(200);
  expect(await (await member.request("/search?q=attic films")).text()).toContain(`/anime/${local}/`);
  expect((await visitor.request(path)).status).toBe(404);
  const asked = [
    "/search?q=attic films",
    "/api/animes/full?search_query=attic&parental_control=false",
    "/v4/anime?q=attic",
  ];
  for (const address of asked)
    expect(await (await visitor.request(address)).text(), address).not.toContain(String(local));
  expect(await exportedText({ withTexts: true })).not.toContain("Attic Films");
});

test("a visitor gets the same answer for the poster of a local title as for an unknown number", async () => {
  const [member, visitor] = [await newMember(), new Visitor()];
  const posterOf = async (who: Visitor, malId: number) => {
    const answer = await who.request(`/poster/${malId}.webp?w=80`);
    return { status: answer.status, text: await answer.text(), caching: answer.headers.get("Cache-Control") };
  };
  expect(await posterOf(visitor, local)).toEqual(await posterOf(visitor, local + 1000));
  expect(await posterOf(visitor, local)).toMatchObject({ status: 404 });
  expect(await posterOf(member, local)).toMatchObject({ status: 200 });
});

test("an import of a title with the same id turns the local title into it, unless the ids name two titles", async () => {
  const [byAniDb, byMal, ofTwo] = [
    await someLocalTitle(["https://anidb.net/anime/990001"]),
    await someLocalTitle(["mal:990002"]),
    await someLocalTitle(["anidb:990001", "mal:990002"]),
  ];
  const [userId = ""] = people;
  await db.insert(watchList).values({ userId, malId: byAniDb, type: "Watching", ticks: [[1, 2]] });
  expect(await replaceLocalTitlesByIds()).toBe(0);
  await importTitles([
    { mal_id: 990_001, title: "Known One", external_ids: ["anidb:990001"] },
    { mal_id: 990_002, title: "Known Two" },
  ]);
  expect(await replaceLocalTitlesByIds()).toBe(2);
  expect([
    await findReplacement(byAniDb),
    await findReplacement(byMal),
    await findReplacement(ofTwo),
  ]).toEqual([...[990_001, 990_002, null]]);
  expect(await db.select().from(watchList).where(eq(watchList.userId, userId))).toMatchObject([
    { malId: 990_001, progress: 2 },
  ]);
});

test("a local title that cannot be replaced now stays until the next import, and the others are replaced", async () => {
  await importTitles([
    { mal_id: 990_011, title: "Known Three" },
    { mal_id: 990_012, title: "Known Four" },
  ]);
  const refused = await someLocalTitle(["mal:990011"]);
  const other = await someLocalTitle(["mal:990012"]);
  await whileRefused("delete on titles", `old.mal_id = ${refused}`, async () => {
    expect(await replaceLocalTitlesByIds()).toBe(1);
    expect([await findReplacement(refused), await findReplacement(other)]).toEqual([null, 990_012]);
  });
  expect(await replaceLocalTitlesByIds()).toBe(1);
});

test("a catalog title cannot be replaced, nor a local title by another local title or by nothing", async () => {
  const other = await someLocalTitle();
  for (const move of [
    { from: real, to: 1 },
    { from: local, to: other },
  ])
    expect(await replaceLocalTitle(move, actor)).toMatchObject({ ok: false, reason: "invalid" });
  expect(await replaceLocalTitle({ from: local, to: 899_999_999 }, actor)).toMatchObject({
    reason: "not_found",
  });
  expect(await createLocalTitle({ name: " ", type: null, sameAs: [] }, actor)).toMatchObject({
    reason: "invalid",
  });
  expect(await createLocalTitle({ name: "X", type: null, sameAs: ["nowhere:1"] }, actor)).toMatchObject({
    issues: [{ path: "sameAs" }],
  });
});

test("a replacement waits for a change of an account before it locks the account's profiles", async () => {
  const account = await someUser();
  // Lower than the account's id, because members are locked in the order of their ids.
  const profile = account.replace(/^.{8}/, "00000000");
  await db.insert(users).values({ id: profile, accountId: account, username: "profile", name: "profile" });
  for (const userId of [account, profile])
    await db.insert(watchList).values({ userId, malId: local, type: "Watching" });
  const { replacing } = await withTransaction(async (transaction) => {
    await lockAccount(transaction, account);
    const replacing = replace();
    await untilQueriesWait();
    await endFilmPasses(account, transaction);
    return { replacing };
  });
  expect(await replacing).toMatchObject({ ok: true });
  expect(await db.$count(watchList, eq(watchList.malId, real))).toBe(2);
});

test("members' writes wait while a local title is replaced, and none is lost", async () => {
  const members = await Promise.all(Array.from({ length: 6 }, () => newMember()));
  const add = (member: (typeof members)[number]) =>
    member.request("/api/user/watchList", { json: { animeId: local, type: "Watching", progress: 1 } });
  for (const member of members.slice(0, 3)) expect((await add(member)).status).toBe(200);
  const [replaced, ...answers] = await Promise.all([replace(), ...members.slice(3).map(add)]);
  expect(replaced).toMatchObject({ ok: true });
  const kept = answers.filter(({ status }) => status === 200).length;
  // Requests that come after the replacement get the answer that there is no such title.
  expect(answers.filter(({ status }) => status !== 200).map(({ status }) => status)).toEqual(
    Array(answers.length - kept).fill(404),
  );
  expect(await db.$count(watchList, eq(watchList.malId, real))).toBe(3 + kept);
});
