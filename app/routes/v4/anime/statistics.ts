import { refuse } from "#app/domain/errors.ts";
import { countListEntries } from "#app/domain/library/library.server.ts";
import { statisticsObject, statisticsOnWire } from "#app/wire/jikan/anime/statistics-json.server.ts";
import { jikanMiddleware, titleOperation } from "../jikan-operation.server.ts";

export const middleware = jikanMiddleware;

export const loader = titleOperation(
  "How many members of this site have the title on their lists, if enough do",
  statisticsObject,
  async ({ malId }) => {
    const counts = await countListEntries(malId);
    return counts
      ? statisticsOnWire(counts)
      : refuse("not_found", "Statistics are not in this catalog: too few members here list this title");
  },
);
export const action = loader;
