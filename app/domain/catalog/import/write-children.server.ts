import { getTableColumns, inArray, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { db, Transaction } from "#db/client.server.ts";
import {
  episodeSources,
  episodeSubtitles,
  episodes,
  skipSegments,
  titleRelations,
  titles,
} from "#db/schema/catalog.ts";
import { intArray } from "../filters.server.ts";
import type { ChildKind, ChildRecord } from "./records.ts";
import type { ImportCounts } from "./write-titles.server.ts";

/** Writes the records that belong to titles: relations, episodes, sources, subtitles, skip segments. */

type RecordOf<Kind extends ChildKind> = Extract<PlacedChild, { kind: Kind }>;
/** `position` orders the sources and subtitles of an episode. */
export type PlacedChild = ChildRecord & { position?: number };

/** The title that a record belongs to. */
export const malIdOfChild = (record: ChildRecord): number =>
  record.kind === "relation" || record.kind === "related" ? record.from : record.malId;

/** The titles that the catalog must have before the record can be written. */
export const titlesOfChild = (record: ChildRecord): number[] =>
  record.kind === "related" ? [record.from, record.to] : [malIdOfChild(record)];

/** The ids that are in the catalog. */
export async function findKnownTitles(
  transaction: Transaction | typeof db,
  ids: readonly number[],
): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await transaction
    .select({ malId: titles.malId })
    .from(titles)
    .where(inArray(titles.malId, [...new Set(ids)]));
  return new Set(rows.map(({ malId }) => malId));
}

export async function writeChildren(
  transaction: Transaction,
  records: readonly PlacedChild[],
): Promise<ImportCounts> {
  const counts: ImportCounts = { added: 0, changed: 0, unchanged: 0 };
  for (const kind of Object.keys(writers) as ChildKind[]) {
    const ofKind = latestOfEach(records.filter((record) => record.kind === kind));
    if (ofKind.length === 0) continue;
    if (kind === "source" || kind === "subtitle" || kind === "skip")
      await createMissingEpisodes(transaction, ofKind);
    const touched = await writers[kind](transaction, ofKind as never);
    const added = touched.filter(({ isNew }) => isNew).length;
    counts.added += added;
    counts.changed += touched.length - added;
    counts.unchanged += ofKind.length - touched.length;
  }
  return counts;
}

/**
 * PostgreSQL refuses an upsert that writes one row twice, so of records with the same identity only the last is kept. They
 * are sorted, because two imports that lock rows in different orders would deadlock.
 */
const latestOfEach = (records: readonly PlacedChild[]): PlacedChild[] =>
  [...new Map(records.map((record) => [identityOf(record), record]))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, record]) => record);

function identityOf(record: PlacedChild): string {
  switch (record.kind) {
    case "relation":
      return `${record.from} ${record.to} ${record.relation}`;
    case "related":
      return `${record.from} ${record.to}`;
    case "episode":
      return `${record.malId} ${record.number}`;
    case "skip":
      return `${record.malId} ${record.number} ${record.segment} ${record.start}`;
    default:
      return `${record.malId} ${record.number} ${record.url}`;
  }
}

/** Sources, subtitles and skip segments reference an episode row, so it must exist first. */
async function createMissingEpisodes(transaction: Transaction, records: readonly PlacedChild[]) {
  const needed = records.flatMap((record) =>
    "number" in record ? [{ malId: record.malId, number: record.number }] : [],
  );
  await transaction.insert(episodes).values(needed).onConflictDoNothing();
}

type Touched = { isNew: boolean }[];
type Writer<Kind extends ChildKind> = (
  transaction: Transaction,
  records: RecordOf<Kind>[],
) => Promise<Touched>;

/** PostgreSQL's `xmax` is 0 for a row that was inserted and not updated. */
const isNew = { isNew: sql<boolean>`xmax = 0` };

/** Updates a row only where one of the columns differs. Unchanged rows are not written and not returned. */
function updateIfDifferent(table: PgTable, names: readonly string[], keepsKnown = false) {
  const columns = getTableColumns(table);
  const set: Record<string, SQL> = {};
  const before: SQL[] = [];
  for (const name of names) {
    const column = columns[name];
    if (!column) continue;
    const imported = sql.raw(`excluded."${column.name}"`);
    set[name] = keepsKnown ? sql`coalesce(${imported}, ${column})` : imported;
    before.push(sql`${column} is distinct from ${set[name]}`);
  }
  return { set, setWhere: sql.join(before, sql` or `) };
}

const writers: { [Kind in ChildKind]: Writer<Kind> } = {
  relation: (transaction, records) =>
    transaction
      .insert(titleRelations)
      .values(records.map(({ from, to, relation, name }) => ({ malId: from, relatedId: to, relation, name })))
      .onConflictDoUpdate({
        target: [titleRelations.malId, titleRelations.relatedId, titleRelations.relation],
        ...updateIfDifferent(titleRelations, ["name"], true),
      })
      .returning(isNew),
  related: async (transaction, records) => [
    ...(await transaction.execute<{ isNew: boolean }>(relateUnlessRelated(records))),
  ],
  episode: (transaction, records) =>
    transaction
      .insert(episodes)
      .values(
        records.map(({ date, duration, ...episode }) => ({
          ...episode,
          airedAt: date,
          durationSeconds: duration,
        })),
      )
      .onConflictDoUpdate({
        target: [episodes.malId, episodes.number],
        ...updateIfDifferent(
          episodes,
          ["title", "description", "airedAt", "imageUrl", "durationSeconds"],
          true,
        ),
      })
      .returning(isNew),
  source: (transaction, records) =>
    transaction
      .insert(episodeSources)
      .values(records.map(({ number: episode, ...source }) => ({ ...source, episode })))
      .onConflictDoUpdate({
        target: [episodeSources.malId, episodeSources.episode, episodeSources.url],
        ...updateIfDifferent(episodeSources, ["type", "label", "language", "position"]),
      })
      .returning(isNew),
  subtitle: (transaction, records) =>
    transaction
      .insert(episodeSubtitles)
      .values(records.map(({ number: episode, ...subtitles }) => ({ ...subtitles, episode })))
      .onConflictDoUpdate({
        target: [episodeSubtitles.malId, episodeSubtitles.episode, episodeSubtitles.url],
        ...updateIfDifferent(episodeSubtitles, ["language", "label", "position"]),
      })
      .returning(isNew),
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
      .returning(isNew),
};

/** A source that does not say how titles belong together adds nothing to what another source says of them. */
const relateUnlessRelated = (records: readonly RecordOf<"related">[]) => sql`
  insert into ${titleRelations} (mal_id, related_id, relation)
  select pair.mal_id, pair.related_id, 'other'
  from unnest(${intArray(records.map(({ from }) => from))}, ${intArray(records.map(({ to }) => to))})
    as pair (mal_id, related_id)
  where not exists (
    select from ${titleRelations} known
    where known.mal_id = pair.mal_id and known.related_id = pair.related_id)
  on conflict do nothing returning true as "isNew"`;
