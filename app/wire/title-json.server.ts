import { z } from "zod";
import { signFilmPath } from "#app/access/film-pass.server.ts";
import type { SessionUser } from "#app/domain/accounts/accounts.ts";
import {
  airingStatuses,
  namesFile,
  ratingLabels,
  relationKinds,
  seasons,
  skipKinds,
  sourceTypes,
  type Title,
  type TitleDetails,
  titleTypes,
  weekdays,
} from "#app/domain/catalog/catalog.ts";
import { externalSites, externalUrl } from "#app/domain/external-ids/external-ids.ts";
import type { EpisodeWithFilms } from "#app/domain/playback/playback.server.ts";
import { posterPath } from "#app/paths.ts";
import { snakeCaseCopier } from "#app/platform/snake-case.ts";

/** The catalog's objects on the wire. URLs are absolute, and a title without a picture gets the URL of its drawn poster. */

const text = z.string().nullable();
const count = z.number().int().nullable();
const textList = z.array(z.string());

export const titleObject = z
  .object({
    mal_id: z.number().int(),
    title: z.string(),
    title_english: text,
    title_japanese: text,
    title_synonyms: textList,
    type: z.enum(titleTypes).nullable(),
    source: text,
    episodes: count,
    status: z.enum(airingStatuses),
    airing: z.boolean(),
    aired_from: text,
    aired_to: text,
    duration: text,
    rating: z.enum(Object.values(ratingLabels)).nullable(),
    score: z.number().nullable(),
    scored_by: count,
    popularity: count,
    members: count,
    favorites: count,
    synopsis: text,
    background: text,
    season: z.enum(seasons).nullable(),
    year: count,
    broadcast_day: z.enum(weekdays).nullable(),
    broadcast_time: text,
    broadcast_timezone: text,
    image_url: z.string(),
    image_webp: z.string(),
    image_small_webp: z.string(),
    image_large_webp: z.string(),
    banner_image: text,
    youtube_id: text,
    trailer_url: text,
    trailer_embed_url: text,
    trailer_image_url: text,
    url: text,
    approved: z.boolean(),
    genres: textList,
    studios: textList,
    producers: textList,
    licensors: textList,
    themes: textList,
    demographics: textList,
  })
  .meta({ id: "Title" });

export const titleDetailsObject = titleObject
  .extend({
    relations: z.array(z.object({ relation: z.enum(relationKinds), mal_id: z.number().int(), title: text })),
    episode_count: z.number().int(),
    external_ids: z
      .array(
        z.object({
          site: z.enum(externalSites),
          id: z.string(),
          season: z.number().int().nullable(),
          url: z.string(),
        }),
      )
      .describe("The title on other sites. A season is the site's own; 0 is the one of specials"),
  })
  .meta({ id: "TitleDetails" });

export const episodeObject = z
  .object({
    id: z.string(),
    anime_mal_id: z.number().int(),
    episode_id: z.number().int(),
    title: text,
    description: text,
    date: text,
    image_url: text,
    video_url: text,
    duration: z.number().nullable(),
    sources: z.array(z.object({ url: z.string(), type: z.enum(sourceTypes), label: text, language: text })),
    subtitles: z.array(z.object({ url: z.string(), language: z.string(), label: text })),
    skip: z.array(z.object({ kind: z.enum(skipKinds), start: z.number(), end: z.number() })),
    chapters: z
      .array(z.object({ title: text, start: z.number(), end: z.number() }))
      .describe("The chapters of the first source that has any, in seconds"),
  })
  .meta({ id: "Episode" });

export const pagingMetaObject = z
  .object({
    total_items: z.number().int(),
    current_page: z.number().int(),
    last_page: z.number().int(),
    per_page: z.number().int(),
    notice: z.string().optional(),
  })
  .meta({ id: "PagingMeta" });

const absolute = (url: string, origin: string) => (url.startsWith("/") ? origin + url : url);
/** Null for a picture that is a file in MEDIA_DIR, because its address would reveal the file's name. */
const absoluteOrNull = (url: string | null, origin: string) =>
  url === null || namesFile(url) ? null : absolute(url, origin);
const isoOrNull = (date: Date | null) => date?.toISOString() ?? null;

const posterWidths = {
  image_small_webp: 160,
  image_webp: 320,
  image_url: 320,
  image_large_webp: 640,
} as const;
type Picture = keyof typeof posterWidths;

const { status: _status, airing: _airing, ...copied } = titleObject.shape;
const copyFields = snakeCaseCopier(Object.keys(copied) as (keyof typeof copied)[]);

/** A picture that is a file in MEDIA_DIR is replaced by the poster's address, which does not reveal the file's name. */
const pictureUrl = (
  image: string | null,
  malId: number,
  { widthPx, origin }: { widthPx: number; origin: string },
) => absolute(image === null || namesFile(image) ? posterPath(malId, widthPx) : image, origin);

export function titleOnWire(title: Title, origin: string): z.output<typeof titleObject> {
  const fields = copyFields(title);
  const picture = (name: Picture) =>
    pictureUrl(fields[name], title.malId, { widthPx: posterWidths[name], origin });
  return {
    ...fields,
    aired_from: isoOrNull(title.airedFrom),
    aired_to: isoOrNull(title.airedTo),
    rating: title.rating && ratingLabels[title.rating],
    image_url: picture("image_url"),
    image_webp: picture("image_webp"),
    image_small_webp: picture("image_small_webp"),
    image_large_webp: picture("image_large_webp"),
    banner_image: absoluteOrNull(title.bannerImage, origin),
    trailer_image_url: absoluteOrNull(title.trailerImageUrl, origin),
    status: title.status,
    airing: title.status === "Currently Airing",
  };
}

export const titleDetailsOnWire = (
  title: TitleDetails,
  origin: string,
): z.output<typeof titleDetailsObject> => ({
  ...titleOnWire(title, origin),
  relations: title.relations.map(({ relation, malId, name }) => ({ relation, mal_id: malId, title: name })),
  episode_count: title.episodeCount,
  external_ids: title.externalIds.map((id) => ({ ...id, url: externalUrl(id) })),
});

/** The width of pictures of list entries and of suggestions what to watch next. */
export const cardPictureWidthPx = 320;

export const posterUrlOnWire = (
  malId: number,
  image: string | null,
  origin: string,
  widthPx: number = posterWidths.image_small_webp,
) => pictureUrl(image, malId, { widthPx, origin });

type Reader = { origin: string; member: SessionUser | null };

/** The episode's URLs must be those for other players (`readReferencedUrls`), which have no session. */
export function episodeOnWire(
  episode: EpisodeWithFilms,
  { origin, member }: Reader,
): z.output<typeof episodeObject> {
  const addressOf = (url: string) => absolute(member ? signFilmPath(url, member) : url, origin);
  const sources = episode.sources.map(({ holds, ...source }) => ({ ...source, url: addressOf(source.url) }));
  return {
    id: `${episode.malId}-${episode.number}`,
    anime_mal_id: episode.malId,
    episode_id: episode.number,
    title: episode.title,
    description: episode.description,
    date: isoOrNull(episode.airedAt),
    image_url: absoluteOrNull(episode.imageUrl, origin),
    video_url: sources[0]?.url ?? null,
    duration: episode.durationSeconds,
    sources,
    subtitles: episode.subtitles.map(({ url, language, label }) => ({
      url: addressOf(url),
      language,
      label,
    })),
    skip: episode.skipSegments,
    chapters: episode.chapters,
  };
}
