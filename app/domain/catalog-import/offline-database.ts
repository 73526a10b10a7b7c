import { externalIdOfUrl, formatExternalId } from "#app/domain/external-ids/external-ids.ts";
import { wordKey } from "#app/domain/names/names.ts";
import { type JsonObject, textsIn } from "#app/platform/foreign-json.ts";
import { genres as genreNames } from "#db/schema/enumerations.ts";

/**
 * Converts entries of the anime-offline-database. They have no genres or ratings, only tags from several sites. Tags
 * that name a genre become genres, other tags become themes, and tags for adult content set the rating.
 */

export const isOfflineDatabase = (value: JsonObject): boolean =>
  Array.isArray(value.sources) && "animeSeason" in value;
/** The first line of its JSON lines format, which is metadata and not an entry. */
export const isOfflineDatabaseHead = (value: JsonObject): boolean =>
  "repository" in value && "license" in value;

const types: Record<string, string> = {
  TV: "TV",
  MOVIE: "Movie",
  OVA: "OVA",
  ONA: "ONA",
  SPECIAL: "Special",
};
const statuses: Record<string, string> = {
  FINISHED: "Finished Airing",
  ONGOING: "Currently Airing",
  UPCOMING: "Not yet aired",
};

const genreByKey = new Map(genreNames.map((name) => [wordKey(name), name]));
/** Tags that use another word for a genre. */
const genreBySynonym: Record<string, string> = {
  sciencefiction: "Sci-Fi",
  boyslove: "Boys Love",
  yaoi: "Boys Love",
  shounenai: "Boys Love",
  girlslove: "Girls Love",
  yuri: "Girls Love",
  shoujoai: "Girls Love",
  thriller: "Suspense",
  cooking: "Gourmet",
  awardwinning: "Award Winning",
};
const demographics = new Set(["Shounen", "Shoujo", "Seinen", "Josei", "Kids"]);
const adultTags = new Set(["hentai", "pornography", "explicitsex", "18restricted", "erotica"]);
const maxThemes = 40;

const malIdsIn = (urls: unknown): number[] =>
  textsIn(urls).flatMap((url) => {
    const id = /^https?:\/\/myanimelist\.net\/anime\/(\d+)/.exec(url)?.[1];
    return id === undefined ? [] : Number(id);
  });

export function fromOfflineDatabase(entry: JsonObject): JsonObject | { rejected: string } {
  const [malId] = malIdsIn(entry.sources);
  if (malId === undefined) return { rejected: "has no MyAnimeList id" };
  const { year, season } = (entry.animeSeason ?? {}) as { year?: number; season?: string };
  const tags = textsIn(entry.tags);
  const isAdult = tags.some((tag) => adultTags.has(wordKey(tag)));
  const score = (entry.score as { arithmeticMean?: number } | undefined)?.arithmeticMean;
  return {
    kind: "title",
    mal_id: malId,
    title: entry.title,
    title_synonyms: textsIn(entry.synonyms),
    type: types[String(entry.type)] ?? null,
    episodes: typeof entry.episodes === "number" && entry.episodes > 0 ? entry.episodes : null,
    status: statuses[String(entry.status)] ?? null,
    duration: durationOf(entry),
    rating: isAdult ? "rx" : null,
    score: typeof score === "number" ? Math.round(score * 100) / 100 : null,
    season: season === undefined || season === "UNDEFINED" ? null : season,
    year: typeof year === "number" && year >= 1900 ? year : null,
    image_url: entry.picture,
    url: `https://myanimelist.net/anime/${malId}`,
    studios: textsIn(entry.studios).map(withCapitals),
    producers: textsIn(entry.producers).map(withCapitals),
    ...sortTags(tags, isAdult),
    external_ids: textsIn(entry.sources)
      .flatMap((url) => externalIdOfUrl(url) ?? [])
      .map(formatExternalId),
  };
}

/** The database does not say how related titles are related. */
export function relatedOfOfflineDatabase(entry: JsonObject): JsonObject[] {
  const [from] = malIdsIn(entry.sources);
  if (from === undefined) return [];
  const others = new Set(malIdsIn(entry.relatedAnime));
  others.delete(from);
  return [...others].map((to) => ({ kind: "related", from, to }));
}

/** The database has all names in lower case. */
const withCapitals = (name: string) => name.replace(/(^|[\s.(-])(\p{Ll})/gu, (match) => match.toUpperCase());

function sortTags(tags: readonly string[], isAdult: boolean) {
  const genres = new Set<string>(isAdult ? ["Hentai"] : []);
  const themes = new Set<string>();
  const groups = new Set<string>();
  for (const tag of tags) {
    const key = wordKey(tag);
    const genre = genreByKey.get(key) ?? genreBySynonym[key];
    const name = withCapitals(tag);
    if (genre !== undefined) genres.add(genre);
    else if (demographics.has(name)) groups.add(name);
    else themes.add(name);
  }
  return { genres: [...genres], themes: [...themes].slice(0, maxThemes), demographics: [...groups] };
}

function durationOf(entry: JsonObject): string | null {
  const value = (entry.duration as { value?: number } | undefined)?.value;
  if (typeof value !== "number" || value <= 0) return null;
  const minutes = Math.round(value / 60);
  const hours = Math.floor(minutes / 60);
  const span = value < 60 ? `${value} sec` : hours > 0 ? `${hours} hr ${minutes % 60} min` : `${minutes} min`;
  return typeof entry.episodes === "number" && entry.episodes > 1 ? `${span} per ep` : span;
}
