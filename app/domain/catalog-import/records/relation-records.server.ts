import { eq, inArray, or, type SQL, sql } from "drizzle-orm";
import type { RelationKind } from "#app/domain/catalog/catalog.ts";
import { malIdsOf } from "#app/domain/mal-ids.ts";
import type { Transaction } from "#db/client.server.ts";
import { titleRelations } from "#db/schema/catalog.ts";
import { relationRecords } from "#db/schema/edits.ts";
import type { TitleSource } from "./sources.ts";

/**
 * Stores which sources name a relation, and merges them into relation rows. Relations that the operator removed stay
 * removed.
 */

type RelationKey = { malId: number; relatedId: number; relation: RelationKind };
type SourcedRelation = RelationKey & { source: TitleSource; name: string | null };
type SourcedPair = Pick<SourcedRelation, "malId" | "relatedId" | "source">;

/** The records as rows. They are passed as one parameter, because PostgreSQL accepts only 65,535. */
const rowsOf = (sourced: readonly object[]): SQL => sql`
  (select "malId" as mal_id, "relatedId" as related_id, relation, source, name
   from jsonb_to_recordset(${JSON.stringify(sourced)}::text::jsonb)
     as sourced ("malId" int, "relatedId" int, relation text, source text, name text))`;

/** PostgreSQL's `xmax` is 0 for a row that was inserted and not updated. */
const touched = sql`mal_id as "malId", xmax = 0 as "isNew"`;
type RelationChange = { malId: number; isNew: boolean };

/** Gives a relation that has no records its first one, from its row. */
export const keepRelationsBefore = (transaction: Transaction, keys: readonly RelationKey[]) =>
  transaction.execute(sql`
    insert into ${relationRecords} (mal_id, related_id, relation, source, name)
    select known.mal_id, known.related_id, known.relation, 'before', known.name
    from ${titleRelations} known join ${rowsOf(keys)} as sourced using (mal_id, related_id, relation)
    where not exists (select from ${relationRecords} record where record.mal_id = known.mal_id
      and record.related_id = known.related_id and record.relation = known.relation)
    on conflict do nothing`);

/** Creates the rows of relations that some source names and that the operator has not removed. */
export const mergeRelations = (transaction: Transaction, keys: readonly RelationKey[]) =>
  transaction.execute<RelationChange>(sql`
    insert into ${titleRelations} as own (mal_id, related_id, relation, name)
    select mal_id, related_id, relation, max(name) from ${relationRecords} record
    where (mal_id, related_id, relation) in (select mal_id, related_id, relation from ${rowsOf(keys)} as sourced)
    group by 1, 2, 3 having bool_and(is_present)
    order by 1, 2, 3
    on conflict (mal_id, related_id, relation) do update set name = coalesce(excluded.name, own.name)
      where own.name is distinct from coalesce(excluded.name, own.name)
    returning ${touched}`);

export async function writeSourcedRelations(
  transaction: Transaction,
  sourced: readonly SourcedRelation[],
): Promise<RelationChange[]> {
  await keepRelationsBefore(transaction, sourced);
  await transaction.execute(sql`
    insert into ${relationRecords} as own (mal_id, related_id, relation, source, name)
    select mal_id, related_id, relation, source, name from ${rowsOf(sourced)} as sourced order by 1, 2, 3, 4
    on conflict (mal_id, related_id, relation, source) do update set name = excluded.name
      where excluded.name <> coalesce(own.name, '') and own.source <> 'operator'`);
  return mergeRelations(transaction, sourced);
}

/**
 * Adds "other" relations only between titles that no source has related yet, since these sources do not know the kind
 * of relation.
 */
