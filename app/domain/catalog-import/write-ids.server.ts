import { and, eq, inArray, sql } from "drizzle-orm";
import { type ExternalId, externalIdKey, formatExternalId } from "#app/domain/external-ids/external-ids.ts";
import { malIdsOf } from "#app/domain/mal-ids.ts";
import { textArray } from "#db/arrays.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { insertRows } from "#db/insert-rows.ts";
import { titleIds, titleRecords } from "#db/schema/catalog.ts";
import { oneToOneSites } from "#db/schema/enumerations.ts";
import type { TitleSource } from "./records/sources.ts";
import type { TitleFields } from "./records/title-fields.ts";

/** Writes the titles' ids on other sites. */

/** An id that was refused to a title because another title holds it. */
export type TakenId = IdOfTitle & { holder: number };
type IdOfTitle = { malId: number; id: ExternalId };
type IdWriteResult = { changed: Set<number>; taken: TakenId[] };
type IdsByTitle = ReadonlyMap<number, readonly ExternalId[]>;

async function readIds(
  transaction: Transaction,
  malIds: readonly number[],
): Promise<Map<number, ExternalId[]>> {
  const idsOf = new Map<number, ExternalId[]>(malIds.map((malId) => [malId, []]));
  if (malIds.length === 0) return idsOf;
  const rows = await transaction
    .select()
    .from(titleIds)
    .where(inArray(titleIds.malId, [...malIds]))
    .orderBy(titleIds.site, titleIds.externalId);
  for (const { malId, site, externalId: id, season } of rows) idsOf.get(malId)?.push({ site, id, season });
  return idsOf;
}

/** Gives titles the ids that other titles held earlier in the import. */
export async function retryIds(
  transaction: Transaction,
  refused: readonly TakenId[],
): Promise<IdWriteResult> {
  const idsByTitle = await readIds(transaction, malIdsOf(refused));
  for (const { malId, id } of refused) idsByTitle.get(malId)?.push(id);
  return writeIds(transaction, idsByTitle);
}

/**
 * The source's records of titles that lack one of their ids, because another title held it. Only sites with one id per
 * title have such conflicts.
 */
export async function listTitlesWithoutIds(
  source: TitleSource,
): Promise<{ malId: number; fields: TitleFields }[]> {
  const site = sql`split_part(id, ':', 1)`;
  return db
    .select({ malId: titleRecords.malId, fields: sql<TitleFields>`${titleRecords.fields}` })
    .from(titleRecords)
    .where(
      and(
        eq(titleRecords.source, source),
        sql`exists (
          select from jsonb_array_elements_text(${titleRecords.fields} -> 'externalIds') as id
           where ${site} = any (${textArray(oneToOneSites)}) and not exists (
             select from ${titleIds} own where own.mal_id = ${titleRecords.malId}
                and own.site = ${site} and own.external_id = split_part(id, ':', 2)))`,
      ),
    )
    .orderBy(titleRecords.malId);
}

/** Sets each title's ids to exactly these. An id that another title holds stays with that title. */
export async function writeIds(transaction: Transaction, idsByTitle: IdsByTitle): Promise<IdWriteResult> {
  const present = await readIds(transaction, [...idsByTitle.keys()]);
  const gone: IdOfTitle[] = [];
  const added: IdOfTitle[] = [];
  for (const [malId, ids] of idsByTitle) {
    const before = new Map((present.get(malId) ?? []).map((id) => [externalIdKey(id), id]));
    const after = new Map(ids.map((id) => [externalIdKey(id), id]));
    for (const [key, id] of before) if (!isSameId(after.get(key), id)) gone.push({ malId, id });
    for (const [key, id] of after) if (!isSameId(before.get(key), id)) added.push({ malId, id });
  }
  await deleteIds(transaction, gone);
  return insertIds(transaction, added, new Set(malIdsOf(gone)));
}

/** Also compares the season, which `externalIdKey` leaves out. */
const isSameId = (one: ExternalId | undefined, other: ExternalId) =>
  one !== undefined && formatExternalId(one) === formatExternalId(other);

/** The rows are one parameter, because PostgreSQL accepts only 65,535. */
async function deleteIds(transaction: Transaction, rows: readonly IdOfTitle[]) {
  if (rows.length === 0) return;
  const gone = rows.map(({ malId, id: { site, id } }) => ({ malId, site, id }));
  await transaction.execute(sql`
    delete from ${titleIds} own using jsonb_to_recordset(${JSON.stringify(gone)}::text::jsonb)
      as gone ("malId" int, site text, id text)
    where own.mal_id = gone."malId" and own.site = gone.site and own.external_id = gone.id`);
}

/** Rows are sorted, because two imports that insert the same ids in different orders would deadlock. */
async function insertIds(
  transaction: Transaction,
  rows: readonly IdOfTitle[],
  changed: Set<number>,
): Promise<IdWriteResult> {
  const missing = new Map(
    rows
      .map((row) => [`${externalIdKey(row.id)} ${row.malId}`, row] as const)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
  const values = [...missing.values()].map(({ malId, id }) => ({
    malId,
    site: id.site,
    externalId: id.id,
    season: id.season,
  }));
  if (values.length > 0) {
    const inserted = await transaction.execute<ExternalId & { malId: number }>(
      insertRows(
        titleIds,
        values,
        sql`on conflict do nothing returning mal_id as "malId", site, external_id as id, season`,
      ),
    );
    for (const { malId, ...id } of inserted) {
      missing.delete(`${externalIdKey(id)} ${malId}`);
      changed.add(malId);
    }
  }
  return { changed, taken: await withHolders(transaction, [...missing.values()]) };
}

async function withHolders(transaction: Transaction, refused: readonly IdOfTitle[]) {
  const holders = await findTitlesByIds(
    transaction,
    refused.map(({ id }) => id),
  );
  return refused.map((row) => ({
    ...row,
    holder: holders.get(externalIdKey(row.id)) ?? 0,
  }));
}

/** Finds titles by their ids on sites with one id per title, keyed like `anidb:4563`. */
export async function findTitlesByIds(
  transaction: Transaction | typeof db,
  ids: readonly ExternalId[],
): Promise<Map<string, number>> {
  const titleOf = new Map<string, number>();
  for (const site of oneToOneSites) {
    const idsOfSite = ids.filter((one) => one.site === site).map(({ id }) => id);
    if (idsOfSite.length === 0) continue;
    const rows = await transaction
      .select()
      .from(titleIds)
      .where(and(eq(titleIds.site, site), sql`${titleIds.externalId} = any(${textArray(idsOfSite)})`));
    for (const { malId, externalId: id } of rows) titleOf.set(externalIdKey({ site, id }), malId);
  }
  return titleOf;
}
