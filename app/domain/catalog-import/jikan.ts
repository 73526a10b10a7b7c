import { kindsOfTagLists, relationKinds } from "#app/domain/catalog/catalog.ts";
import { externalIdOfUrl, formatExternalId } from "#app/domain/external-ids/external-ids.ts";
import { wordKey } from "#app/domain/names/names.ts";
import { type JsonObject, objectsIn, textsIn, valueAt } from "#app/platform/foreign-json.ts";
import { isPlainObject } from "#app/platform/plain-object.ts";

/** Converts anime objects of Jikan v4, from its pages or dumps, to the fields of Engawa's records. */

/** The names in a list whose items are names or objects with a `name`. */
function namesOf(value: unknown): string[] {
  if (!Array.isArray(value)) return [];
  const names = value.map((one) => (typeof one === "string" ? one : valueAt(one, "name")));
  return textsIn(names);
}

/** Only Jikan nests dates, pictures and titles in objects. Engawa's records are flat. */
export const isJikan = (value: JsonObject): boolean =>
  isPlainObject(value.aired) || isPlainObject(value.images) || Array.isArray(value.titles);

/**
 * The fields that Jikan and Engawa share. Copying any other field would let a server attribute text to another source
 * (`texts_from`) or delete earlier values (`none`).
 */
const plainNames = [
  "mal_id",
  "url",
  "banner_image",
  "approved",
  "type",
  "source",
  "status",
  "rating",
  "synopsis",
  "background",
  "score",
  "scored_by",
  "popularity",
  "members",
  "favorites",
];

export function fromJikan(anime: JsonObject): JsonObject {
  const day = valueAt(anime, "broadcast", "day");
  return {
    ...Object.fromEntries(plainNames.map((name) => [name, anime[name]])),
    kind: "title",
    ...titlesOf(anime),
    aired_from: isDayAnnounced(anime) ? valueAt(anime, "aired", "from") : null,
    aired_to: valueAt(anime, "aired", "to"),
    duration: anime.duration === "Unknown" ? null : anime.duration,
    episodes: anime.episodes === 0 ? null : anime.episodes,
    season: typeof anime.season === "string" ? anime.season : null,
    year: typeof anime.year === "number" ? anime.year : yearOf(valueAt(anime, "aired", "from")),
    broadcast_day: typeof day === "string" && /^[A-Z][a-z]+days?$/.test(day) ? day : null,
    broadcast_time: valueAt(anime, "broadcast", "time"),
    broadcast_timezone: valueAt(anime, "broadcast", "timezone"),
    image_url: valueAt(anime, "images", "jpg", "image_url"),
    image_webp: valueAt(anime, "images", "webp", "image_url"),
    image_small_webp: valueAt(anime, "images", "webp", "small_image_url"),
    image_large_webp: valueAt(anime, "images", "webp", "large_image_url"),
    youtube_id: valueAt(anime, "trailer", "youtube_id"),
    trailer_url: valueAt(anime, "trailer", "url"),
    trailer_embed_url: valueAt(anime, "trailer", "embed_url"),
    trailer_image_url: valueAt(anime, "trailer", "images", "maximum_image_url"),
    genres: [...namesOf(anime.genres), ...namesOf(anime.explicit_genres)],
    studios: namesOf(anime.studios),
    producers: namesOf(anime.producers),
    licensors: namesOf(anime.licensors),
    themes: namesOf(anime.themes),
    demographics: namesOf(anime.demographics),
    opening_songs: textsIn(valueAt(anime, "theme", "openings")),
    ending_songs: textsIn(valueAt(anime, "theme", "endings")),
    external_ids: externalIdsOf(anime.external),
    tag_numbers: tagNumbersOf(anime),
  };
}

function tagNumbersOf(anime: JsonObject): JsonObject[] {
  return Object.entries({ ...kindsOfTagLists, explicit_genres: "genre" }).flatMap(([list, kind]) => {
    return objectsIn(anime[list])
      .filter(
        ({ mal_id, name }) => Number.isInteger(mal_id) && typeof name === "string" && name.trim() !== "",
      )
      .map(({ mal_id, name }) => ({ kind, mal_id, name }));
  });
}

/** The ids in the links to other sites, which only Jikan's "full" responses contain. */
const externalIdsOf = (pages: unknown): string[] =>
  textsIn(objectsIn(pages).map(({ url }) => url))
    .flatMap((url) => externalIdOfUrl(url) ?? [])
    .map(formatExternalId);

/** Newer dumps have only `titles` and lack the older `title_…` fields. */
function titlesOf(anime: JsonObject): JsonObject {
  const all = objectsIn(anime.titles);
  const titleOfType = (type: string) => all.find((one) => one.type === type)?.title;
  const others = all.filter((one) => one.type === "Synonym").map((one) => one.title);
  return {
    title: anime.title ?? titleOfType("Default"),
    title_english: anime.title_english ?? titleOfType("English"),
    title_japanese: anime.title_japanese ?? titleOfType("Japanese"),
    title_synonyms: Array.isArray(anime.title_synonyms) ? anime.title_synonyms : others,
  };
}

/**
 * Jikan gives a title that is announced for a month or a year the first day of it. The text beside it, such as
 * "Apr 2026 to ?", names no day.
 */
function isDayAnnounced(anime: JsonObject): boolean {
  const text = valueAt(anime, "aired", "string");
  if (anime.status !== "Not yet aired") return true;
  if (valueAt(anime, "aired", "prop", "from", "day") === null) return false;
  return typeof text !== "string" || /^\w+ \d{1,2}, \d{4}/.test(text);
}

const yearOf = (date: unknown) => (typeof date === "string" ? Number(date.slice(0, 4)) || null : null);

/** Jikan has written "Parent story" and "Parent Story", "Spin-off" and "Spin-Off". */
const kindByKey = new Map(relationKinds.map((kind) => [wordKey(kind), kind]));

/** Relations to other anime, from Jikan's "full" responses. Relations to manga are left out. */
export function relationsOfJikan(anime: JsonObject): JsonObject[] {
  return objectsIn(anime.relations).flatMap(({ relation, entry }) => {
    const kind = kindByKey.get(wordKey(String(relation)));
    if (kind === undefined || !Array.isArray(entry)) return [];
    return entry
      .filter((one) => valueAt(one, "type") === "anime")
      .map((one) => ({
        kind: "relation",
        from: anime.mal_id,
        to: valueAt(one, "mal_id"),
        relation: kind,
        name: valueAt(one, "name"),
      }));
  });
}
