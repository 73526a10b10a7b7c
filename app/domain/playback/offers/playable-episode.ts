import type { Episode } from "#app/domain/catalog/catalog.ts";
import type { UnreadableReason } from "#app/domain/films/films.ts";
import type { Chapter } from "#app/media/film/inspection.ts";
import type { SubtitleTraits } from "#app/media/subtitles/subtitle-names.ts";
import type { ClosedContainer } from "./closed-containers.ts";

type HeldTrack = {
  codecLabel: string;
  /** Whether the site can convert the track for a browser that does not decode it. */
  isConvertible: boolean;
};

type HeldPicture = {
  codec: string | null;
  hasOpenGroups?: boolean;
  /** The size of a picture that the site could convert only with more memory. */
  tooLarge?: { widthPx: number; heightPx: number };
};

/** A film's contents. The browser compares the codecs with those that it decodes. Null: not known. */
export type FilmContents = {
  /** Set if no browser opens the file. */
  closedContainer?: ClosedContainer;
  /**
   * The site has to convert the whole film once, and its tracks are not known before. The source's address answers 503
   * with how far that is, and 200 when it is done.
   */
  isUnprepared?: true;
  /**
   * Set if the site could read nothing in the file, not all of it, or only what is encrypted or compressed. A browser may
   * still play what the site cannot read, so the player tries.
   */
  unreadable?: UnreadableReason;
  isMatroska?: boolean;
  picture: (HeldPicture & HeldTrack) | null;
  /** The track that plays by default comes first. */
  sounds: ({ number: number; codec: string | null; language: string | null } & HeldTrack)[];
};

export type PlayableSource = Episode["sources"][number] & {
  holds?: FilmContents;
  /** The extension of a film of this site that was not read. */
  extension?: string;
};

export type PlayableSubtitle = Omit<Episode["subtitles"][number], "id"> &
  SubtitleTraits & {
    /** The script itself and its fonts, if the site's own player can draw it. */
    drawn: { url: string; fonts: string[] } | null;
  };

/** `url` is a `.sup` file. */
export type PlayableBitmaps = SubtitleTraits & { url: string; language: string; label: string };

/** An episode with playable URLs and the facts of its films. */
export type EpisodeWithFilms = Omit<Episode, "sources" | "subtitles"> & {
  sources: PlayableSource[];
  /** The registered subtitles, then those inside the film. */
  subtitles: PlayableSubtitle[];
  /** Subtitles inside the film that are pictures. Only the site's own player draws them. */
  bitmaps: PlayableBitmaps[];
  /** The labels of subtitles inside the film that cannot be shown. */
  undrawable: string[];
  /** The parts of the film that are in other files, as a sentence; null: none. */
  missing: string | null;
  chapters: Chapter[];
};

/** A film as operators see it: its tracks, how it plays, and in which browsers it does not. */
export type FilmReport = {
  /** Null for a film that comes with the site. */
  filmId: string | null;
  /** The URL of the source. */
  url: string;
  plays: "packaged" | "converted" | "as it is" | "nowhere" | "not read yet";
  /** Why the film does not play everywhere, unless single tracks are the reason. */
  reason: string | null;
  tracks: { kind: "Picture" | "Sound" | "Subtitles"; label: string; missingIn: string | null }[];
  chapters: number;
  fonts: number;
};

/** A film in a list over all titles, with the episode that it belongs to. */
export type ListedFilm = Pick<FilmReport, "url" | "plays" | "reason" | "tracks"> & {
  malId: number;
  title: string;
  episode: number;
};
