import { and, eq, inArray, not, sql } from "drizzle-orm";
import { type Viewer, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { db } from "#db/client.server.ts";
import { titleRelations, titles } from "#db/schema/catalog.ts";
import type { Relation, RelationKind } from "./catalog.ts";
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

/** Loose relations: the stories share only a character, or the source has no name for the relation. */
const looseKinds = ["character", "other"] as const satisfies readonly RelationKind[];
const maxFranchise = 200;

/** The title and all titles of the same story: sequels, side stories and other versions, followed recursively. */
export async function listFranchise(malId: number): Promise<number[]> {
  const rows = await db.execute<{ mal_id: number }>(sql`
    with recursive relations as (
      select mal_id, related_id from ${titleRelations} where relation <> all (${`{${looseKinds.join(",")}}`}::text[])
    ), franchise(mal_id) as (
      select ${malId}::int
      union
      select case when relations.mal_id = franchise.mal_id then relations.related_id else relations.mal_id end
      from franchise join relations on franchise.mal_id in (relations.mal_id, relations.related_id)
    )
    select mal_id from franchise limit ${maxFranchise}`);
  return rows.map((row) => row.mal_id);
}

/** Keeps only the first title of each franchise. */
export async function firstOfEachFranchise(malIds: readonly number[]): Promise<number[]> {
  const isClose = sql`relation <> all (${`{${looseKinds.join(",")}}`}::text[])`;
  const rows = await db.execute<{ mal_id: number; franchise: number }>(sql`
    with recursive related(shown_id, mal_id) as (
      select id, id from unnest(${`{${malIds.join(",")}}`}::int[]) as id
      union
      select related.shown_id, neighbour.mal_id from related cross join lateral (
        select related_id as mal_id from ${titleRelations} where mal_id = related.mal_id and ${isClose}
        union all
        select mal_id from ${titleRelations} where related_id = related.mal_id and ${isClose}
      ) neighbour
    )
    select shown_id as mal_id, min(mal_id) as franchise from related group by shown_id`);
  const franchiseOf = new Map(rows.map(({ mal_id, franchise }) => [mal_id, franchise]));
  const seen = new Set<number | undefined>();
  return malIds.filter((malId) => {
    const franchise = franchiseOf.get(malId);
    return !seen.has(franchise) && seen.add(franchise);
  });
}
