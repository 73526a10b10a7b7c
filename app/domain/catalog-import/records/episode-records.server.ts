import { type SQL, sql } from "drizzle-orm";
import { groupBy } from "#app/platform/lists.ts";
import { textArray } from "#db/arrays.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { episodeRecords } from "#db/schema/edits.ts";
import { titleSources } from "#db/schema/enumerations.ts";
import { episodes } from "#db/schema/episodes.ts";
import type { TitleSource } from "./sources.ts";

/** Stores the episode records of each source, and merges them into episode rows by the ranks of the sources. */

type EpisodeNumber = { malId: number; number: number };
/** One source's data as JSON. An absent field is unknown; null means that the source declares it empty. */
export type EpisodeFields = {
  title?: string | null;
  description?: string | null;
  airedAt?: string | null;
  imageUrl?: string | null;
  durationSeconds?: number | null;
};
type SourcedEpisode = EpisodeNumber & { source: TitleSource; fields: EpisodeFields };

const keyOf = ({ malId, number }: EpisodeNumber) => `${malId} ${number}`;

/**
 * The episodes as rows `(mal_id, number)`. They are passed as one parameter, because PostgreSQL accepts only 65,535.
 */
const rowsOf = (keys: readonly EpisodeNumber[]): SQL => sql`
  (select distinct "malId" as mal_id, number
   from jsonb_to_recordset(${JSON.stringify(keys)}::text::jsonb) as one ("malId" int, number int))`;

/** Creates and locks the rows of the episodes, in the order that every import uses. Returns the new ones. */
export async function createEpisodes(transaction: Transaction, keys: readonly EpisodeNumber[]) {
  const created = await transaction.execute<EpisodeNumber>(sql`
    insert into ${episodes} (mal_id, number) select mal_id, number from ${rowsOf(keys)} as wanted order by 1, 2
    on conflict do nothing returning mal_id as "malId", number`);
  await transaction.execute(sql`
    select from ${episodes} join ${rowsOf(keys)} as wanted using (mal_id, number)
    order by mal_id, number for no key update of episodes`);
  return [...created];
}

/** Gives an episode that has no records its first one, with the values of its row. */
export const keepEpisodesBefore = (transaction: Transaction, keys: readonly EpisodeNumber[]) =>
  transaction.execute(sql`
    insert into ${episodeRecords} (mal_id, number, source, fields)
    select mal_id, number, 'before', jsonb_strip_nulls(jsonb_build_object('title', title, 'description', description,
      'airedAt', aired_at, 'imageUrl', image_url, 'durationSeconds', duration_seconds))
    from ${episodes} join ${rowsOf(keys)} as wanted using (mal_id, number)
    where num_nonnulls(title, description, aired_at, image_url, duration_seconds) > 0
      and not exists (select from ${episodeRecords} known
        where known.mal_id = episodes.mal_id and known.number = episodes.number)`);

/**
 * Updates the rows from the records of all sources. For each field, takes the value from the highest-ranked source that
 * has one. Returns the changed rows.
 */
export const mergeEpisodes = (transaction: Transaction, keys: readonly EpisodeNumber[]) =>
  transaction.execute<EpisodeNumber>(sql`
    with merged as (
      select wanted.mal_id, wanted.number, jsonb_object_agg(field.key, field.value
        order by array_position(${textArray(titleSources)}, record.source) desc)
        filter (where field.key is not null) as fields
      from ${rowsOf(keys)} as wanted
      left join ${episodeRecords} record using (mal_id, number)
      left join lateral jsonb_each(record.fields) as field on true
      group by 1, 2),
    said as (
      select mal_id, number, fields->>'title' as title, fields->>'description' as description,
        (fields->>'airedAt')::timestamptz as aired_at, fields->>'imageUrl' as image_url,
        (fields->>'durationSeconds')::int as duration_seconds
      from merged)
    update ${episodes} own set title = said.title, description = said.description, aired_at = said.aired_at,
      image_url = said.image_url, duration_seconds = said.duration_seconds
    from said where own.mal_id = said.mal_id and own.number = said.number
      and (own.title, own.description, own.aired_at, own.image_url, own.duration_seconds) is distinct from
        (said.title, said.description, said.aired_at, said.image_url, said.duration_seconds)
    returning own.mal_id as "malId", own.number`);

/**
 * The records of the episodes that match the condition, keyed by `malId number`. An episode from before records existed
 * has none.
 */
export async function listEpisodeRecords(isWanted: SQL | undefined) {
  const rows = await db.select().from(episodeRecords).where(isWanted);
  const records = rows.map((row): SourcedEpisode => ({ ...row, fields: row.fields as EpisodeFields }));
  return groupBy(records, keyOf);
}

/** Writes the episode records of sources. Fields missing from the new record keep their earlier values. */
export async function writeSourcedEpisodes(
  transaction: Transaction,
  sourced: readonly SourcedEpisode[],
): Promise<{ malId: number; isNew: boolean }[]> {
  const created = await createEpisodes(transaction, sourced);
  await keepEpisodesBefore(transaction, sourced);
  await transaction.execute(sql`
    insert into ${episodeRecords} as own (mal_id, number, source, fields)
    select "malId", number, source, fields from jsonb_to_recordset(${JSON.stringify(sourced)}::text::jsonb)
      as sourced ("malId" int, number int, source text, fields jsonb)
    order by 1, 2, 3
    on conflict (mal_id, number, source) do update set fields = own.fields || excluded.fields
      where own.fields || excluded.fields <> own.fields`);
  const isNew = new Set(created.map(keyOf));
  const changed = [...(await mergeEpisodes(transaction, sourced))].filter((one) => !isNew.has(keyOf(one)));
  return [...created, ...changed].map((one) => ({ malId: one.malId, isNew: isNew.has(keyOf(one)) }));
}
