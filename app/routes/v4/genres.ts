import { z } from "zod";
import { listCountedTags } from "#app/domain/catalog/catalog.server.ts";
import { wordOf } from "#app/wire/jikan/anime-query.server.ts";
import { genreLists, genreObject, genreOnWire } from "#app/wire/jikan/names-json.server.ts";
import { jikanMiddleware, jikanOperation } from "./jikan-operation.server.ts";

export const middleware = jikanMiddleware;

export const loader = jikanOperation({
  tag: "Names",
  summary: "Genres, themes and demographics, each with the number of its titles",
  query: { filter: wordOf(genreLists) },
  answer: z.object({ data: z.array(genreObject) }),
  async handle({ query, viewer, facts }) {
    const lists = query.filter ? [query.filter] : Object.values(genreLists);
    const known = await listCountedTags(viewer);
    const listed = lists.flatMap((isListed) => known.filter(isListed));
    return { data: listed.map((tag) => genreOnWire(tag, facts.origin)) };
  },
});
export const action = loader;
