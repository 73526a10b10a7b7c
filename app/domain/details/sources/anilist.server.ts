import type { RelationKind } from "#app/domain/catalog/catalog.ts";
import { valueAt as at, type JsonObject, objectsIn } from "#app/platform/foreign-json.ts";
import { isPlainObject } from "#app/platform/plain-object.ts";
import type {
  CharacterOfTitle,
  DetailSource,
  Named,
  SourceAnswer,
  StreamOfTitle,
  TagOfTitle,
  TitleAnswer,
} from "./detail-source.ts";
import { oneLine, plainText } from "./plain-text.ts";

/** AniList's public GraphQL API. It needs no key, and allows 30 to 90 requests a minute. */

/** AniList's limit for one request. */
const titlesPerRequest = 50;
/** Characters and staff beyond these are not asked for. */
const maxCredits = 25;
const maxNameLength = 300;

const fields = `
  id idMal title { romaji english native } status(version: 2) description(asHtml: false)
  startDate { year month day } endDate { year month day } season seasonYear episodes duration source(version: 3)
  trailer { id site } coverImage { extraLarge } bannerImage averageScore meanScore popularity favourites isAdult
  tags { name category rank isMediaSpoiler isGeneralSpoiler isAdult }
  externalLinks { url site type language isDisabled }
  streamingEpisodes { title thumbnail }
  nextAiringEpisode { airingAt episode }
  airingSchedule(notYetAired: false, perPage: 50) { nodes { airingAt episode } }
  relations { edges { relationType(version: 2) node { idMal type title { romaji } } } }
  studios { edges { isMain node { name } } }
  characters(sort: [ROLE, RELEVANCE, ID], perPage: ${maxCredits}) {
    edges {
      role
      node { id name { full native alternative } image { large } favourites }
      japanese: voiceActors(language: JAPANESE, sort: [RELEVANCE, ID]) { ...person }
      english: voiceActors(language: ENGLISH, sort: [RELEVANCE, ID]) { ...person }
    }
  }
  staff(sort: [RELEVANCE, ID], perPage: ${maxCredits}) { edges { role node { ...person } } }`;

const queryBy = (filter: string) => `
query ($numbers: [Int], $count: Int) {
  Page(page: 1, perPage: $count) { media(${filter}: $numbers, type: ANIME) { ${fields} } }
}
fragment person on Staff { id name { full native alternative } image { large } favourites }`;

const queries = { source: queryBy("id_in"), mal: queryBy("idMal_in") };

export const aniList: DetailSource = {
  name: "anilist",
  site: "anilist",
  titlesPerRequest,
  requestsPerMinute: 25,
  questionOf: ({ by, numbers }) => ({
    query: queries[by],
    variables: { numbers, count: titlesPerRequest },
  }),
  read: readAnswer,
};

/** The entries of a member's public list, with scores out of ten whatever that member uses. */
export const listQuestionOf = (userName: string) => ({
  query: `
query ($name: String) {
  MediaListCollection(userName: $name, type: ANIME) {
    lists {
      name isCustomList
      entries {
        status score(format: POINT_10_DECIMAL) progress repeat notes
        startedAt { year month day } completedAt { year month day }
        media { idMal type format episodes title { romaji } }
      }
    }
  }
}`,
  variables: { name: userName },
});

/**
 * Null also if an element, or one of these fields of an element, is null: then a part of the answer failed, and the list
 * is not complete.
 */
const wholeListAt = (value: unknown, path: readonly string[], ...needed: string[]): JsonObject[] | null => {
  const list = at(value, ...path);
  const isElement = (one: unknown): one is JsonObject =>
    isPlainObject(one) && needed.every((name) => (one[name] ?? null) !== null);
  return Array.isArray(list) && list.every(isElement) ? list : null;
};
const whole = (value: unknown, min: number, max = 2_147_483_647): number | null =>
  Number.isInteger(value) && Number(value) >= min && Number(value) <= max ? Number(value) : null;
const line = (value: unknown, maxLength = maxNameLength): string | null =>
  typeof value === "string" ? oneLine(value, maxLength) : null;
