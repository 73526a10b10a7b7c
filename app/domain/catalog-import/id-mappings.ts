import {
  type ExternalId,
  type ExternalSite,
  externalIdOf,
  formatExternalId,
} from "#app/domain/external-ids/external-ids.ts";
import type { JsonObject } from "#app/platform/foreign-json.ts";
import { isPlainObject } from "#app/platform/plain-object.ts";

/**
 * Converts the mappings between sites that are made from Anime-Lists: its own XML, the JSON list with fields such as
 * `anidb_id`, and the JSON object keyed by AniDB ids.
 */

const fieldsOfSites: Record<string, ExternalSite> = {
  anidb_id: "anidb",
  anilist_id: "anilist",
  "anime-planet_id": "anime-planet",
  animecountdown_id: "animecountdown",
  anisearch_id: "anisearch",
  animenewsnetwork_id: "ann",
  imdb_id: "imdb",
  kitsu_id: "kitsu",
  livechart_id: "livechart",
  "notify.moe_id": "notify",
  simkl_id: "simkl",
  tvdb_id: "tvdb",
  thetvdb_id: "tvdb",
  tmdb_show_id: "tmdb-tv",
  tmdb_movie_id: "tmdb-movie",
};

const isEntry = (value: unknown): value is JsonObject =>
  isPlainObject(value) && Object.keys(value).some((name) => name in fieldsOfSites);
const isKeyedByAnidb = (value: JsonObject) =>
  Object.entries(value)
    .slice(0, 20)
    .every(([key, entry]) => /^\d+$/.test(key) && isEntry(entry)) && Object.keys(value).length > 0;

export const isIdMapping = (value: JsonObject): boolean =>
  (isEntry(value) && !("title" in value)) || isKeyedByAnidb(value);

export const idsOfMappings = (value: JsonObject): JsonObject[] =>
  isKeyedByAnidb(value)
    ? Object.entries(value).flatMap(([anidbId, entry]) =>
        isPlainObject(entry) ? idsRecordsOf({ ...entry, anidb_id: anidbId }) : [],
      )
    : idsRecordsOf(value);

/** Some lists put several ids into one field, as an array or as comma-separated text. */
const each = (value: unknown): unknown[] => {
  if (Array.isArray(value)) return value;
  return typeof value === "string" ? value.split(",").map((part) => part.trim()) : [value];
};

function idsRecordsOf(entry: JsonObject): JsonObject[] {
  const seasons = isPlainObject(entry.season) ? entry.season : {};
  const tvdbSeason = seasons.tvdb ?? entry.tvdb_season;
  const seasonOf = (site: ExternalSite) => (site === "tvdb" ? tvdbSeason : null);
  const ids = [
    ...Object.entries(fieldsOfSites).flatMap(([field, site]) =>
      each(entry[field]).flatMap((value) => externalIdOf(site, value, seasonOf(site))),
    ),
    ...tmdbIdsOf(entry, seasons.tmdb),
  ];
  // Some lists write null or an empty text for a missing id, which `Number` turns into 0.
  const malIds = each(entry.mal_id)
    .map(Number)
    .filter((id) => Number.isInteger(id) && id !== 0);
  if (malIds.length > 0) return malIds.map((malId) => toIdsRecord({ mal_id: malId }, ids));
  const [anidb] = externalIdOf("anidb", entry.anidb_id);
  return anidb === undefined ? [] : [toIdsRecord({ of: formatExternalId(anidb) }, ids)];
}

/** Older lists have a single number that can be a show or a film. Only entries of type MOVIE are unambiguous. */
function tmdbIdsOf({ themoviedb_id: ids, type }: JsonObject, season: unknown): ExternalId[] {
  const { tv, movie } = isPlainObject(ids) ? ids : { tv: null, movie: type === "MOVIE" ? ids : null };
  return [
    ...each(tv).flatMap((value) => externalIdOf("tmdb-tv", value, season)),
    ...each(movie).flatMap((value) => externalIdOf("tmdb-movie", value)),
  ];
}

const toIdsRecord = (title: { mal_id: number } | { of: string }, ids: readonly ExternalId[]): JsonObject => ({
  kind: "ids",
  ...title,
  external_ids: ids.map(formatExternalId),
});

/** Converts an `<anime>` element. Missing ids are written as words such as `movie` or `unknown`. */
export function idsOfXmlEntry(attributes: Record<string, string>): JsonObject[] {
  const season = (text = "") => (/^\d+$/.test(text) ? Number(text) : null);
  const [anidb] = externalIdOf("anidb", attributes.anidbid);
  const ids = [
    ...externalIdOf("tvdb", attributes.tvdbid, season(attributes.defaulttvdbseason)),
    ...externalIdOf("tmdb-tv", attributes.tmdbtv, season(attributes.tmdbseason)),
    ...each(attributes.tmdbid).flatMap((id) => externalIdOf("tmdb-movie", id)),
    ...each(attributes.imdbid).flatMap((id) => externalIdOf("imdb", id)),
  ];
  if (anidb === undefined || ids.length === 0) return [];
  return [toIdsRecord({ of: formatExternalId(anidb) }, ids)];
}
