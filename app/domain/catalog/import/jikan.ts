/** Jikan v4's anime objects, as its pages and dumps have them, in the fields of our own records. */

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const inside = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), value);

const namesOf = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.flatMap((one) =>
        typeof one === "string"
          ? one
          : typeof inside(one, "name") === "string"
            ? String(inside(one, "name"))
            : [],
      )
    : [];

/** Only Jikan has lists of objects and times in an object; the flat spelling of the specification is ours. */
export const isJikan = (value: Json): boolean =>
  isObject(value.aired) || isObject(value.images) || Array.isArray(value.titles);

export function fromJikan(anime: Json): Json {
  const day = inside(anime, "broadcast", "day");
  return {
    ...anime,
    kind: "title",
    ...titlesOf(anime),
    aired_from: inside(anime, "aired", "from"),
    aired_to: inside(anime, "aired", "to"),
    duration: anime.duration === "Unknown" ? null : anime.duration,
    episodes: anime.episodes === 0 ? null : anime.episodes,
    season: typeof anime.season === "string" ? anime.season : null,
    year: typeof anime.year === "number" ? anime.year : yearOf(inside(anime, "aired", "from")),
    broadcast_day: typeof day === "string" && /^[A-Z][a-z]+days?$/.test(day) ? day : null,
    broadcast_time: inside(anime, "broadcast", "time"),
    broadcast_timezone: inside(anime, "broadcast", "timezone"),
    image_url: inside(anime, "images", "jpg", "image_url"),
    image_webp: inside(anime, "images", "webp", "image_url"),
    image_small_webp: inside(anime, "images", "webp", "small_image_url"),
    image_large_webp: inside(anime, "images", "webp", "large_image_url"),
    youtube_id: inside(anime, "trailer", "youtube_id"),
    trailer_url: inside(anime, "trailer", "url"),
    trailer_embed_url: inside(anime, "trailer", "embed_url"),
    trailer_image_url: inside(anime, "trailer", "images", "maximum_image_url"),
    genres: [...namesOf(anime.genres), ...namesOf(anime.explicit_genres)],
    studios: namesOf(anime.studios),
    producers: namesOf(anime.producers),
    licensors: namesOf(anime.licensors),
    themes: namesOf(anime.themes),
    demographics: namesOf(anime.demographics),
  };
}

/** Dumps of newer make have `titles` alone. */
function titlesOf(anime: Json): Json {
  const all = Array.isArray(anime.titles) ? anime.titles.filter(isObject) : [];
  const named = (type: string) => all.find((one) => one.type === type)?.title;
  const others = all.filter((one) => one.type === "Synonym").map((one) => one.title);
  return {
    title: anime.title ?? named("Default"),
    title_english: anime.title_english ?? named("English"),
    title_japanese: anime.title_japanese ?? named("Japanese"),
    title_synonyms: Array.isArray(anime.title_synonyms) ? anime.title_synonyms : others,
  };
}

const yearOf = (moment: unknown) => (typeof moment === "string" ? Number(moment.slice(0, 4)) || null : null);

const relationKinds: Record<string, string> = {
  Sequel: "sequel",
  Prequel: "prequel",
  "Alternative version": "alternative_version",
  "Alternative Version": "alternative_version",
  "Alternative setting": "alternative_setting",
  "Alternative Setting": "alternative_setting",
  "Side story": "side_story",
  "Side Story": "side_story",
  "Parent story": "parent_story",
  "Parent Story": "parent_story",
  Summary: "summary",
  "Full story": "full_story",
  "Full Story": "full_story",
  "Spin-off": "spin_off",
  "Spin-Off": "spin_off",
  Character: "character",
  Other: "other",
};

/** Relations to other anime, which the "full" answers carry; those to manga are left out. */
export function relationsOfJikan(anime: Json): Json[] {
  const relations = Array.isArray(anime.relations) ? anime.relations.filter(isObject) : [];
  return relations.flatMap(({ relation, entry }) => {
    const kind = relationKinds[String(relation)];
    if (kind === undefined || !Array.isArray(entry)) return [];
    return entry
      .filter((one) => inside(one, "type") === "anime")
      .map((one) => ({
        kind: "relation",
        from: anime.mal_id,
        to: inside(one, "mal_id"),
        relation: kind,
        name: inside(one, "name"),
      }));
  });
}