const maxUrlLength = 1000;
const linkAddress = (value: unknown): string | null => {
  if (typeof value !== "string" || value.length > maxUrlLength || !URL.canParse(value)) return null;
  const url = new URL(value);
  return /^https?:$/.test(url.protocol) && url.username === "" && url.password === "" ? url.href : null;
};
/** Null for `default.jpg`, AniList's placeholder for a missing picture. */
const pictureAddress = (value: unknown) => {
  const url = linkAddress(value);
  return url === null || url.endsWith("/default.jpg") ? null : url;
};

function readAnswer(answer: unknown): SourceAnswer {
  const media = at(answer, "data", "Page", "media");
  const errors = objectsIn(at(answer, "errors"));
  if (!Array.isArray(media)) {
    const message = line(at(errors[0], "message")) ?? "AniList answered with something else than titles";
    return { ok: false, message };
  }
  const isWhole = errors.length === 0 && media.every(isPlainObject);
  return {
    ok: true,
    titles: media.flatMap((one) => {
      const title = isWhole ? withoutNulls(one) : one;
      return isPlainObject(title) ? (titleOf(title, isWhole) ?? []) : [];
    }),
    isWhole,
  };
}

/** In an answer without errors, an element of a list that is null has been deleted there. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value))
    return value.filter((one) => one !== null && at(one, "node") !== null).map(withoutNulls);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutNulls(one)]));
}

function titleOf(media: JsonObject, isWhole: boolean): TitleAnswer | null {
  const number = whole(media.id, 1);
  if (number === null) return null;
  return {
    number,
    malId: whole(media.idMal, 1),
    recordsFor: (malId) => ({
      title: { ...recordOf(media, number), mal_id: malId },
      children: [...relationsOf(media, malId), ...episodesOf(media, malId)],
    }),
    isOver: isOver(media),
    tags: tagsOf(media),
    streams: streamsOf(media),
    stills: stillsOf(media),
    next: nextOf(media, isWhole),
    coverUrl: pictureAddress(at(media, "coverImage", "extraLarge")),
    bannerUrl: pictureAddress(media.bannerImage),
    characters: charactersOf(media, isWhole),
    staff: staffOf(media),
  };
}

const statuses: Record<string, string> = {
  FINISHED: "Finished Airing",
  CANCELLED: "Finished Airing",
  RELEASING: "Currently Airing",
  HIATUS: "Currently Airing",
  NOT_YET_RELEASED: "Not yet aired",
};
const materials: Record<string, string> = {
  ORIGINAL: "Original",
  MANGA: "Manga",
  LIGHT_NOVEL: "Light novel",
  VISUAL_NOVEL: "Visual novel",
  VIDEO_GAME: "Game",
  GAME: "Game",
  NOVEL: "Novel",
  WEB_NOVEL: "Web novel",
  PICTURE_BOOK: "Picture book",
  MULTIMEDIA_PROJECT: "Mixed media",
  OTHER: "Other",
};

/**
 * Other spellings of the name, genres and the type are left out. AniList has fewer of them or divides them differently,
 * so the other sources' stay.
 */
function recordOf(media: JsonObject, number: number): JsonObject {
  const score = whole(media.averageScore, 1, 100) ?? whole(media.meanScore, 1, 100);
  const studios = wholeListAt(media, ["studios", "edges"], "node") ?? [];
  const companies = (isMain: boolean) =>
    studios.filter((edge) => edge.isMain === isMain).flatMap((edge) => line(at(edge, "node", "name")) ?? []);
  return {
    title: line(at(media, "title", "romaji")) ?? line(at(media, "title", "native")) ?? `AniList ${number}`,
    title_english: line(at(media, "title", "english")),
    title_japanese: line(at(media, "title", "native")),
    status: statuses[String(media.status)] ?? null,
    aired_from: dayOf(media.startDate),
    aired_to: dayOf(media.endDate),
    season: typeof media.season === "string" ? media.season : null,
    year: whole(media.seasonYear, 1900, 2200) ?? whole(at(media, "startDate", "year"), 1900, 2200),
    episodes: whole(media.episodes, 1, 100_000),
    duration: durationOf(media),
    source: materials[String(media.source)] ?? null,
    score: score === null ? null : score / 10,
    members: whole(media.popularity, 0),
    favorites: whole(media.favourites, 0),
    synopsis: typeof media.description === "string" ? plainText(media.description) : null,
    studios: companies(true),
    producers: companies(false),
    // Null if AniList does not say so, because another source may know that the title is for adults.
    rating: media.isAdult === true ? "rx" : null,
    ...trailerOf(media),
    external_ids: [`anilist:${number}`],
  };
}

