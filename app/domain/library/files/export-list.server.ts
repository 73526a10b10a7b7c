import { eq, sql } from "drizzle-orm";
import { pickFields } from "#app/domain/declared-fields.ts";
import { bytesOfPages, type NextPage, pagesByKey } from "#app/platform/pages.ts";
import { toSnakeCase } from "#app/platform/snake-case.ts";
import { preparedDb } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { watchList } from "#db/schema/library.ts";
import { entryFieldNames } from "../list/entry-fields.ts";
import {
  candidatesAfter,
  inOrderOfPage,
  isOfPage,
  maxEntriesOfPage,
  pageOfEntries,
} from "../list/entry-pages.server.ts";
import { entryColumns } from "../list/list-rows.server.ts";
import { progressOf } from "../list/ticks.ts";
import { aniListHead, aniListsOf, aniListTail } from "./anilist-json.ts";
import { fileVersion, type OwnFileEntry, ownFormat } from "./json-lists.ts";
import { animeTag, myAnimeListHead, myAnimeListTail } from "./myanimelist-xml.server.ts";

/** Exports a whole list as a file, page by page. */

export const exportFormats = ["xml", "json", "anilist"] as const;
type ExportFormat = (typeof exportFormats)[number];

type FileText = AsyncGenerator<Uint8Array | string>;

async function* xmlList(userId: string): FileText {
  yield myAnimeListHead;
  yield* bytesOfPages(listPages(userId), (page) => page.map(animeTag).join(""));
  yield myAnimeListTail;
}

async function* aniList(userId: string): FileText {
  yield aniListHead;
  yield* jsonItems(listPages(userId), aniListsOf);
  yield aniListTail;
}

async function* jsonList(userId: string): FileText {
  yield `{"format":${JSON.stringify(ownFormat)},"version":${fileVersion},"entries":[`;
  yield* jsonItems(listPages(userId), ownEntries);
  yield "\n]}\n";
}

const writers: Record<ExportFormat, (userId: string) => FileText> = {
  xml: xmlList,
  json: jsonList,
  anilist: aniList,
};

export const exportList = (userId: string, format: ExportFormat) => writers[format](userId);

/** The text between the brackets of a JSON array, one item per line. */
export function jsonItems<Row>(
  nextPage: NextPage<Row>,
  toItems: (page: readonly Row[]) => readonly unknown[] = (page) => page,
): AsyncGenerator<Uint8Array> {
  let separator = "\n";
  return bytesOfPages(nextPage, (page) => {
    const text =
      separator +
      toItems(page)
        .map((item) => JSON.stringify(item))
        .join(",\n");
    separator = ",\n";
    return text;
  });
}

export const ownEntries = (page: readonly ExportedEntry[]): OwnFileEntry[] =>
  page.map((entry) => ({
    mal_id: entry.malId,
    title: entry.title,
    type: entry.type,
    state: entry.state,
    progress: progressOf(entry.ticks),
    ticks: entry.ticks,
    ...toSnakeCase(pickFields(entry, entryFieldNames)),
    added_at: entry.addedAt.toISOString(),
    updated_at: entry.updatedAt.toISOString(),
  }));

type ExportedEntry = Awaited<ReturnType<typeof selectAfter>>[number];

/** Pages follow the title ids, which never change, so an entry that stays on the list is in the file exactly once. */
export const listPages = (userId: string): NextPage<ExportedEntry> => {
  let count = maxEntriesOfPage;
  return pagesByKey({
    first: 0,
    keyOf: ({ malId }) => malId,
    async select(after) {
      const page = await selectAfter(userId, after, count);
      count = candidatesAfter(page.length);
      return page;
    },
  });
};

const selectAfter = (userId: string, malId: number, count: number) =>
  preparedDb
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
    .innerJoin(
      pageOfEntries({
        from: sql`from ${watchList} where ${watchList.userId} = ${userId} and ${watchList.malId} > ${malId}`,
        place: watchList.malId,
        count,
      }),
      isOfPage,
    )
    .orderBy(inOrderOfPage);
