import { pictureCodec, soundCodec } from "#app/media/converting/ffmpeg-arguments.ts";
import type { AudioTrack, Inspection, VideoTrack } from "#app/media/film/inspection.ts";
import type { Conversions } from "./convertible.ts";

/** Decides which films are packaged, and which of their tracks are packaged or converted. */

/**
 * Codecs that fit into segments unchanged; a browser may still not decode them. MP3 (`mp4a.40.34`, `mp4a.6B`) is left
 * out: Chromium and Firefox say that they decode it in segments, but do not play it.
 */
const pictureCodecs = /^(?:avc1|hvc1|av01|vp09)\./;
const soundCodecs = /^(?:mp4a\.40\.(?!34)|ac-3|ec-3|opus|flac)/;

/** The codecs that nearly every browser decodes. */
const commonSounds = /^(?:mp4a\.|opus|flac)/;

/** Whether a track can be packaged unchanged, and whether the site can convert it. */
type Uses = { isPackaged: boolean; isConvertible: boolean };
export type FilmTracks = { picture: VideoTrack & Uses; sounds: (AudioTrack & Uses)[] };

/** Null: the film is not packaged. It is played as it is, or not at all. */
export function filmTracks(
  { container, obstacle, video, audio, edition }: Inspection,
  conversions: Conversions,
): FilmTracks | null {
  const [picture] = video;
  if (obstacle !== null || !picture) return null;
  if (container !== "matroska" && container !== "mp4") return null;
  if (container === "mp4" && !edition && playsEverywhere(picture, audio)) return null;
  const usesOf = (track: VideoTrack | AudioTrack, codecs: RegExp, isConvertible: boolean) => ({
    isPackaged: track.codec !== null && codecs.test(track.codec),
    isConvertible,
  });
  return {
    picture: { ...picture, ...usesOf(picture, pictureCodecs, conversions.ofPicture(picture)) },
    sounds: audio.map((sound) => ({ ...sound, ...usesOf(sound, soundCodecs, conversions.ofSound(sound)) })),
  };
}

/**
 * 8-bit H.264 in closed groups of pictures, with at most one sound track in a common codec. Every browser decodes such
 * a file, and none has to choose a track.
 */
const playsEverywhere = ({ codec, hasOpenGroups }: VideoTrack, audio: readonly AudioTrack[]) =>
  !hasOpenGroups &&
  /^avc1\.(?:42|4d|58|64)/i.test(codec ?? "") &&
  audio.length <= 1 &&
  audio.every(({ codec: name, beside }) => !beside && commonSounds.test(name ?? ""));

/** How a film is offered: with its tracks as they are, or with some of them converted. */
export type Variant = {
  isPictureConverted: boolean;
  /** `rare`: sound that some browsers cannot decode is converted. `all`: all sound is, where the site can. */
  convertedSound: "none" | "rare" | "all";
  /** The number of the sound track that plays first; null: the track that the file marks as default. */
  chosen: number | null;
};

type OfferFields = { codec: string; isConverted: boolean };
export type OfferedTracks = { picture: VideoTrack & OfferFields; sounds: (AudioTrack & OfferFields)[] };

/**
 * Null: this variant cannot be offered, because the picture, all sound or the chosen track is missing. A film with
 * sound must not play in silence.
 */
export function offeredTracks({ picture, sounds }: FilmTracks, variant: Variant): OfferedTracks | null {
  const { isPictureConverted, convertedSound, chosen } = variant;
  const offeredPicture = offer(picture, isPictureConverted, pictureCodec);
  const offered = sounds.flatMap((sound) => {
    const isCommon = sound.isPackaged && commonSounds.test(sound.codec ?? "");
    const isConverted =
      sound.isConvertible && (convertedSound === "all" || (convertedSound === "rare" && !isCommon));
    return offer(sound, isConverted, soundCodec) ?? [];
  });
  if (!offeredPicture || (sounds.length > 0 && offered.length === 0)) return null;
  if (chosen !== null && offered.every(({ number }) => number !== chosen)) return null;
  return { picture: offeredPicture, sounds: offered };
}

function offer<Track extends Uses & { codec: string | null }>(
  track: Track,
  isConverted: boolean,
  convertedCodec: string,
): (Track & OfferFields) | null {
  if (isConverted) return track.isConvertible ? { ...track, codec: convertedCodec, isConverted } : null;
  const { codec } = track;
  return track.isPackaged && codec !== null ? { ...track, codec, isConverted } : null;
}

export const asItIs: Variant = { isPictureConverted: false, convertedSound: "none", chosen: null };

/** Whether the film plays without conversion. Other players get only such films, so that they cannot make the site convert. */
export const isPackageable = (tracks: FilmTracks): boolean => offeredTracks(tracks, asItIs) !== null;

/** Whether at least one variant can be offered to a browser that chooses among them. */
export const isPlayable = (tracks: FilmTracks): boolean =>
  [false, true].some((isPictureConverted) =>
    (["none", "rare"] as const).some((convertedSound) =>
      offeredTracks(tracks, { isPictureConverted, convertedSound, chosen: null }),
    ),
  );
