import { z } from "zod";
import { ownAddressOf } from "../streaming/streaming.ts";
import {
  type Anime,
  type AnimeDetails,
  airingStatuses,
  animeTypes,
  type Episode,
  ratingLabels,
  relationKinds,
  seasons,
  skipKinds,
  sourceTypes,
  weekdays,
} from "./catalog.ts";

/** The catalog's objects as they leave the house: addresses absolute, missing pictures replaced by our poster. */

const text = z.string().nullable();
const count = z.number().int().nullable();
const words = z.array(z.string());

export const animeObject = z.object({
  mal_id: z.number().int(),
  title: z.string(),
  title_english: text,
  title_japanese: text,
  title_synonyms: words,
  type: z.enum(animeTypes).nullable(),
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
  genres: words,
  studios: words,
  producers: words,
  licensors: words,
  themes: words,
  demographics: words,
});

export const animeDetails = animeObject.extend({
  relations: z.array(z.object({ relation: z.enum(relationKinds), mal_id: z.number().int(), title: text })),
  episode_count: z.number().int(),
});

export const episodeObject = z.object({
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
});

export const pageMeta = z.object({
  total_items: z.number().int(),
  current_page: z.number().int(),
  last_page: z.number().int(),
  per_page: z.number().int(),
  notice: z.string().optional(),
});

function absolute(url: string, origin: string): string {
  const address = ownAddressOf(url);
  return address.startsWith("/") ? origin + address : address;
}
const absoluteOrNull = (url: string | null, origin: string) => url && absolute(url, origin);

const posterWidths = {
  image_small_webp: 160,
  image_webp: 320,
  image_url: 320,
  image_large_webp: 640,
} as const;
type Picture = keyof typeof posterWidths;

export function animeOnWire(anime: Anime, origin: string): z.output<typeof animeObject> {
  const picture = (name: Picture) =>
    absolute(anime[name] ?? `/poster/${anime.mal_id}.webp?w=${posterWidths[name]}`, origin);
  return {
    ...anime,
    image_url: picture("image_url"),
    image_webp: picture("image_webp"),
    image_small_webp: picture("image_small_webp"),
    image_large_webp: picture("image_large_webp"),
    banner_image: absoluteOrNull(anime.banner_image, origin),
    trailer_image_url: absoluteOrNull(anime.trailer_image_url, origin),
  };
}

export const detailsOnWire = (
  { relations, episode_count, playable: _, ...anime }: AnimeDetails,
  origin: string,
): z.output<typeof animeDetails> => ({
  ...animeOnWire(anime, origin),
  relations: relations.map(({ relation, mal_id, title }) => ({ relation, mal_id, title })),
  episode_count,
});

export const posterOnWire = (
  malId: number,
  image: string | null,
  origin: string,
  widthPx: number = posterWidths.image_small_webp,
) => absolute(image ?? `/poster/${malId}.webp?w=${widthPx}`, origin);

export const episodeOnWire = (episode: Episode, origin: string): z.output<typeof episodeObject> => ({
  ...episode,
  image_url: absoluteOrNull(episode.image_url, origin),
  video_url: absoluteOrNull(episode.video_url, origin),
  sources: episode.sources.map((source) => ({ ...source, url: absolute(source.url, origin) })),
  subtitles: episode.subtitles.map((subtitle) => ({ ...subtitle, url: absolute(subtitle.url, origin) })),
});
