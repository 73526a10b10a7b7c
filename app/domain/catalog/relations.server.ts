import { and, inArray, not, sql } from "drizzle-orm";
import { isChildViewer, type Viewer, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { db } from "#db/client.server.ts";
import { titleRelations, titles } from "#db/schema/catalog.ts";
import { inverseRelations } from "#db/schema/enumerations.ts";
import { franchiseTitles } from "#db/schema/franchises.ts";
import type { Relation, RelationKind } from "./catalog.ts";
import { getTitlesById } from "./listing.server.ts";

/** A related title that the viewer may not see is left out completely, because its name can be mature too. */
export async function listRelations(malId: number, viewer: Viewer): Promise<Relation[]> {
  const rows = await readRelations(malId);
  const ids = [...new Set(rows.map((row) => row.relatedId))];
  const [shown, withheld] = await Promise.all([getTitlesById(ids, viewer), findWithheldIds(ids, viewer)]);
  const specificIds = new Set(
    rows.filter(({ relation }) => relation !== "other").map((row) => row.relatedId),
  );
  return (
    rows
      .filter(({ relatedId }) => !withheld.has(relatedId))
      // The ceiling of a child cannot judge a title that the catalog does not have.
      .filter(({ relatedId }) => shown.has(relatedId) || !isChildViewer(viewer))
      // "other" only says that two titles are related, so it is left out if there is a more specific relation.
      .filter(({ relation, relatedId }) => relation !== "other" || !specificIds.has(relatedId))
      .map(({ relation, relatedId, name }) => {
        const title = shown.get(relatedId) ?? null;
        return { relation, malId: relatedId, name: title?.title ?? name, title };
      })
  );
}

type StoredRelation = { relation: RelationKind; relatedId: number; name: string | null };

const inverseCases = Object.entries(inverseRelations).map(
  ([kind, inverse]) => `when '${kind}' then '${inverse}'`,
);
const inverse = sql.raw(`case relation ${inverseCases.join(" ")} end`);

/**
 * The relations of a title, including those that sources state only for the other title. Sources contradict each other
 * about sequels, so for two titles of one franchise its order of the story decides which one is the sequel.
 */
const readRelations = async (malId: number): Promise<readonly StoredRelation[]> =>
  await db.execute<StoredRelation>(sql`
    with stated as (
      select relation, related_id, name from ${titleRelations} where mal_id = ${malId}
    ),
    known as (
      select * from stated
      union all
      select ${inverse}, mal_id, null from ${titleRelations}
      where related_id = ${malId} and mal_id <> ${malId} and not exists (
        select from stated where stated.related_id = title_relations.mal_id and stated.relation <> 'other')
    )
    select distinct on (relation, "relatedId") * from (
      select case
          when relation not in ('sequel', 'prequel') or own.franchise_id is distinct from other.franchise_id or other.story is null
            then relation
          when other.story > own.story then 'sequel' else 'prequel' end as relation,
        related_id as "relatedId", name
      from known left join ${franchiseTitles} own on own.mal_id = ${malId}
        left join ${franchiseTitles} other on other.mal_id = known.related_id
    ) as agreed order by relation, "relatedId", name`);

async function findWithheldIds(ids: readonly number[], viewer: Viewer): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .select({ malId: titles.malId })
    .from(titles)
    .where(and(inArray(titles.malId, [...ids]), not(visibleTo(viewer))));
  return new Set(rows.map(({ malId }) => malId));
}
