import type Hls from "hls.js";
import type { SoundTrack } from "./track-choice.ts";

/** The sound tracks of a film, from hls.js or from a browser that lists them itself. */

type Rendition = {
  name: string;
  lang?: string | undefined;
  default: boolean;
  characteristics?: string | undefined;
};

const soundOfRendition = (
  { name, lang, default: isDefault, characteristics }: Rendition,
  index: number,
): SoundTrack => ({
  key: `${index}`,
  language: lang || null,
  label: name || lang || `Track ${index + 1}`,
  role: characteristics?.includes("describes-video") ? "description" : roleOf(name),
  isDefault,
});

type OnSounds = (sounds: readonly SoundTrack[], playing: string | null) => void;

/**
 * A track's key is the index of its rendition, which hls.js chooses by. `onListed` is called before hls.js has chosen a
 * track.
 */
export function followRenditions(
  player: Hls,
  { Events }: typeof Hls,
  onSounds: OnSounds,
  onListed: (sounds: readonly SoundTrack[]) => void,
) {
  const sounds = () => player.audioTracks.map(soundOfRendition);
  const report = () => onSounds(sounds(), `${player.audioTrack}`);
  player.once(Events.AUDIO_TRACKS_UPDATED, () => onListed(sounds()));
  player.on(Events.AUDIO_TRACKS_UPDATED, report);
  player.on(Events.AUDIO_TRACK_SWITCHED, report);
}

const roleOf = (name: string): SoundTrack["role"] =>
  /\bcommentary\b/i.test(name)
    ? "commentary"
    : /\bdescri(?:ptive|ption|bed)\b/i.test(name)
      ? "description"
      : "main";

type NativeSound = { language: string; label: string; kind: string; enabled: boolean };
type NativeSounds = EventTarget & { length: number; [index: number]: NativeSound };

/** Only Safari has `audioTracks`. Returns a function that chooses a track. */
export function followNativeSounds(
  video: HTMLVideoElement & { audioTracks?: NativeSounds },
  onSounds: OnSounds,
  signal: AbortSignal,
): (key: string) => void {
  const { audioTracks } = video;
  if (!audioTracks) return () => {};
  const tracks = () => Array.from(audioTracks as ArrayLike<NativeSound>);
  const report = () =>
    onSounds(
      tracks().map(({ language: lang, label: name, kind }, index) => ({
        ...soundOfRendition({ name, lang, default: kind === "main" }, index),
        ...(kind === "descriptions" && { role: "description" as const }),
      })),
      `${tracks().findIndex(({ enabled }) => enabled)}`,
    );
  for (const event of ["addtrack", "removetrack", "change"])
    audioTracks.addEventListener(event, report, { signal });
  return (key) => {
    for (const [index, track] of tracks().entries()) track.enabled = `${index}` === key;
  };
}
