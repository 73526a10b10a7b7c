/** The door of playback for every file: what a player is told of an episode. */

export type { SubtitleRole } from "#app/media/subtitles/subtitle-names.ts";
export type { FilmContents, FilmReport, ListedFilm } from "./offers/playable-episode.ts";
