import { sql } from "drizzle-orm";
import { changeCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import { sortKey } from "#app/domain/names/names.ts";
import { log } from "#app/platform/log.server.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";

/** Small enough for one update to end well within the query time limit. */
const titlesPerUpdate = 500;

/**
 * Computes the sort keys that a migration emptied, since SQL cannot compute them. Continues where an earlier run
 * stopped.
 */
export async function fillTitleKeys(): Promise<void> {
  let filled = 0;
  while ((await db.$count(titles, hasNoKey)) > 0) filled += await changeCatalog([], fillSome);
  if (filled > 0) log.info("computed the keys by which titles are sorted", { titles: filled });
}

const hasNoKey = sql`${titles.titleKey} = ''`;

async function fillSome(transaction: Transaction): Promise<number> {
  // Imports lock titles in this order too. A different order would deadlock with them.
  const rows = await transaction
    .select({ malId: titles.malId, title: titles.title })
    .from(titles)
    .where(hasNoKey)
    .orderBy(titles.malId)
    .limit(titlesPerUpdate)
    .for("no key update");
  const keys = JSON.stringify(rows.map(({ malId, title }) => ({ mal_id: malId, key: sortKey(title) })));
  await transaction.execute(sql`
    update ${titles} set title_key = keys.key
      from jsonb_to_recordset(${keys}::jsonb) as keys (mal_id int, key text)
     where titles.mal_id = keys.mal_id`);
  return rows.length;
}
