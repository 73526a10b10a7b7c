import { type SQL, sql } from "drizzle-orm";
import { listTitlesById } from "#app/domain/catalog/catalog.server.ts";
import type { Title } from "#app/domain/catalog/catalog.ts";
import { type Viewer, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { db } from "#db/client.server.ts";
import { titleRelations, titles } from "#db/schema/catalog.ts";

/** Finds the title that follows another one, for every page and endpoint. */

/** The id of the sequel that came out first, as SQL; null when there is none that the viewer may see. */
export const nextTitleIdOf = (malId: SQL, viewer: Viewer): SQL<number | null> => sql`(
  select sequel.mal_id from ${titleRelations} join ${titles} sequel on sequel.mal_id = title_relations.related_id
  where title_relations.mal_id = ${malId} and title_relations.relation = 'sequel' and ${visibleTo(viewer, "sequel")}
  order by sequel.airs_from, sequel.mal_id limit 1)`;

/** Null when the catalog has no sequel that the viewer may see. */
export async function findNextTitle(malId: number, viewer: Viewer): Promise<Title | null> {
  const [row] = await db.execute<{ id: number | null }>(
    sql`select ${nextTitleIdOf(sql`${malId}::int`, viewer)} as id`,
  );
  if (row?.id == null) return null;
  return (await listTitlesById([row.id], viewer))[0] ?? null;
}
