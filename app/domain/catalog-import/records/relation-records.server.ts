import { eq, inArray, or, type SQL, sql } from "drizzle-orm";
import type { RelationKind } from "#app/domain/catalog/catalog.ts";
import type { Transaction } from "#db/client.server.ts";
import { titleRelations } from "#db/schema/catalog.ts";
import { relationRecords } from "#db/schema/edits.ts";
import type { TitleSource } from "./sources.ts";

/** Which sources name a relation, and the rows that they make. What the operator removed stays removed. */

type RelationKey = { malId: number; relatedId: number; relation: RelationKind };
type RelationWord = RelationKey & { source: TitleSource; name: string | null };
type RelatedWord = Pick<RelationWord, "malId" | "relatedId" | "source">;

/** Words as rows. One parameter, as PostgreSQL accepts only 65,535 of them. */
const rowsOf = (words: readonly object[]): SQL => sql`
  (select "malId" as mal_id, "relatedId" as related_id, relation, source, name
   from jsonb_to_recordset(${JSON.stringify(words)}::text::jsonb)
     as word ("malId" int, "relatedId" int, relation text, source text, name text))`;

/** PostgreSQL's `xmax` is 0 for a row that was inserted and not updated. */
const touched = sql`mal_id as "malId", xmax = 0 as "isNew"`;
type Touched = { malId: number; isNew: boolean };

/** A relation without records has one from here on: it was there before. */
export const keepRelationsBefore = (transaction: Transaction, keys: readonly RelationKey[]) =>
  transaction.execute(sql`
    insert into ${relationRecords} (mal_id, related_id, relation, source, name)
    select known.mal_id, known.related_id, known.relation, 'before', known.name
    from ${titleRelations} known join ${rowsOf(keys)} as word using (mal_id, related_id, relation)
    where not exists (select from ${relationRecords} record where record.mal_id = known.mal_id
      and record.related_id = known.related_id and record.relation = known.relation)
    on conflict do nothing`);

/** Makes the rows of relations that some source names and the operator has not removed. */
export const mergeRelations = (transaction: Transaction, keys: readonly RelationKey[]) =>
  transaction.execute<Touched>(sql`
    insert into ${titleRelations} as own (mal_id, related_id, relation, name)
    select mal_id, related_id, relation, max(name) from ${relationRecords} record
    where (mal_id, related_id, relation) in (select mal_id, related_id, relation from ${rowsOf(keys)} as word)
    group by 1, 2, 3 having bool_and(is_present)
    order by 1, 2, 3
    on conflict (mal_id, related_id, relation) do update set name = coalesce(excluded.name, own.name)
      where own.name is distinct from coalesce(excluded.name, own.name)
    returning ${touched}`);

export async function writeRelationWords(
  transaction: Transaction,
  words: readonly RelationWord[],
): Promise<Touched[]> {
  await keepRelationsBefore(transaction, words);
  await transaction.execute(sql`
    insert into ${relationRecords} as own (mal_id, related_id, relation, source, name)
    select mal_id, related_id, relation, source, name from ${rowsOf(words)} as word order by 1, 2, 3, 4
    on conflict (mal_id, related_id, relation, source) do update set name = excluded.name
      where excluded.name <> coalesce(own.name, '') and own.source <> 'operator'`);
  return [...(await mergeRelations(transaction, words))];
}

/** A source that does not say how titles belong together adds nothing to what another source says of them. */
export async function relateUnlessRelated(
  transaction: Transaction,
  words: readonly RelatedWord[],
): Promise<Touched[]> {
  const fresh = await transaction.execute<RelatedWord>(sql`
    insert into ${relationRecords} (mal_id, related_id, relation, source)
    select mal_id, related_id, 'other', source from ${rowsOf(words)} as word
    where not exists (select from ${titleRelations} known
        where known.mal_id = word.mal_id and known.related_id = word.related_id)
      and not exists (select from ${relationRecords} record
        where record.mal_id = word.mal_id and record.related_id = word.related_id)
    order by 1, 2
    on conflict do nothing returning mal_id as "malId", related_id as "relatedId", source`);
  return [
    ...(await mergeRelations(
      transaction,
      fresh.map((word) => ({ ...word, relation: "other" })),
    )),
  ];
}

/** The titles that name one of these as related. What others learn of their relations depends on who may see it. */
export async function listRelating(transaction: Transaction, malIds: Iterable<number>): Promise<number[]> {
  const related = [...malIds];
  if (related.length === 0) return [];
  const rows = await transaction
    .selectDistinct({ malId: titleRelations.malId })
    .from(titleRelations)
    .where(inArray(titleRelations.relatedId, related));
  return rows.map(({ malId }) => malId);
}

/**
 * Moves the relations of a title, in both directions, to another title. Where a source already says something of the other one,
 * that counts. Returns the titles whose relations changed.
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
  // What the operator removed of either is removed of both.
  await transaction.execute(sql`
    delete from ${titleRelations} known using ${relationRecords} record
    where ${to} in (known.mal_id, known.related_id) and not record.is_present and record.mal_id = known.mal_id
      and record.related_id = known.related_id and record.relation = known.relation`);
  await mergeRelations(transaction, [...moved]);
  return [...present, ...moved].map(({ malId }) => malId);
}

type WholeList = {
  malId: number;
  source: TitleSource;
  only: readonly { to: number; relation: RelationKind }[];
};

/** Forgets what a source does not name any more. A relation that no other source names is gone. */
export async function forgetOtherRelations(
  transaction: Transaction,
  lists: readonly WholeList[],
): Promise<Touched[]> {
  const gone = await transaction.execute<RelationKey>(sql`
    delete from ${relationRecords} record
    using jsonb_to_recordset(${JSON.stringify(lists)}::text::jsonb)
      as list ("malId" int, source text, "only" jsonb)
    where record.mal_id = list."malId" and record.source = list.source
      and not exists (select from jsonb_to_recordset(list."only") as kept ("to" int, relation text)
        where kept."to" = record.related_id and kept.relation = record.relation)
    returning record.mal_id as "malId", related_id as "relatedId", relation`);
  if (gone.length === 0) return [];
  return [
    ...(await transaction.execute<Touched>(sql`
      delete from ${titleRelations} known using ${rowsOf([...gone])} as word
      where known.mal_id = word.mal_id and known.related_id = word.related_id and known.relation = word.relation
        and not exists (select from ${relationRecords} record where record.mal_id = known.mal_id
          and record.related_id = known.related_id and record.relation = known.relation)
      returning known.mal_id as "malId", false as "isNew"`)),
  ];
}
