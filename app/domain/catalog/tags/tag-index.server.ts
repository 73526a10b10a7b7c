import { sql } from "drizzle-orm";
import { cachePerVersion } from "#app/domain/catalog-version/catalog-version.server.ts";
import { wordKey } from "#app/domain/names/names.ts";
import { type Viewer, viewerKey, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { groupBy } from "#app/platform/lists.ts";
import { db } from "#db/client.server.ts";
import { tags, titles } from "#db/schema/catalog.ts";
import type { Tag, TagKind } from "./tag-facts.ts";

/** The catalog's tags by number and by name. */

export type CountedTag = Tag & {
  /** The number of titles with this tag that the viewer may see. */
  titles: number;
  /** The spellings of this tag in the titles' rows. */
  spellings: string[];
};

const keyOf = (kind: TagKind, name: string) => `${kind} ${wordKey(name)}`;

const numberings = cachePerVersion<Map<string, number>>(1);

export type TagNumberOf = (kind: TagKind, name: string) => number | undefined;

export async function readTagNumbers(): Promise<TagNumberOf> {
  const numbers = await numberings("numbers", async () => {
    const rows = await db.select({ kind: tags.kind, key: tags.key, malId: tags.malId }).from(tags);
    return new Map(rows.map(({ kind, key, malId }) => [`${kind} ${key}`, malId]));
  });
  return (kind, name) => numbers.get(keyOf(kind, name));
}

const indexes = cachePerVersion<CountedTag[]>(20);

/** The tags of titles that the viewer may see, ordered by number. */
export const listCountedTags = (viewer: Viewer): Promise<CountedTag[]> =>
  indexes(viewerKey(viewer), async () => {
    const [known, used] = await Promise.all([db.select().from(tags).orderBy(tags.malId), countNames(viewer)]);
    const spelled = groupBy(used, ({ kind, name }) => keyOf(kind, name));
    return known.flatMap(({ kind, malId, name, key }) => {
      const counts = spelled.get(`${kind} ${key}`);
      if (!counts) return [];
      const total = counts.reduce((sum, { count }) => sum + count, 0);
      return [{ kind, malId, name, titles: total, spellings: counts.map((one) => one.name) }];
    });
  });

/** Joins titles with their tags, as `named.kind` and `named.name`. A company in two roles counts once. */
export const joinedTags = sql`cross join lateral (
    select 'genre' as kind, unnest(genres) as name
    union all select 'theme', unnest(themes)
    union all select 'demographic', unnest(demographics)
    union all select distinct 'producer', unnest(studios || producers || licensors)) named`;

const countNames = (viewer: Viewer) =>
  db.execute<{ kind: TagKind; name: string; count: number }>(sql`
    select named.kind, named.name, count(*)::int as count from ${titles} ${joinedTags}
     where ${visibleTo(viewer)}
     group by named.kind, named.name`);
