import type { z } from "zod";
import { type AnimeSeason, firstDayOf } from "#app/domain/calendar/calendar.ts";
import type { ListingQuery } from "#app/domain/catalog/catalog.server.ts";
import { type Filters, type Season, seasons } from "#app/domain/catalog/catalog.ts";
import { fail } from "#app/http/endpoint/error-response.server.ts";
import { filtersFrom } from "../catalog-query.server.ts";
import { approvedOnly, typeParam, unapprovedParam } from "./anime-query.server.ts";
import { queryFlag, requireNumber } from "./parameters.server.ts";

/** The parameters of seasons, under Jikan's names. */

export const seasonParams = {
  filter: typeParam,
  unapproved: unapprovedParam,
  continuing: queryFlag.describe("Also television series that began earlier and go on"),
};

type SeasonQuery = z.output<z.ZodObject<typeof seasonParams>>;

/** The titles of a season, or of the given `filters`, the most popular first. */
export const seasonListing = (
  { filter, unapproved }: SeasonQuery,
  filters: Filters,
): Pick<ListingQuery, "filters" | "order"> => ({
  filters: filtersFrom({
    ...filters,
    types: filter === undefined ? undefined : [filter],
    approved: approvedOnly(unapproved),
  }),
  order: { by: "members", descending: true },
});

export const filtersOfSeason = (
  { year, season }: AnimeSeason,
  { continuing }: Pick<SeasonQuery, "continuing">,
): Filters => ({
  years: [year],
  seasons: [season],
  seasonsByFirstDay: true,
  ...(continuing && { continuedOn: firstDayOf({ year, season }) }),
});

export function requireSeason(year: string | undefined, name: string | undefined): AnimeSeason {
  const season = seasons.find((one): one is Season => one.toLowerCase() === name?.toLowerCase());
  if (season === undefined) throw fail("not_found", "There is no such season");
  return { year: requireNumber(year, 2200), season };
}