export async function relateUnlessRelated(
  transaction: Transaction,
  sourced: readonly SourcedPair[],
): Promise<RelationChange[]> {
  const fresh = await transaction.execute<SourcedPair>(sql`
    insert into ${relationRecords} (mal_id, related_id, relation, source)
    select mal_id, related_id, 'other', source from ${rowsOf(sourced)} as sourced
    where not exists (select from ${titleRelations} known
        where known.mal_id = sourced.mal_id and known.related_id = sourced.related_id)
      and not exists (select from ${relationRecords} record
        where record.mal_id = sourced.mal_id and record.related_id = sourced.related_id)
    order by 1, 2
    on conflict do nothing returning mal_id as "malId", related_id as "relatedId", source`);
  return mergeRelations(
    transaction,
    fresh.map((pair) => ({ ...pair, relation: "other" })),
  );
}

/**
 * The titles that list one of these as related. Their relations look different to others when the visibility of one of
 * these changes.
 */
export async function listRelating(transaction: Transaction, malIds: Iterable<number>): Promise<number[]> {
  const related = [...malIds];
  if (related.length === 0) return [];
  const rows = await transaction
    .selectDistinct({ malId: titleRelations.malId })
    .from(titleRelations)
    .where(inArray(titleRelations.relatedId, related));
  return malIdsOf(rows);
}

/**
 * Moves the relations of a title, in both directions, to another title. If a source already has the same relation for
 * the target, the target's record is kept. Returns the titles whose relations changed.
 */
export async function moveRelations(
  transaction: Transaction,
  { from, to }: { from: number; to: number },
): Promise<number[]> {
  const isOf = ({ malId, relatedId }: typeof titleRelations | typeof relationRecords) =>
    or(eq(malId, from), eq(relatedId, from));
  const present = await transaction.select().from(titleRelations).where(isOf(titleRelations));
  await keepRelationsBefore(transaction, present);
  const moved = await transaction.execute<RelationKey>(sql`
    insert into ${relationRecords} (mal_id, related_id, relation, source, is_present, name)
    select case mal_id when ${from} then ${to}::int else mal_id end,
      case related_id when ${from} then ${to}::int else related_id end, relation, source, is_present, name
    from ${relationRecords}
    where ${from} in (mal_id, related_id) and ${to} not in (mal_id, related_id) and mal_id <> related_id
    order by 1, 2, 3, 4
    on conflict do nothing returning mal_id as "malId", related_id as "relatedId", relation`);
  for (const table of [titleRelations, relationRecords]) await transaction.delete(table).where(isOf(table));
  // A relation that the operator removed from either title is removed from the merged one.
  await transaction.execute(sql`
    delete from ${titleRelations} known using ${relationRecords} record
    where ${to} in (known.mal_id, known.related_id) and not record.is_present and record.mal_id = known.mal_id
      and record.related_id = known.related_id and record.relation = known.relation`);
  await mergeRelations(transaction, moved);
  return malIdsOf([...present, ...moved]);
}

type WholeList = {
  malId: number;
  source: TitleSource;
  only: readonly { to: number; relation: RelationKind }[];
};

/** Deletes relation records that a source no longer lists. Relations that no other source names are removed. */
export async function forgetOtherRelations(
  transaction: Transaction,
  lists: readonly WholeList[],
): Promise<RelationChange[]> {
  const gone = await transaction.execute<RelationKey>(sql`
    delete from ${relationRecords} record
    using jsonb_to_recordset(${JSON.stringify(lists)}::text::jsonb)
      as list ("malId" int, source text, "only" jsonb)
    where record.mal_id = list."malId" and record.source = list.source
      and not exists (select from jsonb_to_recordset(list."only") as kept ("to" int, relation text)
        where kept."to" = record.related_id and kept.relation = record.relation)
    returning record.mal_id as "malId", related_id as "relatedId", relation`);
  if (gone.length === 0) return [];
  return transaction.execute<RelationChange>(sql`
    delete from ${titleRelations} known using ${rowsOf(gone)} as sourced
    where known.mal_id = sourced.mal_id and known.related_id = sourced.related_id and known.relation = sourced.relation
      and not exists (select from ${relationRecords} record where record.mal_id = known.mal_id
        and record.related_id = known.related_id and record.relation = known.relation)
    returning known.mal_id as "malId", false as "isNew"`);
}
