import { z } from "zod";
import { limited } from "#app/api/access/limits.server.ts";
import { episodeObject, episodeOnWire } from "#app/api/jikan/anime/episode-json.server.ts";
import { inJikanShape, whereOffered } from "#app/api/jikan/jikan-errors.server.ts";
import { idParam, jikanOperation, requireNumber } from "#app/api/jikan/jikan-operation.server.ts";
import { getEpisode } from "#app/domain/catalog/catalog.server.ts";
import { maxEpisodeNumber } from "#app/domain/catalog/catalog.ts";

export const middleware = [inJikanShape, whereOffered, limited("jikan")];

export const loader = jikanOperation({
  tag: "Anime",
  summary: "One episode",
  params: { ...idParam, episode: z.int() },
  answer: z.object({ data: episodeObject }),
  async handle({ params, viewer, facts }) {
    const number = requireNumber(params.episode, maxEpisodeNumber);
    const found = await getEpisode(requireNumber(params.id), number, viewer);
    return found.ok ? { data: episodeOnWire(found.value, facts.origin) } : found;
  },
});
export const action = loader;
