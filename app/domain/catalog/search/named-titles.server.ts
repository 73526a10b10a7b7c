import { and, eq, inArray, or, sql } from "drizzle-orm";
import type { ExternalId } from "#app/domain/external-ids/external-ids.ts";
import { withoutSpaces } from "#app/domain/names/names.ts";
import { type Viewer, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { firstOfEach, groupBy } from "#app/platform/lists.ts";
import { db } from "#db/client.server.ts";
import { titleAliases, titleIds, titles } from "#db/schema/catalog.ts";
import { maxMalId } from "../catalog.ts";
import { indexKey } from "./index-key.ts";

const comparedColumns = {
  malId: titles.malId,
  title: titles.title,
  type: titles.type,
  year: titles.year,
  episodes: titles.episodes,
  members: titles.members,
};
type ComparedTitle = Pick<typeof titles.$inferSelect, keyof typeof comparedColumns>;

/** A title, the name that matched, and the kind of this name. */
export type NamedTitle = ComparedTitle & Pick<typeof titleAliases.$inferSelect, "alias" | "kind">;
const namedColumns = { ...comparedColumns, alias: titleAliases.alias, kind: titleAliases.kind };

/** Finds titles by name, ignoring case, spaces and punctuation. The keys of the result are the requested names. */
export async function findTitlesNamed(
  names: readonly string[],
  viewer: Viewer,
): Promise<ReadonlyMap<string, NamedTitle[]>> {
  const keyOf = (name: string) => withoutSpaces(indexKey(name));
  const keys = [...new Set(names.map(keyOf))].filter((key) => key !== "");
  if (keys.length === 0) return new Map();
  const rows = await db
    .select({ key: titleAliases.joined, ...namedColumns })
    .from(titleAliases)
    .innerJoin(titles, eq(titles.malId, titleAliases.malId))
    .where(and(inArray(titleAliases.joined, keys), visibleTo(viewer)));
  const byKey = groupBy(rows, ({ key }) => key);
  return new Map(names.map((name) => [name, byKey.get(keyOf(name)) ?? []]));
}

const maxHolding = 200;

/** Titles with a name that contains all words of `name` in the same order. Null if there are too many. */
export async function findTitlesHolding(name: string, viewer: Viewer): Promise<NamedTitle[] | null> {
  const words = indexKey(name).split(" ");
  const pattern = `%${words.map((word) => word.replace(/^0+(?=\d)/, "")).join("%")}%`;
  const rows = await db
    .select(namedColumns)
    .from(titleAliases)
    .innerJoin(titles, eq(titles.malId, titleAliases.malId))
    .where(and(sql`${titleAliases.key} like ${pattern}`, visibleTo(viewer)))
    .limit(maxHolding);
  return rows.length < maxHolding ? rows : null;
}

export type IdentifiedTitle = ComparedTitle & {
  /** If the other site has one id for a whole series: the number of the season there that is this title. */
  season: number | null;
};

/** The titles with one of these ids, the oldest first. `mal` ids are the catalog's own. */
export async function findTitlesWithIds(
  ids: readonly { site: ExternalId["site"] | "mal"; id: string }[],
  viewer: Viewer,
): Promise<IdentifiedTitle[]> {
  const isOne = ids.map(({ site, id }) =>
    site === "mal"
      ? // PostgreSQL refuses to compare the column with a larger number.
        eq(titles.malId, Math.min(Number(id), maxMalId))
      : and(eq(titleIds.site, site), eq(titleIds.externalId, id)),
  );
  if (isOne.length === 0) return [];
  const rows = await db
    .select({ ...comparedColumns, season: titleIds.season })
    .from(titles)
    .leftJoin(titleIds, eq(titleIds.malId, titles.malId))
    .where(and(or(...isOne), visibleTo(viewer)))
    .orderBy(sql`${titles.airedFrom} nulls last`, titles.malId);
  const requestedMalIds = new Set(ids.flatMap(({ site, id }) => (site === "mal" ? [Number(id)] : [])));
  return firstOfEach(rows, ({ malId }) => malId).map((title) =>
    requestedMalIds.has(title.malId) ? { ...title, season: null } : title,
  );
}

/** All names of these titles. */
export async function listNamesOf(malIds: readonly number[]): Promise<string[]> {
  if (malIds.length === 0) return [];
  const rows = await db
    .select({ alias: titleAliases.alias })
    .from(titleAliases)
    .where(inArray(titleAliases.malId, [...malIds]));
  return rows.map(({ alias }) => alias);
}
