import { z } from "zod";
import { inJikanShape, whereOffered } from "#app/access/jikan-errors.server.ts";
import { limited } from "#app/access/limits.server.ts";
import { getTitle } from "#app/domain/catalog/catalog.server.ts";
import { refuse } from "#app/domain/errors.ts";
import { countListEntries } from "#app/domain/library/library.server.ts";
import { statisticsObject, statisticsOnWire } from "#app/wire/jikan/anime/statistics-json.server.ts";
import { idParam, requireNumber } from "#app/wire/jikan/parameters.server.ts";
import { jikanOperation } from "../jikan-operation.server.ts";

export const middleware = [inJikanShape, whereOffered, limited("jikan")];

export const loader = jikanOperation({
  tag: "Anime",
  summary: "How many members of this site have the title on their lists, if enough do",
  params: idParam,
  answer: z.object({ data: statisticsObject }),
  async handle({ params, viewer }) {
    const found = await getTitle(requireNumber(params.id), viewer);
    if (!found.ok) return found;
    const counts = await countListEntries(found.value.malId);
    return counts
      ? { data: statisticsOnWire(counts) }
      : refuse("not_found", "Statistics are not in this catalog: too few members here list this title");
  },
});
export const action = loader;