function dayOf(date: unknown): string | null {
  const [year, month, day] = [at(date, "year"), at(date, "month"), at(date, "day")];
  if (whole(year, 1900, 2199) === null || whole(month, 1, 12) === null || whole(day, 1, 31) === null)
    return null;
  const text = `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
  const parsed = new Date(`${text}T00:00:00Z`);
  return parsed.getUTCDate() === day ? text : null;
}

function durationOf(media: JsonObject): string | null {
  const minutes = whole(media.duration, 1, 6000);
  if (minutes === null) return null;
  const span = minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} hr ${minutes % 60} min`;
  return media.episodes === 1 ? span : `${span} per ep`;
}

function trailerOf(media: JsonObject): JsonObject {
  const id = at(media, "trailer", "id");
  if (at(media, "trailer", "site") !== "youtube" || typeof id !== "string" || !/^[\w-]{11}$/.test(id))
    return {};
  return {
    youtube_id: id,
    trailer_url: `https://www.youtube.com/watch?v=${id}`,
    trailer_embed_url: `https://www.youtube-nocookie.com/embed/${id}`,
  };
}

const kindsByWord: Record<string, RelationKind> = {
  PREQUEL: "prequel",
  SEQUEL: "sequel",
  PARENT: "parent_story",
  SIDE_STORY: "side_story",
  CHARACTER: "character",
  SUMMARY: "summary",
  COMPILATION: "summary",
  CONTAINS: "full_story",
  ALTERNATIVE: "alternative_version",
  SPIN_OFF: "spin_off",
  OTHER: "other",
};

/**
 * Leaves out relations to manga. The `relations` record makes the list complete: relations missing from it are deleted.
 */
function relationsOf(media: JsonObject, from: number): JsonObject[] {
  const edges = wholeListAt(media, ["relations", "edges"], "node");
  if (edges === null) return [];
  const relations = edges.flatMap((edge) => {
    const relation = kindsByWord[String(edge.relationType)];
    const to = whole(at(edge, "node", "idMal"), 1);
    if (relation === undefined || to === null || to === from || at(edge, "node", "type") !== "ANIME")
      return [];
    return { kind: "relation", from, to, relation, name: line(at(edge, "node", "title", "romaji")) };
  });
  const only = relations.map(({ to, relation }) => ({ to, relation }));
  return [...relations, { kind: "relations", from, only }];
}

/** For example "Episode 3 - The Broken Seal". Other names are ignored, because their episode number is not known. */
const episodeName = /^Episode (\d{1,6})(?: [-–:] (.+))?$/i;

const namedEpisodes = (media: JsonObject) =>
  objectsIn(at(media, "streamingEpisodes")).flatMap((episode) => {
    const [, number, title = null] = episodeName.exec(line(episode.title) ?? "") ?? [];
    const known = whole(Number(number), 1, 100_000);
    return known === null ? [] : { number: known, title, thumbnail: episode.thumbnail };
  });

/** The episodes that have aired. The next one is stored with the title, since it does not exist yet. */
function episodesOf(media: JsonObject, malId: number): JsonObject[] {
  const episodes = new Map<number, JsonObject>();
  const add = (number: number, more: JsonObject) =>
    episodes.set(number, { kind: "episode", mal_id: malId, number, ...episodes.get(number), ...more });
  for (const { number, title } of namedEpisodes(media)) if (title !== null) add(number, { title });
  for (const { airingAt, episode } of objectsIn(at(media, "airingSchedule", "nodes"))) {
    const [number, seconds] = [whole(episode, 1, 100_000), whole(airingAt, 1)];
    if (number !== null && seconds !== null) add(number, { date: new Date(1000 * seconds).toISOString() });
  }
  return [...episodes.values()];
}

function stillsOf(media: JsonObject) {
  if (wholeListAt(media, ["streamingEpisodes"]) === null) return null;
  const stills = new Map<number, string>();
  for (const { number, thumbnail } of namedEpisodes(media)) {
    const url = pictureAddress(thumbnail);
    if (url !== null && !stills.has(number)) stills.set(number, url);
  }
  return [...stills].map(([number, url]) => ({ number, url }));
}

