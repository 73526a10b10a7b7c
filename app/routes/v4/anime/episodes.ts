import { z } from "zod";
import { listEpisodes } from "#app/domain/catalog/catalog.server.ts";
import { listedEpisodeObject, listedEpisodeOnWire } from "#app/wire/jikan/anime/episode-json.server.ts";
import { pageParam, shortPagingObject, shortPagingOnWire } from "#app/wire/jikan/paging.server.ts";
import { idParam, requireNumber } from "#app/wire/jikan/parameters.server.ts";
import { jikanMiddleware, jikanOperation } from "../jikan-operation.server.ts";

export const middleware = jikanMiddleware;

export const loader = jikanOperation({
  tag: "Anime",
  summary: "A title's episodes, 100 on each page",
  params: idParam,
  query: { page: pageParam },
  answer: z.object({ pagination: shortPagingObject, data: z.array(listedEpisodeObject) }),
  async handle({ params, query, viewer, facts }) {
    const page = await listEpisodes(requireNumber(params.id), query.page, viewer);
    if (!page.ok) return page;
    return {
      pagination: shortPagingOnWire(page.value),
      data: page.value.episodes.map((episode) => listedEpisodeOnWire(episode, facts.origin)),
    };
  },
});
export const action = loader;
