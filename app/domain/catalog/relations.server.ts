import { and, eq, inArray, not } from "drizzle-orm";
import { type Viewer, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { db } from "#db/client.server.ts";
import { titleRelations, titles } from "#db/schema/catalog.ts";
import type { Relation } from "./catalog.ts";
import { listTitlesById } from "./listing.server.ts";

/** A related title that the viewer may not see is left out completely, because its name can be mature too. */
export async function listRelations(malId: number, viewer: Viewer): Promise<Relation[]> {
  const rows = await db
    .select()
    .from(titleRelations)
    .where(eq(titleRelations.malId, malId))
    .orderBy(titleRelations.relation, titleRelations.relatedId);
  const ids = [...new Set(rows.map((row) => row.relatedId))];
  const [shown, withheld] = await Promise.all([listTitlesById(ids, viewer), findWithheldIds(ids, viewer)]);
  const byId = new Map(shown.map((title) => [title.malId, title]));
  const toldIds = new Set(rows.filter(({ relation }) => relation !== "other").map((row) => row.relatedId));
  return (
    rows
      .filter(({ relatedId }) => !withheld.has(relatedId))
      // "other" only says that two titles are related, so it is left out if there is a more specific relation.
      .filter(({ relation, relatedId }) => relation !== "other" || !toldIds.has(relatedId))
      .map(({ relation, relatedId, name }) => {
        const title = byId.get(relatedId) ?? null;
        return { relation, malId: relatedId, name: title?.title ?? name, title };
      })
  );
}

async function findWithheldIds(ids: readonly number[], viewer: Viewer): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .select({ malId: titles.malId })
    .from(titles)
    .where(and(inArray(titles.malId, [...ids]), not(visibleTo(viewer))));
  return new Set(rows.map(({ malId }) => malId));
}
