import { getTableColumns, inArray, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { Transaction } from "#db/client.server.ts";
import {
  episodeSources,
  episodeSubtitles,
  episodes,
  skipSegments,
  titleRelations,
  titles,
} from "#db/schema/catalog.ts";
import type { ChildKind, ChildRecord } from "./records.ts";
import type { ImportCounts } from "./write-titles.server.ts";

/** Writes what belongs to titles: relations, episodes, sources, subtitles, skip segments. */

type Of<Kind extends ChildKind> = Extract<PlacedChild, { kind: Kind }>;
/** Sources and subtitles are offered in the order they stand. */
export type PlacedChild = ChildRecord & { position?: number };

export const malIdOfChild = (record: ChildRecord): number =>
  record.kind === "relation" ? record.from : record.malId;

/** Which of these titles the catalog holds. */
export async function findKnownTitles(
  transaction: Transaction,
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
  const tally: ImportCounts = { added: 0, changed: 0, unchanged: 0 };
  for (const kind of Object.keys(writers) as ChildKind[]) {
    const own = latest(records.filter((record) => record.kind === kind));
    if (own.length === 0) continue;
    if (kind === "source" || kind === "subtitle" || kind === "skip") await makeEpisodes(transaction, own);
    const touched = await writers[kind](transaction, own as never);
    const added = touched.filter(({ isNew }) => isNew).length;
    tally.added += added;
    tally.changed += touched.length - added;
    tally.unchanged += own.length - touched.length;
  }
  return tally;
}

/** One statement may touch a row once: of records about the same thing the last counts. In one order everywhere. */
const latest = (records: readonly PlacedChild[]): PlacedChild[] =>
  [...new Map(records.map((record) => [identityOf(record), record]))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, record]) => record);

function identityOf(record: PlacedChild): string {
  switch (record.kind) {
    case "relation":
      return `${record.from} ${record.to} ${record.relation}`;
    case "episode":
      return `${record.malId} ${record.number}`;
    case "skip":
      return `${record.malId} ${record.number} ${record.segment} ${record.start}`;
    default:
      return `${record.malId} ${record.number} ${record.url}`;
  }
}

/** Sources and the like bring their episode into being. */
async function makeEpisodes(transaction: Transaction, records: readonly PlacedChild[]) {
  const needed = records.flatMap((record) =>
    "number" in record ? [{ malId: record.malId, number: record.number }] : [],
  );
  await transaction.insert(episodes).values(needed).onConflictDoNothing();
}

type Touched = { isNew: boolean }[];
type Writer<Kind extends ChildKind> = (transaction: Transaction, records: Of<Kind>[]) => Promise<Touched>;

const isNew = { isNew: sql<boolean>`xmax = 0` };

/** Takes over the given columns where they differ; what stays as it is, is not touched and not returned. */
function differing(table: PgTable, names: readonly string[], keepsKnown = false) {
  const columns = getTableColumns(table);
  const set: Record<string, SQL> = {};
  const before: SQL[] = [];
  for (const name of names) {
    const column = columns[name];
    if (!column) continue;
    const given = sql.raw(`excluded."${column.name}"`);
    set[name] = keepsKnown ? sql`coalesce(${given}, ${column})` : given;
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
        ...differing(titleRelations, ["name"], true),
      })
      .returning(isNew),
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
        ...differing(episodes, ["title", "description", "airedAt", "imageUrl", "durationSeconds"], true),
      })
      .returning(isNew),
  source: (transaction, records) =>
    transaction
      .insert(episodeSources)
      .values(records.map(({ number: episode, ...source }) => ({ ...source, episode })))
      .onConflictDoUpdate({
        target: [episodeSources.malId, episodeSources.episode, episodeSources.url],
        ...differing(episodeSources, ["type", "label", "language", "position"]),
      })
      .returning(isNew),
  subtitle: (transaction, records) =>
    transaction
      .insert(episodeSubtitles)
      .values(records.map(({ number: episode, ...subtitles }) => ({ ...subtitles, episode })))
      .onConflictDoUpdate({
        target: [episodeSubtitles.malId, episodeSubtitles.episode, episodeSubtitles.url],
        ...differing(episodeSubtitles, ["language", "label", "position"]),
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
        ...differing(skipSegments, ["end"]),
      })
      .returning(isNew),
};
