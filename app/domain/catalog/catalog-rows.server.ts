import { getTableColumns, type SQL, sql } from "drizzle-orm";
import { titles } from "#db/schema/catalog.ts";
import type { AiringStatus } from "#db/schema/enumerations.ts";
import { episodeSources, episodeSubtitles, episodes, skipSegments } from "#db/schema/episodes.ts";

/** The catalog columns that the site reads, and the domain types derived from them. */

export const isOnAirAt = (moment: SQL): SQL =>
  sql`${titles.airsFrom} <= ${moment} and ${titles.airsUntil} > ${moment}`;
export const isOnAir = isOnAirAt(sql`now()`);
export const isAnnounced = sql`${titles.airsFrom} > now()`;
export const isFinished = sql`${titles.airsFrom} <= now() and ${titles.airsUntil} <= now()`;

/** The database computes the status in each query, because it changes with the clock. */
export const currentStatus: SQL<AiringStatus> = sql<AiringStatus>`case
  when ${isAnnounced} then 'Not yet aired'
  when ${isOnAir} then 'Currently Airing'
  else 'Finished Airing' end`;

/** The SQL condition that the title of the query may have this episode. A title without a known number may have any. */
export const mayHaveEpisode = (
  episode: SQL,
): SQL => sql`(${titles.episodes} is null or ${episode} <= ${titles.episodes}
  or exists (select from ${episodes} where ${episodes.malId} = ${titles.malId} and ${episodes.number} = ${episode}))`;

const {
  titleKey: _titleKey,
  studioKeys: _studioKeys,
  genreBits: _genreBits,
  isMature: _isMature,
  hasBanner: _hasBanner,
  airsFrom: _airsFrom,
  airsUntil: _airsUntil,
  status: _storedStatus,
  updatedAt: _updatedAt,
  hiddenAt: _hiddenAt,
  ...storedColumns
} = getTableColumns(titles);

/** Leaves out the columns that are used only in conditions and sort orders. */
export const titleColumns = { ...storedColumns, status: currentStatus.as("current_status") };
type TitleColumn = keyof typeof storedColumns;
export type Title = Pick<typeof titles.$inferSelect, TitleColumn> & { status: AiringStatus };

const { updatedAt: _episodeUpdatedAt, ...storedEpisodeColumns } = getTableColumns(episodes);
export const episodeColumns = storedEpisodeColumns;

export const sourceColumns = {
  url: episodeSources.url,
  type: episodeSources.type,
  label: episodeSources.label,
  language: episodeSources.language,
};
type EpisodeSource = Pick<typeof episodeSources.$inferSelect, keyof typeof sourceColumns>;

export const subtitleColumns = {
  id: episodeSubtitles.id,
  url: episodeSubtitles.url,
  language: episodeSubtitles.language,
  label: episodeSubtitles.label,
};
type Subtitle = Pick<typeof episodeSubtitles.$inferSelect, keyof typeof subtitleColumns>;

export const skipColumns = { kind: skipSegments.kind, start: skipSegments.start, end: skipSegments.end };
export type SkipSegment = Pick<typeof skipSegments.$inferSelect, keyof typeof skipColumns>;

/** An episode without a database row has only `malId` and `number`; its other fields are null or empty. */
export type Episode = Pick<typeof episodes.$inferSelect, keyof typeof episodeColumns> & {
  sources: EpisodeSource[];
  subtitles: Subtitle[];
  skipSegments: SkipSegment[];
};
