import { and, not, or, type SQL, sql } from "drizzle-orm";
import type { Viewer } from "#app/domain/visibility/visibility.server.ts";
import { textArray } from "#db/arrays.ts";
import { titles } from "#db/schema/catalog.ts";
import type { Filters } from "../catalog.ts";
import { type CountedTag, listCountedTags } from "./tag-index.server.ts";

/** Filters by tag number, as conditions on `titles`. */

const columnsOf = {
  genre: [titles.genres],
  theme: [titles.themes],
  demographic: [titles.demographics],
  producer: [titles.studios, titles.producers, titles.licensors],
} as const;

export async function tagConditions(
  { tags = [], withoutTags = [], companies = [] }: Filters,
  viewer: Viewer,
): Promise<SQL | undefined> {
  if (tags.length + withoutTags.length + companies.length === 0) return undefined;
  const known = await listCountedTags(viewer);
  const genres = new Map(known.filter(({ kind }) => kind !== "producer").map((tag) => [tag.malId, tag]));
  const producers = new Map(known.filter(({ kind }) => kind === "producer").map((tag) => [tag.malId, tag]));
  return and(
    ...tags.map((malId) => hasTag(genres.get(malId))),
    ...withoutTags.map((malId) => not(hasTag(genres.get(malId)))),
    companies.length > 0 ? or(...companies.map((malId) => hasTag(producers.get(malId)))) : undefined,
  );
}

/** An unknown tag matches no title. */
function hasTag(tag: CountedTag | undefined): SQL {
  if (tag === undefined) return sql`false`;
  const names = textArray(tag.spellings);
  return or(...columnsOf[tag.kind].map((column) => sql`${column} && ${names}`)) ?? sql`false`;
}
