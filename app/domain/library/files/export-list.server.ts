import { and, asc, eq, gt } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { watchList } from "#db/schema/library.ts";
import { entryColumns } from "../list/list-rows.server.ts";
import { progressOf } from "../list/ticks.ts";
import { aniListHead, aniListsOf, aniListTail } from "./anilist-json.ts";
import { fileVersion, type OwnFileEntry, ownFormat } from "./json-lists.ts";
import { animeTag, myAnimeListHead, myAnimeListTail } from "./myanimelist-xml.server.ts";

/** Exports a whole list as a file. It reads and writes page by page to keep memory small. */

export const exportFormats = ["xml", "json", "anilist"] as const;
type ExportFormat = (typeof exportFormats)[number];

async function* xmlList(userId: string): AsyncGenerator<string> {
  yield myAnimeListHead;
  for await (const page of listPages(userId)) yield page.map(animeTag).join("");
  yield myAnimeListTail;
}

async function* aniList(userId: string): AsyncGenerator<string> {
  yield aniListHead;
  yield* jsonItems(aniListPages(userId));
  yield aniListTail;
}

async function* jsonList(userId: string): AsyncGenerator<string> {
  yield `{"format":${JSON.stringify(ownFormat)},"version":${fileVersion},"entries":[`;
  yield* jsonItems(listOwnEntries(userId));
  yield "\n]}\n";
}

const writers: Record<ExportFormat, (userId: string) => AsyncGenerator<string>> = {
  xml: xmlList,
  json: jsonList,
  anilist: aniList,
};

export const exportList = (userId: string, format: ExportFormat) => writers[format](userId);

async function* aniListPages(userId: string) {
  for await (const page of listPages(userId)) yield aniListsOf(page);
}

/** The text between the brackets of a JSON array, one item per line. */
export async function* jsonItems(pages: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  let separator = "\n";
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield separator + page.map((item) => JSON.stringify(item)).join(",\n");
    separator = ",\n";
  }
}

export async function* listOwnEntries(userId: string): AsyncGenerator<OwnFileEntry[]> {
  for await (const page of listPages(userId))
    yield page.map((entry) => ({
      mal_id: entry.malId,
      title: entry.title,
      type: entry.type,
      state: entry.state,
      progress: progressOf(entry.ticks),
      ticks: entry.ticks,
      rewatch_count: entry.rewatchCount,
      rewatch_progress: entry.rewatchProgress,
      score: entry.score,
      notes: entry.notes,
      tags: entry.tags,
      started_on: entry.startedOn,
      finished_on: entry.finishedOn,
      added_at: entry.addedAt.toISOString(),
      updated_at: entry.updatedAt.toISOString(),
    }));
}

const pageSize = 500;

/** Pages by id. In the order of changes, an entry that changes during the export could appear twice or not at all. */
async function* listPages(userId: string) {
  for (let last = 0; ; ) {
    const page = await selectAfter(userId, last);
    yield page;
    if (page.length < pageSize) return;
    last = page.at(-1)?.malId ?? 0;
  }
}

const selectAfter = (userId: string, malId: number) =>
  db
    .select({
      title: titles.title,
      titleType: titles.type,
      episodes: titles.episodes,
      ...entryColumns,
      addedAt: watchList.addedAt,
      updatedAt: watchList.updatedAt,
    })
    .from(watchList)
    .innerJoin(titles, eq(titles.malId, watchList.malId))
    .where(and(eq(watchList.userId, userId), gt(watchList.malId, malId)))
    .orderBy(asc(watchList.malId))
    .limit(pageSize);
