import { pictureCodec, soundCodec } from "#app/media/converting/ffmpeg-arguments.ts";
import type { AudioTrack, Inspection, VideoTrack } from "#app/media/film/inspection.ts";
import type { Conversions } from "./convertible.ts";

/** Which films get addresses of their own, and which of their tracks. */

/**
 * The codecs that fit into segments as they are. Whether a browser decodes them is another question: Chromium and Firefox say
 * that they decode MP3 in segments, and do not play it.
 */
const pictureCodecs = /^(?:avc1|hvc1|av01|vp09)\./;
const soundCodecs = /^(?:mp4a\.40\.(?!34)|ac-3|ec-3|opus|flac)/;

/** The codecs that nearly every browser decodes. */
const commonSounds = /^(?:mp4a\.|opus|flac)/;

/** What can be done with a track. */
type Uses = { isPackaged: boolean; isConvertible: boolean };
export type FilmTracks = { picture: VideoTrack & Uses; sounds: (AudioTrack & Uses)[] };

/** Null: the film is played as it is, or not at all. */
export function filmTracks(
  { container, obstacle, video, audio }: Inspection,
  conversions: Conversions,
): FilmTracks | null {
  const [picture] = video;
  if (obstacle !== null || !picture) return null;
  if (container !== "matroska" && (container !== "mp4" || playsEverywhere(picture, audio))) return null;
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
 * H.264 of 8 bits, in closed groups of pictures, with one common sound track: no browser has to choose a track, or gets one
 * that it does not decode.
 */
const playsEverywhere = ({ codec, hasOpenGroups }: VideoTrack, audio: readonly AudioTrack[]) =>
  !hasOpenGroups &&
  /^avc1\.(?:42|4d|58|64)/i.test(codec ?? "") &&
  audio.length <= 1 &&
  audio.every(({ codec: name, beside }) => !beside && commonSounds.test(name ?? ""));

/** How a film is offered: with its tracks as they are, or with some of them converted. */
export type Variant = {
  isPictureConverted: boolean;
  /** Sound that some browsers cannot decode is converted. */
  isSoundConverted: boolean;
  /** The number of the sound track that plays first, if it is not the one that the file marks. */
  chosen: number | null;
};

type Offered = { codec: string; isConverted: boolean };
export type OfferedTracks = { picture: VideoTrack & Offered; sounds: (AudioTrack & Offered)[] };

/** Null: the film cannot be offered like this. Without its sound it would play in silence. */
export function offeredTracks({ picture, sounds }: FilmTracks, variant: Variant): OfferedTracks | null {
  const { isPictureConverted, isSoundConverted, chosen } = variant;
  const offeredPicture = offer(picture, isPictureConverted, pictureCodec);
  const offered = sounds.flatMap((sound) => {
    const isCommon = sound.isPackaged && commonSounds.test(sound.codec ?? "");
    const isConverted = isSoundConverted && sound.isConvertible && !isCommon;
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
): (Track & Offered) | null {
  if (isConverted) return track.isConvertible ? { ...track, codec: convertedCodec, isConverted } : null;
  const { codec } = track;
  return track.isPackaged && codec !== null ? { ...track, codec, isConverted } : null;
}

export const asItIs: Variant = { isPictureConverted: false, isSoundConverted: false, chosen: null };

/** Other players get no address that makes the site convert. */
export const isPackageable = (tracks: FilmTracks): boolean => offeredTracks(tracks, asItIs) !== null;

/** In one way or another, in a browser that has a choice. */
export const isPlayable = (tracks: FilmTracks): boolean =>
  [false, true].some((isPictureConverted) =>
    [false, true].some((isSoundConverted) =>
      offeredTracks(tracks, { isPictureConverted, isSoundConverted, chosen: null }),
    ),
  );
