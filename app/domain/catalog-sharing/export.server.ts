import { and, asc, eq, gt, inArray, not, type SQL, sql } from "drizzle-orm";
import { getTitlesById } from "#app/domain/catalog/catalog.server.ts";
import { type Relation, ratingLabels, type Title } from "#app/domain/catalog/catalog.ts";
import {
  listEpisodeRecords,
  listRecords,
  listTags,
  type ProtectedName,
  pictureNames,
  type SourcedFields,
  type TitleSource,
} from "#app/domain/catalog-import/catalog-import.server.ts";
import { titleFields } from "#app/domain/catalog-import/catalog-import.ts";
import { type ExternalId, formatExternalId, parseExternalId } from "#app/domain/external-ids/external-ids.ts";
import { grownUpVisitor, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { groupBy, valuesByKey } from "#app/platform/lists.ts";
import { snakeCaseCopier } from "#app/platform/snake-case.ts";
import { db } from "#db/client.server.ts";
import { titleIds, titleRelations, titles } from "#db/schema/catalog.ts";
import { episodeRecords } from "#db/schema/edits.ts";
import { episodeSources, episodeSubtitles, episodes, skipSegments } from "#db/schema/episodes.ts";
import { type DataSource, listDataSources } from "./data-sources.server.ts";
import {
  closedEpisodeFields,
  closedFields,
  type EpisodeText,
  ownPictures,
  shareableIds,
} from "./shareable.ts";
import { titlesOfPage } from "./title-pages.server.ts";

/**
 * Exports the catalog as Engawa's NDJSON (docs/catalog-format.md). Hidden titles are left out, because they would
 * become visible where the file is imported. Data that its source forbids to share is left out too. Rows are read in
 * pages to save memory.
 */

type ExportOptions = {
  /** Also exports texts and picture URLs that their source forbids to share, with the name of the source. */
  withTexts: boolean;
};

export async function* exportCatalog({ withTexts }: ExportOptions): AsyncGenerator<string> {
  yield line({ kind: "about", sources: (await listDataSources()).map(sourceOnWire) });
  for (const { kind, malId, name } of await listTags())
    yield line({ kind: "tag", tag: kind, mal_id: malId, name });
  for await (const { row, ids, records } of listTitleRows())
    yield line(titleRecord(row, ids, records, withTexts));
  yield* listChildLines(withTexts);
}

/** A source as exports and the changes for other installations describe it. */
export const sourceOnWire = ({ source, label, license, url, titles }: DataSource) => ({
  source,
  name: label,
  license,
  url,
  titles,
});

const line = (record: object) => `${JSON.stringify(record)}\n`;

type TitleRow = { row: typeof titles.$inferSelect; ids: string[]; records: SourcedFields[] };

async function* listTitleRows(): AsyncGenerator<TitleRow> {
  let last = 0;
  for (;;) {
    const wanted = and(gt(titles.malId, last), visibleTo(grownUpVisitor));
    const rows = await db
      .select()
      .from(titles)
      .where(
        titlesOfPage(sql`select ${titles.malId}, ${titles.malId} as place from ${titles} where ${wanted}`),
      )
      .orderBy(asc(titles.malId));
    const malIds = rows.map(({ malId }) => malId);
    const [ids, records] = await Promise.all([idsOfTitles(malIds), listRecords(malIds)]);
    for (const row of rows)
      yield { row, ids: ids.get(row.malId) ?? [], records: records.get(row.malId) ?? [] };
    const end = rows.at(-1);
    if (!end) return;
    last = end.malId;
  }
}

export async function idsOfTitles(malIds: readonly number[]): Promise<Map<number, string[]>> {
  const rows = await db
    .select({ malId: titleIds.malId, site: titleIds.site, id: titleIds.externalId, season: titleIds.season })
    .from(titleIds)
    .where(inArray(titleIds.malId, [...malIds]))
    .orderBy(titleIds.site, titleIds.externalId);
  const idsOf = groupBy(rows, ({ malId }) => malId);
  return new Map([...idsOf].map(([malId, ids]) => [malId, ids.map(formatExternalId)]));
}

export const copyFields = snakeCaseCopier(
  Object.keys(titleFields.shape) as (keyof typeof titleFields.shape)[],
);

/** Exports the stored status, because imports read it. Pages compute the status from the clock in each query. */
function titleRecord(
  row: typeof titles.$inferSelect,
  ids: readonly string[],
  records: readonly SourcedFields[],
  withTexts: boolean,
) {
  const closed = Object.entries(closedFields(row, records)).map(
    ([name, source]) => [titles[name as ProtectedName].name, source] as const,
  );
  return {
    kind: "title",
    ...copyFields({ ...row, externalIds: shareableIds(ids, records) }),
    rating: row.rating && ratingLabels[row.rating],
    ...Object.fromEntries(ownPictures(row).map((name) => [titles[name].name, null])),
    ...closedTexts(closed, withTexts),
  };
}

/** The part of a line about texts that may not be shared, given by their columns: their sources, or no texts. */
function closedTexts(
  closed: readonly (readonly [column: string, source: TitleSource])[],
  withTexts: boolean,
) {
  if (!withTexts) return Object.fromEntries(closed.map(([name]) => [name, null]));
  return closed.length > 0 && { texts_from: Object.fromEntries(closed) };
}

const titlesAtOnce = 20;

export type ExportedTitle = Title & { externalIds: ExternalId[]; relations: Relation[] };

/**
 * Titles for exports in other formats, limited to what their sources allow to share. With `withTexts`, all texts and
 * picture URLs are included.
 */
export async function* exportTitles({ withTexts }: ExportOptions): AsyncGenerator<ExportedTitle> {
  let page: TitleRow[] = [];
  for await (const one of listTitleRows()) {
    page.push(one);
    if (page.length < titlesAtOnce) continue;
    yield* await exportedPage(page, withTexts);
    page = [];
  }
  yield* await exportedPage(page, withTexts);
}

async function exportedPage(page: readonly TitleRow[], withTexts: boolean): Promise<ExportedTitle[]> {
  const malIds = page.map(({ row }) => row.malId);
  const [titlesById, relations] = await Promise.all([
    getTitlesById(malIds, grownUpVisitor),
    listExportedRelations(malIds),
  ]);
  return page.flatMap(({ row, ids, records }) => {
    const title = titlesById.get(row.malId);
    if (!title) return [];
    const closed = withTexts ? [] : Object.keys(closedFields(row, records));
    const pictures = withTexts ? [] : pictureNames;
    return {
      ...title,
      ...Object.fromEntries([...closed, ...pictures].map((name) => [name, null])),
      externalIds: shareableIds(ids, records)
        .map(parseExternalId)
        .filter((id) => typeof id !== "string"),
      relations: relations.get(row.malId) ?? [],
    };
  });
}

export async function listExportedRelations(
  malIds: readonly number[],
  viewer = grownUpVisitor,
): Promise<Map<number, Relation[]>> {
  if (malIds.length === 0) return new Map();
  const rows = await db
    .select({ of: titleRelations, title: titles.title, isShown: visibleTo(viewer) })
    .from(titleRelations)
    .leftJoin(titles, eq(titles.malId, titleRelations.relatedId))
    .where(inArray(titleRelations.malId, [...malIds]))
    .orderBy(titleRelations.malId, titleRelations.relation, titleRelations.relatedId);
  const shown = rows.filter(({ title, isShown }) => title === null || isShown);
  return valuesByKey(
    shown.map(({ of: { malId, relation, relatedId, name }, title }) => [
      malId,
      { relation, malId: relatedId, name: title ?? name, title: null },
    ]),
  );
}

/**
 * Sources and subtitles are in the order in which the player offers them; the import derives their position from it.
 */
async function* listChildLines(withTexts: boolean): AsyncGenerator<string> {
  for await (const ids of idRanges()) {
    const hidden = db
      .select({ malId: titles.malId })
      .from(titles)
      .where(not(visibleTo(grownUpVisitor)));
    const within = (column: SQL) =>
      and(sql`${column} > ${ids.after}`, sql`${column} <= ${ids.upTo}`, sql`${column} not in ${hidden}`);
    const relations = await db
      .select()
      .from(titleRelations)
      .where(and(within(sql`${titleRelations.malId}`), sql`${titleRelations.relatedId} not in ${hidden}`))
      .orderBy(titleRelations.malId, titleRelations.relatedId, titleRelations.relation);
    for (const { malId, relatedId, relation, name } of relations)
      yield line({ kind: "relation", from: malId, to: relatedId, relation, ...(name !== null && { name }) });
    yield* episodesWithin(within, withTexts);
    yield* filmsWithin(within);
  }
}

type Within = (column: SQL) => SQL | undefined;

async function* episodesWithin(within: Within, withTexts: boolean): AsyncGenerator<string> {
  const records = await listEpisodeRecords(within(sql`${episodeRecords.malId}`));
  const rows = await db
    .select()
    .from(episodes)
    .where(within(sql`${episodes.malId}`))
    .orderBy(episodes.malId, episodes.number);
  for (const row of rows) {
    const { malId, number, title, description, airedAt, imageUrl, durationSeconds } = row;
    const closed = Object.entries(closedEpisodeFields(row, records.get(`${malId} ${number}`) ?? [])).map(
      ([name, source]) => [episodes[name as EpisodeText].name, source] as const,
    );
    yield line({
      kind: "episode",
      mal_id: malId,
      number,
      title,
      description,
      date: airedAt,
      image_url: imageUrl,
      duration: durationSeconds,
      ...closedTexts(closed, withTexts),
    });
  }
}

/** Sources, subtitles and skip segments. */
async function* filmsWithin(within: Within): AsyncGenerator<string> {
  const sources = await db
    .select()
    .from(episodeSources)
    .where(within(sql`${episodeSources.malId}`))
    .orderBy(episodeSources.malId, episodeSources.episode, episodeSources.position, episodeSources.url);
  for (const { malId, episode, url, type, label, language } of sources)
    yield line({ kind: "source", mal_id: malId, number: episode, url, type, label, language });
  const subtitles = await db
    .select()
    .from(episodeSubtitles)
    .where(within(sql`${episodeSubtitles.malId}`))
    .orderBy(episodeSubtitles.malId, episodeSubtitles.episode, episodeSubtitles.position);
  for (const { malId, episode, url, language, label } of subtitles)
    yield line({ kind: "subtitle", mal_id: malId, number: episode, url, language, label });
  const segments = await db
    .select()
    .from(skipSegments)
    .where(within(sql`${skipSegments.malId}`))
    .orderBy(skipSegments.malId, skipSegments.episode, skipSegments.start);
  for (const { malId, episode, kind, start, end } of segments)
    yield line({ kind: "skip", mal_id: malId, number: episode, segment: kind, start, end });
}

/** Ranges of ids, each with one page of titles and what belongs to them. */
async function* idRanges() {
  let after = 0;
  for (;;) {
    const rows = await db
      .select({ malId: titles.malId })
      .from(titles)
      .where(
        titlesOfPage(
          sql`select ${titles.malId}, ${titles.malId} as place from ${titles} where ${gt(titles.malId, after)}`,
        ),
      )
      .orderBy(asc(titles.malId));
    const upTo = rows.at(-1)?.malId;
    if (upTo === undefined) return;
    yield { after, upTo };
    after = upTo;
  }
}
