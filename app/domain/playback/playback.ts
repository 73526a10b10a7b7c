/** The door of playback for code that also runs in browsers: the facts of an episode that a player gets. */

export type { SubtitleRole } from "#app/media/subtitles/subtitle-names.ts";
export type { FilmContents, FilmReport, ListedFilm } from "./offers/playable-episode.ts";
