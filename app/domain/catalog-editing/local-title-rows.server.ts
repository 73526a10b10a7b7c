import { eq, sql } from "drizzle-orm";
import { moveRelations, writeTitles } from "#app/domain/catalog-import/catalog-import.server.ts";
import type { TitleFields } from "#app/domain/catalog-import/catalog-import.ts";
import { markCatalogChanged } from "#app/domain/catalog-version/catalog-version.server.ts";
import { moveCorrections } from "#app/domain/franchises/franchises.server.ts";
import { firstLocalMalId } from "#app/domain/visibility/visibility.ts";
import { intArray } from "#db/arrays.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { titleRedirects } from "#db/schema/local-titles.ts";

/** The rows of local titles: inserts, locks and replaces them. */

/**
 * The highest id that a new local title can follow. A file can contain a higher one, but PostgreSQL's `integer` has
 * little room after it.
 */
const lastLocalMalId = 1_999_999_999;

/** Numbers are never reused, not even that of a replaced title, because its URL redirects to the replacement. */
export async function insertLocalTitle(transaction: Transaction, fields: TitleFields): Promise<number> {
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtext('engawa own titles'))`);
  const [row] = await transaction.execute<{ malId: number }>(sql`
    select greatest(${firstLocalMalId}, 1 + (select max(mal_id) from ${titles} where mal_id <= ${lastLocalMalId}),
      1 + (select max(from_id) from ${titleRedirects}))::bigint as "malId"`);
  const malId = Number(row?.malId);
  if (malId > lastLocalMalId) throw new Error("there is no number left for a title of this installation");
  await writeTitles(transaction, [{ malId, source: "operator", fields, isWhole: true }]);
  return malId;
}

/**
 * Locks titles so that one of them can be deleted: no row can refer to them until the transaction ends. The order is that
 * of imports, so that the two cannot deadlock. Returns the names of those that the catalog has.
 */
export async function lockTitles(
  transaction: Transaction,
  malIds: readonly number[],
): Promise<Map<number, string>> {
  const rows = await transaction
    .select({ malId: titles.malId, title: titles.title })
    .from(titles)
    .where(sql`${titles.malId} = any(${intArray(malIds)})`)
    .orderBy(titles.malId)
    .for("update");
  return new Map(rows.map(({ malId, title }) => [malId, title]));
}

/**
 * Deletes a title and redirects its URL to another, which gets its relations. Fails if a member's data still refers to
 * the title.
 */
export async function replaceTitle(
  transaction: Transaction,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const related = await moveRelations(transaction, { from, to });
  await moveCorrections(transaction, { from, to });
  await transaction.insert(titleRedirects).values({ fromId: from, toId: to });
  await transaction.delete(titles).where(eq(titles.malId, from));
  const changed = related.filter((malId) => malId !== from);
  await markCatalogChanged(transaction, changed);
}

/** The title that replaced a local title. Null if it was not replaced. */
export const findReplacement = async (malId: number): Promise<number | null> =>
  (await findReplacements([malId])).get(malId) ?? null;

/** The id under which the catalog has the title now: its own, or that of the title that replaced it. */
export const currentIdOf = async (malId: number): Promise<number> => (await findReplacement(malId)) ?? malId;

/** The titles that replaced some of these titles, by the numbers of the replaced ones. */
export async function findReplacements(malIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const localIds = malIds.filter((malId) => malId >= firstLocalMalId);
  if (localIds.length === 0) return new Map();
  const rows = await db
    .select({ fromId: titleRedirects.fromId, toId: titleRedirects.toId })
    .from(titleRedirects)
    .where(sql`${titleRedirects.fromId} = any(${intArray(localIds)})`);
  return new Map(rows.map(({ fromId, toId }) => [fromId, toId]));
}
