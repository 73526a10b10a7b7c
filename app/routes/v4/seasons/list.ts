import { z } from "zod";
import { listSeasons } from "#app/domain/catalog/catalog.server.ts";
import { seasons } from "#app/domain/catalog/catalog.ts";
import { seasonOnWire } from "#app/wire/jikan/anime/anime-json.server.ts";
import { shortPagingObject } from "#app/wire/jikan/paging.server.ts";
import { jikanMiddleware, jikanOperation } from "../jikan-operation.server.ts";

export const middleware = jikanMiddleware;

export const loader = jikanOperation({
  tag: "Lists",
  summary: "The seasons that have titles, the latest year first",
  answer: z.object({
    pagination: shortPagingObject,
    data: z.array(z.object({ year: z.int(), seasons: z.array(z.string()) })),
  }),
  async handle({ viewer }) {
    const known = await listSeasons(viewer);
    const years = [...new Set(known.map(({ year }) => year))];
    const isKnown = (year: number, season: string) =>
      known.some((one) => one.year === year && one.season === season);
    return {
      pagination: { last_visible_page: 1, has_next_page: false },
      data: years.map((year) => ({
        year,
        seasons: seasons.filter((season) => isKnown(year, season)).map(seasonOnWire),
      })),
    };
  },
});
export const action = loader;
