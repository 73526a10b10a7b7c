/** The door of playback for code that also runs in browsers: the facts of an episode that a player gets. */

export type { Chapter } from "#app/media/film/inspection.ts";
export type { SubtitleRole } from "#app/media/subtitles/subtitle-names.ts";
export type {
  FilmContents,
  FilmReport,
  ListedFilm,
  PlayableBitmaps,
  PlayableSubtitle,
} from "./offers/playable-episode.ts";
