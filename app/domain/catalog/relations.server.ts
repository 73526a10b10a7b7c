import { eq } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { titleRelations } from "#db/schema/catalog.ts";
import type { Relation } from "./catalog.ts";
import { listTitlesById } from "./listing.server.ts";

/** A related title that parental control hides is left out completely, because its name can be mature too. */
export async function listRelations(malId: number, showMature: boolean): Promise<Relation[]> {
  const rows = await db
    .select()
    .from(titleRelations)
    .where(eq(titleRelations.malId, malId))
    .orderBy(titleRelations.relation, titleRelations.relatedId);
  const ids = [...new Set(rows.map((row) => row.relatedId))];
  const [all, shown] = await Promise.all([listTitlesById(ids, true), listTitlesById(ids, showMature)]);
  const idsInCatalog = new Set(all.map((title) => title.malId));
  const byId = new Map(shown.map((title) => [title.malId, title]));
  return rows
    .filter(({ relatedId }) => byId.has(relatedId) || !idsInCatalog.has(relatedId))
    .map(({ relation, relatedId, name }) => {
      const title = byId.get(relatedId) ?? null;
      return { relation, malId: relatedId, name: title?.title ?? name, title };
    });
}