const isOver = ({ status }: JsonObject) => status === "FINISHED" || status === "CANCELLED";

/** In an answer with errors, a missing next episode of a title that goes on may be one of them. */
function nextOf(media: JsonObject, isWhole: boolean): TitleAnswer["next"] {
  if (media.nextAiringEpisode === null && (isWhole || isOver(media))) return "none";
  const episode = whole(at(media, "nextAiringEpisode", "episode"), 1, 100_000);
  const seconds = whole(at(media, "nextAiringEpisode", "airingAt"), 1);
  return episode === null || seconds === null ? null : { episode, at: new Date(1000 * seconds) };
}

const maxTags = 60;

/** Tags for adults are left out: a child may see the titles that have some. */
function tagsOf(media: JsonObject): TagOfTitle[] | null {
  const tags = wholeListAt(media, ["tags"]);
  if (tags === null) return null;
  const byName = new Map<string, TagOfTitle>();
  for (const tag of tags.filter(({ isAdult }) => isAdult === false).slice(0, maxTags)) {
    const name = line(tag.name, 80);
    if (name === null || byName.has(name)) continue;
    byName.set(name, {
      name,
      category: line(tag.category, 80),
      rank: whole(tag.rank, 0, 100) ?? 0,
      // Only an explicit `false` says that the tag is no spoiler.
      isSpoiler: tag.isMediaSpoiler !== false || tag.isGeneralSpoiler !== false,
    });
  }
  return [...byName.values()];
}

const maxStreams = 40;

function streamsOf(media: JsonObject): StreamOfTitle[] | null {
  const links = wholeListAt(media, ["externalLinks"]);
  if (links === null) return null;
  const byUrl = new Map<string, StreamOfTitle>();
  for (const link of links) {
    const [url, site] = [linkAddress(link.url), line(link.site, 80)];
    if (link.type !== "STREAMING" || link.isDisabled === true || url === null || site === null) continue;
    byUrl.set(url, { url, site, language: line(link.language, 40) });
  }
  return [...byUrl.values()].slice(0, maxStreams);
}

function namedOf(value: unknown): Named | null {
  const [number, name] = [whole(at(value, "id"), 1), line(at(value, "name", "full"))];
  if (number === null || name === null) return null;
  const others = at(value, "name", "alternative");
  return {
    sourceId: String(number),
    name,
    nameNative: line(at(value, "name", "native")),
    otherNames: Array.isArray(others) ? others.slice(0, 20).flatMap((other) => line(other) ?? []) : [],
    favorites: whole(at(value, "favourites"), 0),
    pictureUrl: pictureAddress(at(value, "image", "large")),
  };
}

const roles: Record<string, CharacterOfTitle["role"]> = {
  MAIN: "main",
  SUPPORTING: "supporting",
  BACKGROUND: "background",
};
const maxVoices = 5;

function charactersOf(media: JsonObject, isWhole: boolean): CharacterOfTitle[] | null {
  const edges = wholeListAt(media, ["characters", "edges"], "node");
  const hasVoices = (edge: JsonObject) => wholeListAt(edge, ["japanese"]) && wholeListAt(edge, ["english"]);
  if (edges === null || !(isWhole || edges.every(hasVoices))) return null;
  const characters = new Map<string, CharacterOfTitle>();
  for (const edge of edges.slice(0, maxCredits)) {
    const character = namedOf(edge.node);
    if (character === null || characters.has(character.sourceId)) continue;
    const voices = (name: string, language: string) =>
      objectsIn(edge[name])
        .slice(0, maxVoices)
        .flatMap((one) => {
          const person = namedOf(one);
          return person === null ? [] : { person, language };
        });
    characters.set(character.sourceId, {
      character,
      role: roles[String(edge.role)] ?? "background",
      voices: [...voices("japanese", "Japanese"), ...voices("english", "English")],
    });
  }
  return [...characters.values()];
}

function staffOf(media: JsonObject): TitleAnswer["staff"] {
  const edges = wholeListAt(media, ["staff", "edges"], "node");
  if (edges === null) return null;
  return edges.slice(0, maxCredits).flatMap((edge) => {
    const [person, role] = [namedOf(edge.node), line(edge.role, 200)];
    return person === null || role === null ? [] : { person, role };
  });
}
