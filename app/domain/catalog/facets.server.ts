import type { Filters } from "./catalog.ts";
import { countTitles, listTitles } from "./listing.server.ts";

/** When nothing passes: how much would, with one filter fewer. */

export type DroppedFilter = { filter: keyof Filters; total: number };

/** A modifier means nothing without what it modifies. */
const modifiers: Partial<Record<keyof Filters, keyof Filters>> = { allGenres: "genres" };

export async function countWithoutEach(filters: Filters, showMature: boolean): Promise<DroppedFilter[]> {
  const names = (Object.keys(filters) as (keyof Filters)[]).filter((name) => !(name in modifiers));
  const counted = await Promise.all(
    names.map(async (filter) => ({ filter, total: await countAny(without(filters, filter), showMature) })),
  );
  return counted.filter(({ total }) => total > 0).sort((a, b) => b.total - a.total);
}

function without(filters: Filters, dropped: keyof Filters): Filters {
  const kept = Object.entries(filters).filter(
    ([name]) => name !== dropped && modifiers[name as keyof Filters] !== dropped,
  );
  return Object.fromEntries(kept);
}

const countAny = async (filters: Filters, showMature: boolean) =>
  filters.search === undefined
    ? countTitles(filters, showMature)
    : (await listTitles({ filters, perPage: 1 }, showMature)).total;
