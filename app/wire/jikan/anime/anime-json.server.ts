import { z } from "zod";
import type { TagNumberOf } from "#app/domain/catalog/catalog.server.ts";
import {
  airingStatuses,
  type Listing,
  ratingLabels,
  type Title,
  titleTypes,
} from "#app/domain/catalog/catalog.ts";
import type { RankOf } from "#app/domain/discovery/discovery.server.ts";
import { pagingObject, pagingOnWire } from "../paging.server.ts";
import { airedObject, airedOnWire, broadcastObject, broadcastOnWire } from "./dates-json.server.ts";
import { animeUrl } from "./links-json.server.ts";
import { imagesObject, imagesOnWire, trailerObject, trailerOnWire } from "./pictures-json.server.ts";
import { type TagLink, tagLinkObject, tagLinksOnWire } from "./tags-json.server.ts";

/** A title as Jikan's `anime`. Every field is present; unknown values are null. */

const text = z.string().nullable();
const count = z.number().int().nullable();

export const nameObject = z.object({ type: z.string(), title: z.string() }).meta({ id: "Name" });

export const animeObject = z
  .object({
    mal_id: z.number().int(),
    url: z.string(),
    images: imagesObject,
    trailer: trailerObject,
    approved: z.boolean(),
    titles: z.array(nameObject),
    title: z.string(),
    title_english: text,
    title_japanese: text,
    title_synonyms: z.array(z.string()),
    type: z.enum(titleTypes).nullable(),
    source: text,
    episodes: count,
    status: z.enum(airingStatuses),
    airing: z.boolean(),
    aired: airedObject,
    duration: text,
    rating: z.enum(Object.values(ratingLabels)).nullable(),
    score: z.number().nullable(),
    scored_by: count,
    rank: count.describe("The place among the scores of this catalog"),
    popularity: count,
    members: count,
    favorites: count,
    synopsis: text,
    background: text,
    season: z.enum(["winter", "spring", "summer", "fall"]).nullable(),
    year: count,
    broadcast: broadcastObject,
    producers: z.array(tagLinkObject),
    licensors: z.array(tagLinkObject),
    studios: z.array(tagLinkObject),
    genres: z.array(tagLinkObject),
    explicit_genres: z.array(tagLinkObject).describe("Always empty: `genres` has all"),
    themes: z.array(tagLinkObject),
    demographics: z.array(tagLinkObject),
  })
  .meta({ id: "Anime" });

type Anime = z.output<typeof animeObject>;

/** Facts that all titles of an answer share, so that they are read once. */
export type CatalogFacts = { origin: string; numberOf: TagNumberOf; rankOf: RankOf };

export function animeOnWire(title: Title, { origin, numberOf, rankOf }: CatalogFacts): Anime {
  const tags = (kind: Parameters<TagNumberOf>[0], names: readonly string[]): TagLink[] =>
    tagLinksOnWire(kind, names, numberOf, origin);
  return {
    mal_id: title.malId,
    url: animeUrl(title, origin),
    images: imagesOnWire(title.malId, origin),
    trailer: trailerOnWire(title),
    approved: title.approved,
    ...namesOnWire(title),
    type: title.type,
    source: title.source,
    episodes: title.episodes,
    status: title.status,
    airing: title.status === "Currently Airing",
    aired: airedOnWire(title),
    duration: title.duration,
    rating: title.rating && ratingLabels[title.rating],
    score: title.score,
    scored_by: title.scoredBy,
    rank: rankOf(title),
    popularity: title.popularity,
    members: title.members,
    favorites: title.favorites,
    synopsis: title.synopsis,
    background: title.background,
    season: title.season && seasonOnWire(title.season),
    year: title.year,
    broadcast: broadcastOnWire(title),
    producers: tags("producer", title.producers),
    licensors: tags("producer", title.licensors),
    studios: tags("producer", title.studios),
    genres: tags("genre", title.genres),
    explicit_genres: [],
    themes: tags("theme", title.themes),
    demographics: tags("demographic", title.demographics),
  };
}

/** A page of titles as Jikan's `anime_search`. */
export const animeListObject = z.object({ pagination: pagingObject, data: z.array(animeObject) });

export const animeListOnWire = (listing: Listing, facts: CatalogFacts): z.output<typeof animeListObject> => ({
  pagination: pagingOnWire(listing, listing.titles.length),
  data: listing.titles.map((title) => animeOnWire(title, facts)),
});

export const seasonOnWire = <Season extends string>(season: Season) =>
  season.toLowerCase() as Lowercase<Season>;

function namesOnWire({ title, titleEnglish, titleJapanese, titleSynonyms }: Title) {
  const typedName = (type: string, name: string | null) => (name === null ? [] : [{ type, title: name }]);
  return {
    titles: [
      ...typedName("Default", title),
      ...titleSynonyms.flatMap((name) => typedName("Synonym", name)),
      ...typedName("Japanese", titleJapanese),
      ...typedName("English", titleEnglish),
    ],
    title,
    title_english: titleEnglish,
    title_japanese: titleJapanese,
    title_synonyms: titleSynonyms,
  };
}
