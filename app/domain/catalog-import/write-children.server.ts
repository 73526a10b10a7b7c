import { getTableColumns, inArray, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { db, Transaction } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { episodeSources, episodeSubtitles, skipSegments } from "#db/schema/episodes.ts";
import {
  createEpisodes,
  type EpisodeFields,
  writeSourcedEpisodes,
} from "./records/episode-records.server.ts";
import {
  forgetOtherRelations,
  relateUnlessRelated,
  writeSourcedRelations,
} from "./records/relation-records.server.ts";
import type { TitleSource } from "./records/sources.ts";
import type { ChildKind, ChildRecord } from "./records.ts";
import type { WriteCounts } from "./write-titles.server.ts";

/** Writes the child records of titles: relations, episodes, sources, subtitles, skip segments. */

type RecordOf<Kind extends ChildKind> = Extract<PlacedChild, { kind: Kind }>;
/** A child record with its source. `position` orders the sources and subtitles of an episode. */
export type PlacedChild = ChildRecord & { source: TitleSource; position?: number };

/** The title that a child record belongs to. */
export const malIdOfChild = (record: ChildRecord): number => ("from" in record ? record.from : record.malId);

/** The titles that must be in the catalog before the record can be written. */
export const titlesOfChild = (record: ChildRecord): number[] =>
  record.kind === "related" ? [record.from, record.to] : [malIdOfChild(record)];

/**
 * Returns the ids that are in the catalog. The lock makes an import wait for an edit of the title. Otherwise each could
 * merge episodes or relations without the other's record, or the two could deadlock. Outside a transaction it ends with
 * the query.
 */
export async function lockKnownTitles(
  transaction: Transaction | typeof db,
  ids: readonly number[],
): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await transaction
    .select({ malId: titles.malId })
    .from(titles)
    .where(inArray(titles.malId, [...new Set(ids)]))
    .orderBy(titles.malId)
    .for("share");
  return new Set(rows.map(({ malId }) => malId));
}

export async function writeChildren(
  transaction: Transaction,
  records: readonly PlacedChild[],
): Promise<WriteCounts> {
  const counts: WriteCounts = { added: 0, changed: 0, unchanged: 0, touched: new Set() };
  for (const kind of Object.keys(writers) as ChildKind[]) {
    const ofKind = latestOfEach(records.filter((record) => record.kind === kind));
    if (ofKind.length === 0) continue;
    if (kind === "source" || kind === "subtitle" || kind === "skip")
      await createEpisodes(transaction, ofKind.flatMap(toEpisodeNumber));
    const touched = await writers[kind](transaction, ofKind as never);
    const added = touched.filter(({ isNew }) => isNew).length;
    for (const { malId } of touched) counts.touched.add(malId);
    counts.added += added;
    counts.changed += touched.length - added;
    counts.unchanged += ofKind.length - touched.length;
  }
  return counts;
}

/**
 * PostgreSQL refuses an upsert that writes a row twice, so only the last record of each identity is kept. Records are
 * sorted, because two imports that lock rows in different orders would deadlock.
 */
const latestOfEach = (records: readonly PlacedChild[]): PlacedChild[] =>
  [...new Map(records.map((record) => [identityOf(record), record]))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, record]) => record);

function identityOf(record: PlacedChild): string {
  switch (record.kind) {
    case "relation":
      return `${record.from} ${record.to} ${record.relation} ${record.source}`;
    case "related":
      return `${record.from} ${record.to}`;
    case "relations":
      return `${record.from} ${record.source}`;
    case "episode":
      return `${record.malId} ${record.number} ${record.source}`;
    case "skip":
      return `${record.malId} ${record.number} ${record.segment} ${record.start}`;
    default:
      return `${record.malId} ${record.number} ${record.url}`;
  }
}

/** Sources, subtitles and skip segments reference an episode row, so it must exist first. */
const toEpisodeNumber = (record: PlacedChild) =>
  "number" in record ? [{ malId: record.malId, number: record.number }] : [];

type Writer<Kind extends ChildKind> = (
  transaction: Transaction,
  records: RecordOf<Kind>[],
) => Promise<{ malId: number; isNew: boolean }[]>;

