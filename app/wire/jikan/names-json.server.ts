import { z } from "zod";
import type { CountedTag } from "#app/domain/catalog/catalog.server.ts";
import { matureGenres } from "#app/domain/catalog/catalog.ts";
import { nameObject } from "./anime/anime-json.server.ts";
import { tagUrl } from "./anime/tags-json.server.ts";
import { searchText, sortParam, wordOf } from "./anime-query.server.ts";

/** Genres and companies as Jikan lists them. */

export const genreObject = z
  .object({ mal_id: z.number().int(), name: z.string(), url: z.string(), count: z.number().int() })
  .meta({ id: "Genre" });

export const genreOnWire = (tag: CountedTag, origin: string): z.output<typeof genreObject> => ({
  mal_id: tag.malId,
  name: tag.name,
  url: tagUrl(tag, origin),
  count: tag.titles,
});

/** Jikan's lists of genres, in its order. Jikan counts Ecchi as explicit. */
const explicit = new Set<string>([...matureGenres, "Ecchi"]);
export const genreLists = {
  genres: ({ kind, name }: CountedTag) => kind === "genre" && !explicit.has(name),
  explicit_genres: ({ kind, name }: CountedTag) => kind === "genre" && explicit.has(name),
  themes: ({ kind }: CountedTag) => kind === "theme",
  demographics: ({ kind }: CountedTag) => kind === "demographic",
};

export const producerObject = z
  .object({
    mal_id: z.number().int(),
    url: z.string(),
    titles: z.array(nameObject),
    images: z.object({ jpg: z.object({ image_url: z.null() }) }),
    favorites: z.number().int().describe("Always 0: catalogs do not count them"),
    established: z.null(),
    about: z.null(),
    count: z.number().int(),
  })
  .meta({ id: "Producer" });

export const producerOnWire = (tag: CountedTag, origin: string): z.output<typeof producerObject> => ({
  mal_id: tag.malId,
  url: tagUrl(tag, origin),
  titles: [{ type: "Default", title: tag.name }],
  images: { jpg: { image_url: null } },
  favorites: 0,
  established: null,
  about: null,
  count: tag.titles,
});

/** The parameters of the list of companies. */
export const producerParams = {
  q: searchText.describe("Part of the name"),
  letter: searchText.describe("What the name begins with"),
  order_by: wordOf({
    mal_id: "number",
    count: "titles",
    // The catalog has neither value, so both sort like the number.
    favorites: "number",
    established: "number",
  }),
  sort: sortParam,
};
