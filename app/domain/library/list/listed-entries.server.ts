import { and, eq, sql } from "drizzle-orm";
import { currentStatus } from "#app/domain/catalog/catalog.server.ts";
import { type Viewer, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { hasActiveOthers } from "#app/platform/limits/current-client.server.ts";
import { createRefusalCounter } from "#app/platform/limits/refusal-counter.server.ts";
import { createTurns } from "#app/platform/limits/turns.server.ts";
import type { NextPage } from "#app/platform/pages.ts";
import { memoryPlan } from "#app/platform/process/memory.server.ts";
import { seconds } from "#app/platform/units.ts";
import { intArray } from "#db/arrays.ts";
import { preparedDb } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { watchList } from "#db/schema/library.ts";
import type { ListStatus } from "./entry.ts";
import { inOrderOfPage, isOfPage, maxEntriesOfPage, pageOfEntries } from "./entry-pages.server.ts";
import { entryColumns } from "./list-rows.server.ts";

/** The entries of a member's list, each with what pages and the API show of its title. */

const { ticks: _ticks, notes, ...columns } = entryColumns;

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

export type EntryWithNote = Awaited<ReturnType<typeof selectPage>>[number];
export type ListedEntry = Omit<EntryWithNote, "notes">;

type ListSelection = { type?: ListStatus | undefined; viewer: Viewer };

const ofMember = (userId: string, type: ListStatus | undefined) =>
  and(eq(watchList.userId, userId), type && eq(watchList.type, type));

/** More different tags than any list needs. The entries of an imported file may have half a million. */
const maxTagsOfList = 2000;

/**
 * All entries without notes, and with the first `maxTagsOfList` different tags. They are read in pages too, because the
 * rows of a whole list take several times the memory of its entries.
 */
export async function listEntries(userId: string, selection: ListSelection): Promise<ListedEntry[]> {
  const nextPage = listEntryPages(userId, selection, { hasNotes: false });
  const entries: ListedEntry[] = [];
  // Each tag is in memory once, and not once for each of its entries.
  const tagsOfList = new Map<string, string>();
  const known = (tag: string) => {
    if (!tagsOfList.has(tag) && tagsOfList.size < maxTagsOfList) tagsOfList.set(tag, tag);
    return tagsOfList.get(tag) ?? [];
  };
  for (let page = await nextPage(); page !== null; page = await nextPage())
    for (const entry of page) {
      entry.tags = entry.tags.flatMap(known);
      entries.push(entry);
    }
  return entries;
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
const maxListWaitMs = seconds(5);

/**
 * Runs `use` with all entries of a list. Few lists may be in the heap at the same time, so `use` must not keep the
 * entries.
 */
export const withListEntries = <Value>(
  userId: string,
  selection: ListSelection,
  use: (entries: readonly ListedEntry[]) => Promise<Value>,
): Promise<Value> =>
  inTurn(async () => use(await listEntries(userId, selection)), { maxWaitMs: maxListWaitMs });

/**
 * Pages of the entries, the newest change first, in the order at the time of the first page. Entries are read with
 * their page: an entry that changes meanwhile keeps its place and comes once, and only an entry that is removed
 * meanwhile is missing.
 */
export function listEntryPages(
  userId: string,
  selection: ListSelection,
  { hasNotes = true } = {},
): NextPage<EntryWithNote> {
  let ids: Int32Array | undefined;
  let begin = 0;
  return async () => {
    ids ??= await listIds(userId, selection);
    while (begin < ids.length) {
      const candidates = ids.subarray(begin, begin + maxEntriesOfPage);
      const page = await selectPage(userId, { ...selection, hasNotes }, candidates);
      const last = page.at(-1);
      // An empty page means that all requested entries are gone. Otherwise the entries after its last one did not fit
      // or are gone.
      begin += last === undefined ? candidates.length : candidates.indexOf(last.malId) + 1;
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
  { type, viewer, hasNotes }: ListSelection & { hasNotes: boolean },
  candidates: Int32Array,
) {
  const page = pageOfEntries({
    from: sql`
      from unnest(${intArray(candidates)}) with ordinality as asked (id, place)
      join ${watchList} on ${watchList.malId} = asked.id join ${titles} on ${titles.malId} = asked.id
      where ${and(ofMember(userId, type), visibleTo(viewer))}`,
    place: sql`asked.place`,
    hasNotes,
  });
  return preparedDb
    .select({
      ...listed,
      hasNote: sql<boolean>`${notes} <> ''`,
      notes: hasNotes ? sql<string>`${notes}` : sql<string>`''`,
    })
    .from(watchList)
    .innerJoin(titles, eq(titles.malId, watchList.malId))
    .innerJoin(page, isOfPage)
    .orderBy(inOrderOfPage);
}