/** PostgreSQL's `xmax` is 0 for a row that was inserted and not updated. */
const isNew = (malId: PgColumn) => ({ malId: sql<number>`${malId}`, isNew: sql<boolean>`xmax = 0` });

/** Updates a row only if one of the columns differs. Unchanged rows are neither written nor returned. */
function updateIfDifferent(table: PgTable, names: readonly string[]) {
  const columns = getTableColumns(table);
  const set: Record<string, SQL> = {};
  const before: SQL[] = [];
  for (const name of names) {
    const column = columns[name];
    if (!column) continue;
    const imported = sql.raw(`excluded."${column.name}"`);
    set[name] = imported;
    before.push(sql`${column} is distinct from ${imported}`);
  }
  return { set, setWhere: sql.join(before, sql` or `) };
}

const writers: { [Kind in ChildKind]: Writer<Kind> } = {
  relation: (transaction, records) =>
    writeSourcedRelations(
      transaction,
      records.map(({ from, to, relation, source, name }) => ({
        malId: from,
        relatedId: to,
        relation,
        source,
        name,
      })),
    ),
  related: (transaction, records) =>
    relateUnlessRelated(
      transaction,
      records.map(({ from, to, source }) => ({ malId: from, relatedId: to, source })),
    ),
  relations: (transaction, records) =>
    forgetOtherRelations(
      transaction,
      records.map(({ from, source, only }) => ({ malId: from, source, only })),
    ),
  episode: (transaction, records) => writeSourcedEpisodes(transaction, records.flatMap(splitEpisode)),
  source: (transaction, records) =>
    transaction
      .insert(episodeSources)
      .values(records.map(({ number: episode, ...source }) => ({ ...source, episode })))
      .onConflictDoUpdate({
        target: [episodeSources.malId, episodeSources.episode, episodeSources.url],
        ...updateIfDifferent(episodeSources, ["type", "label", "language", "position"]),
      })
      .returning(isNew(episodeSources.malId)),
  subtitle: (transaction, records) =>
    transaction
      .insert(episodeSubtitles)
      .values(records.map(({ number: episode, ...subtitles }) => ({ ...subtitles, episode })))
      .onConflictDoUpdate({
        target: [episodeSubtitles.malId, episodeSubtitles.episode, episodeSubtitles.url],
        ...updateIfDifferent(episodeSubtitles, ["language", "label", "position"]),
      })
      .returning(isNew(episodeSubtitles.malId)),
  skip: (transaction, records) =>
    transaction
      .insert(skipSegments)
      .values(
        records.map(({ malId, number: episode, segment: kind, start, end }) => ({
          malId,
          episode,
          kind,
          start,
          end,
        })),
      )
      .onConflictDoUpdate({
        target: [skipSegments.malId, skipSegments.episode, skipSegments.kind, skipSegments.start],
        ...updateIfDifferent(skipSegments, ["end"]),
      })
      .returning(isNew(skipSegments.malId)),
};

/**
 * Splits an episode record by source. Texts that an Engawa export attributes to another source are stored under that
 * source.
 */
function splitEpisode({ malId, number, source, textsFrom, ...record }: RecordOf<"episode">) {
  const { title, description, date, imageUrl, duration: durationSeconds } = record;
  const bySource = new Map<TitleSource, EpisodeFields>();
  const add = (fields: EpisodeFields, from: TitleSource = source) => {
    // A file must not write the operator's record, which no import changes.
    const storedSource = source === "file" && from !== "operator" ? from : source;
    bySource.set(storedSource, { ...bySource.get(storedSource), ...known(fields) });
  };
  add({ title, airedAt: date?.toISOString() ?? null, durationSeconds });
  add({ description }, textsFrom?.description);
  add({ imageUrl }, textsFrom?.imageUrl);
  return [...bySource].map(([storedSource, fields]) => ({ malId, number, source: storedSource, fields }));
}

/** Drops unknown fields, so that they do not erase earlier values of the source. */
const known = (fields: EpisodeFields): EpisodeFields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
