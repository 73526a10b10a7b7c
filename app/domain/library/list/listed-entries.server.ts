import { and, eq, sql } from "drizzle-orm";
import { currentStatus } from "#app/domain/catalog/catalog.server.ts";
import { type Viewer, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { hasActiveOthers } from "#app/platform/limits/current-client.server.ts";
import { createRefusalCounter } from "#app/platform/limits/refusal-counter.server.ts";
import { createTurns } from "#app/platform/limits/turns.server.ts";
import type { NextPage } from "#app/platform/pages.ts";
import { memoryPlan } from "#app/platform/process/memory.server.ts";
import { intArray } from "#db/arrays.ts";
import { db, preparedDb } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { watchList } from "#db/schema/library.ts";
import type { ListStatus } from "./entry.ts";
import {
  candidatesAfter,
  inOrderOfPage,
  isOfPage,
  maxEntriesOfPage,
  pageOfEntries,
} from "./entry-pages.server.ts";
import { entryColumns } from "./list-rows.server.ts";

/** The entries of a member's list, each with what pages and the API show of its title. */

const { ticks: _ticks, notes, tags, ...columns } = entryColumns;

const listed = {
  id: watchList.id,
  ...columns,
  progress: watchList.progress,
  addedAt: watchList.addedAt,
  updatedAt: watchList.updatedAt,
  title: titles.title,
  titleEnglish: titles.titleEnglish,
  titleJapanese: titles.titleJapanese,
  titleType: titles.type,
  status: currentStatus,
  titleScore: titles.score,
  episodes: titles.episodes,
  genres: titles.genres,
  /** The length of an episode as text. */
  duration: titles.duration,
  year: titles.year,
  imageUrl: titles.imageUrl,
  imageWebp: titles.imageWebp,
  imageLargeWebp: titles.imageLargeWebp,
};

type SelectedEntry = Awaited<ReturnType<typeof selectPage>>[number];
export type EntryWithNote = Omit<SelectedEntry, "hasTag">;
/** Without the note and the tags, because a whole list can have half a million tags. */
export type ListedEntry = Omit<SelectedEntry, "notes" | "tags">;

type ListSelection = {
  type?: ListStatus | undefined;
  viewer: Viewer;
  /** A tag for `hasTag`, which says whether an entry has it. */
  tag?: string | null;
};

const ofMember = (userId: string, type: ListStatus | undefined) =>
  and(eq(watchList.userId, userId), type && eq(watchList.type, type));

/** All entries. They are read in pages too, because the rows of a whole list take several times their memory. */
export async function listEntries(userId: string, selection: ListSelection): Promise<ListedEntry[]> {
  const nextPage = selectedPages(userId, selection, { hasTexts: false });
  const entries: ListedEntry[] = [];
  for (let page = await nextPage(); page !== null; page = await nextPage()) entries.push(...page);
  return entries;
}

/** More different tags than any list needs. The entries of an imported file may have half a million. */
const maxTagsOfList = 2000;

/** Counting half a million different tags would take a second, and temporary files as large as the list. */
const maxCountedTags = 100_000;

/** The most frequent tags of a list, each with the number of its entries, up to `maxCountedTags` together. */
export async function countEntryTags(userId: string, viewer: Viewer): Promise<Map<string, number>> {
  const rows = await db.execute<{ tag: string; entries: number }>(sql`
    select tag, count(*)::int as entries from (
      select tag from ${watchList} join ${titles} on ${titles.malId} = ${watchList.malId} cross join unnest(${tags}) as tag
      where ${and(eq(watchList.userId, userId), visibleTo(viewer))} limit ${maxCountedTags}
    ) as counted
    group by tag order by entries desc, tag limit ${maxTagsOfList}`);
  return new Map(rows.map(({ tag, entries }) => [tag, entries]));
}

/** The tags of the entries about these titles. */
export async function listEntryTags(
  userId: string,
  malIds: readonly number[],
): Promise<ReadonlyMap<number, string[]>> {
  const rows = await preparedDb
    .select({ malId: watchList.malId, tags })
    .from(watchList)
    .where(and(eq(watchList.userId, userId), sql`${watchList.malId} = any(${intArray(malIds)})`));
  return new Map(rows.map((row) => [row.malId, row.tags]));
}

/**
 * A whole list can take as much of the heap as several pages of an export. One client never gets all turns, so that
 * others do not wait while its queries wait.
 */
const maxLists = Math.max(2, Math.floor(memoryPlan.pagesInHeap / 3));
const inTurn = createTurns(
  { total: maxLists, perClient: maxLists - 1, perAccount: 1, leavesTime: hasActiveOthers },
  createRefusalCounter(
    "lists",
    "Pages of whole lists are asked for faster than the site can read the lists, so some get 503",
  ),
);

/**
 * Runs `use` with all entries of a list. Few lists may be in the heap at the same time, so `use` must not keep the
 * entries.
 */
export const withListEntries = <Value>(
  userId: string,
  selection: ListSelection,
  use: (entries: readonly ListedEntry[]) => Promise<Value>,
): Promise<Value> => inTurn(async () => use(await listEntries(userId, selection)));

/**
 * Pages of the entries, the newest change first, in the order at the time of the first page. Entries are read with
 * their page: an entry that changes meanwhile keeps its place and comes once, and only an entry that is removed
 * meanwhile is missing.
 */
export const listEntryPages = (userId: string, selection: ListSelection): NextPage<EntryWithNote> =>
  selectedPages(userId, selection, { hasTexts: true });

function selectedPages(
  userId: string,
  selection: ListSelection,
  { hasTexts }: { hasTexts: boolean },
): NextPage<SelectedEntry> {
  let ids: Int32Array | undefined;
  let begin = 0;
  let count = maxEntriesOfPage;
  return async () => {
    ids ??= await listIds(userId, selection);
    while (begin < ids.length) {
      const candidates = ids.subarray(begin, begin + count);
      const page = await selectPage(userId, { ...selection, hasTexts }, candidates);
      const last = page.at(-1);
      // An empty page means that all requested entries are gone. Otherwise the entries after its last one did not fit
      // or are gone.
      begin += last === undefined ? candidates.length : candidates.indexOf(last.malId) + 1;
      count = page.length > 0 ? candidatesAfter(page.length) : maxEntriesOfPage;
      if (page.length > 0) return page;
    }
    return null;
  };
}

/** An id takes four bytes, and a member has at most one entry for each title. */
async function listIds(userId: string, { type, viewer }: ListSelection): Promise<Int32Array> {
  const [row] = await preparedDb
    .select({
      ids: sql<string>`coalesce(string_agg(${watchList.malId}::text, ',' order by ${watchList.updatedAt} desc, ${watchList.malId}), '')`,
    })
    .from(watchList)
    .innerJoin(titles, eq(titles.malId, watchList.malId))
    .where(and(ofMember(userId, type), visibleTo(viewer)));
  return row?.ids ? Int32Array.from(row.ids.split(","), Number) : new Int32Array();
}

/** Skips entries that left the selection meanwhile, because a page full of them would hide the entries that follow. */
function selectPage(
  userId: string,
  { type, viewer, tag = null, hasTexts }: ListSelection & { hasTexts: boolean },
  candidates: Int32Array,
) {
  const page = pageOfEntries({
    from: sql`
      from unnest(${intArray(candidates)}) with ordinality as asked (id, place)
      join ${watchList} on ${watchList.malId} = asked.id join ${titles} on ${titles.malId} = asked.id
      where ${and(ofMember(userId, type), visibleTo(viewer))}`,
    place: sql`asked.place`,
    hasTexts,
  });
  return preparedDb
    .select({
      ...listed,
      hasNote: sql<boolean>`${notes} <> ''`,
      notes: hasTexts ? sql<string>`${notes}` : sql<string>`''`,
      tags: hasTexts ? sql<string[]>`${tags}` : sql<string[]>`'{}'::text[]`,
      hasTag: tag === null ? sql<boolean>`false` : sql<boolean>`${tag} = any(${tags})`,
    })
    .from(watchList)
    .innerJoin(titles, eq(titles.malId, watchList.malId))
    .innerJoin(page, isOfPage)
    .orderBy(inOrderOfPage);
}
