import { z } from "zod";
import { getEpisode } from "#app/domain/catalog/catalog.server.ts";
import { maxEpisodeNumber } from "#app/domain/catalog/catalog.ts";
import { jikanEpisodeObject, jikanEpisodeOnWire } from "#app/wire/jikan/anime/episode-json.server.ts";
import { idParam, requireNumber } from "#app/wire/jikan/parameters.server.ts";
import { jikanMiddleware, jikanOperation } from "../jikan-operation.server.ts";

export const middleware = jikanMiddleware;

export const loader = jikanOperation({
  tag: "Anime",
  summary: "One episode",
  params: { ...idParam, episode: z.int() },
  answer: z.object({ data: jikanEpisodeObject }),
  async handle({ params, viewer, facts }) {
    const number = requireNumber(params.episode, maxEpisodeNumber);
    const episode = await getEpisode(requireNumber(params.id), number, viewer);
    return episode.ok ? { data: jikanEpisodeOnWire(episode.value, facts.origin) } : episode;
  },
});
export const action = loader;
