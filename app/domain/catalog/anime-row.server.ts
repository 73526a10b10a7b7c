import { getTableColumns, type SQL, sql } from "drizzle-orm";
import { titles } from "#db/schema/catalog.ts";
import { type AiringStatus, type Anime, ratingLabel } from "./catalog.ts";

/** From a row of `titles` to a title as everybody sees it. */

export const isOnAir = sql`${titles.airsFrom} <= now() and ${titles.airsUntil} > now()`;
export const isAnnounced = sql`${titles.airsFrom} > now()`;
export const isFinished = sql`${titles.airsFrom} <= now() and ${titles.airsUntil} <= now()`;

/** Worked out at the time of asking. */
export const currentStatus: SQL<AiringStatus> = sql<AiringStatus>`case
  when ${isAnnounced} then 'Not yet aired'
  when ${isOnAir} then 'Currently Airing'
  else 'Finished Airing' end`;

const {
  titleKey: _key,
  studioKeys: _studios,
  genreBits: _bits,
  isMature: _mature,
  hasBanner: _banner,
  airsFrom: _from,
  airsUntil: _until,
  status: _word,
  updatedAt: _updated,
  ...shown
} = getTableColumns(titles);

/** What to select of a title. */
export const animeColumns = { ...shown, currentStatus: currentStatus.as("current_status") };

type Row = Omit<
  typeof titles.$inferSelect,
  | "titleKey"
  | "studioKeys"
  | "genreBits"
  | "isMature"
  | "hasBanner"
  | "airsFrom"
  | "airsUntil"
  | "status"
  | "updatedAt"
>;

/** Everything but what follows from the clock. */
export const fieldsOf = (row: Row): Omit<Anime, "status" | "airing"> => ({
  mal_id: row.malId,
  title: row.title,
  title_english: row.titleEnglish,
  title_japanese: row.titleJapanese,
  title_synonyms: row.titleSynonyms,
  type: row.type,
  source: row.source,
  episodes: row.episodes,
  aired_from: row.airedFrom?.toISOString() ?? null,
  aired_to: row.airedTo?.toISOString() ?? null,
  duration: row.duration,
  rating: row.rating && ratingLabel(row.rating),
  score: row.score,
  scored_by: row.scoredBy,
  popularity: row.popularity,
  members: row.members,
  favorites: row.favorites,
  synopsis: row.synopsis,
  background: row.background,
  season: row.season,
  year: row.year,
  broadcast_day: row.broadcastDay,
  broadcast_time: row.broadcastTime,
  broadcast_timezone: row.broadcastTimezone,
  image_url: row.imageUrl,
  image_webp: row.imageWebp,
  image_small_webp: row.imageSmallWebp,
  image_large_webp: row.imageLargeWebp,
  banner_image: row.bannerImage,
  youtube_id: row.youtubeId,
  trailer_url: row.trailerUrl,
  trailer_embed_url: row.trailerEmbedUrl,
  trailer_image_url: row.trailerImageUrl,
  url: row.url,
  approved: row.approved,
  genres: row.genres,
  studios: row.studios,
  producers: row.producers,
  licensors: row.licensors,
  themes: row.themes,
  demographics: row.demographics,
});

export const asAnime = (row: Row & { currentStatus: AiringStatus }): Anime => ({
  ...fieldsOf(row),
  status: row.currentStatus,
  airing: row.currentStatus === "Currently Airing",
});
