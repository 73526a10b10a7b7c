import type { Episode } from "#app/domain/catalog/catalog.ts";
import type { Chapter } from "#app/media/film/inspection.ts";
import type { SubtitleTraits } from "#app/media/subtitles/subtitle-names.ts";

type HeldTrack = {
  codecLabel: string;
  /** The site can convert it for a browser that does not decode it. */
  isConvertible: boolean;
};

type HeldPicture = {
  codec: string | null;
  hasOpenGroups?: boolean;
  /** What the site would convert if it had more memory. */
  tooLarge?: { widthPx: number; heightPx: number };
};

/** What a film holds, for the browser, which knows which codecs it decodes. Null where it is not known. */
export type FilmContents = {
  /** The name of a container that no browser opens. */
  closedContainer?: string;
  isMatroska?: boolean;
  picture: (HeldPicture & HeldTrack) | null;
  /** The one that plays first comes first. */
  sounds: ({ number: number; codec: string | null; language: string | null } & HeldTrack)[];
};

export type PlayableSource = Episode["sources"][number] & { holds?: FilmContents };

export type PlayableSubtitle = Omit<Episode["subtitles"][number], "id"> &
  SubtitleTraits & {
    /** The script itself and its fonts, if the site's own player can draw it. */
    drawn: { url: string; fonts: string[] } | null;
  };

/** An episode whose URLs can be played, with what is known of its films. */
export type EpisodeWithFilms = Omit<Episode, "sources" | "subtitles"> & {
  sources: PlayableSource[];
  /** Those beside the film, and those inside it. */
  subtitles: PlayableSubtitle[];
  /** The names of subtitles inside the film that cannot be shown, because they are pictures. */
  undrawable: string[];
  chapters: Chapter[];
};

/** What operators see of a film: what it holds, how it plays, and where it does not. */
export type FilmReport = {
  /** Null for a film that comes with the site. */
  filmId: string | null;
  /** Of the source. */
  url: string;
  plays: "packaged" | "converted" | "as it is" | "nowhere" | "not read yet";
  /** Why it does not play everywhere, as far as that is not a matter of single tracks. */
  reason: string | null;
  tracks: { kind: "Picture" | "Sound" | "Subtitles"; label: string; missingIn: string | null }[];
  chapters: number;
  fonts: number;
};

/** The film of an episode, beside those of others. */
export type ListedFilm = Pick<FilmReport, "url" | "plays" | "reason" | "tracks"> & {
  malId: number;
  title: string;
  episode: number;
};
