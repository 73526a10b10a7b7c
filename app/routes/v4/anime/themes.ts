import { z } from "zod";
import { limited } from "#app/api/access/limits.server.ts";
import { songsObject, songsOnWire } from "#app/api/jikan/anime/songs-json.server.ts";
import { inJikanShape, whereOffered } from "#app/api/jikan/jikan-errors.server.ts";
import { idParam, jikanOperation, requireNumber } from "#app/api/jikan/jikan-operation.server.ts";
import { getTitle } from "#app/domain/catalog/catalog.server.ts";

export const middleware = [inJikanShape, whereOffered, limited("jikan")];

export const loader = jikanOperation({
  tag: "Anime",
  summary: "A title's opening and ending songs",
  params: idParam,
  answer: z.object({ data: songsObject }),
  async handle({ params, viewer }) {
    const found = await getTitle(requireNumber(params.id), viewer);
    return found.ok ? { data: songsOnWire(found.value) } : found;
  },
});
export const action = loader;
