import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import type { TrackChoice } from "#app/domain/library/library.ts";
import type { PlayableBitmaps, PlayableSubtitle } from "#app/domain/playback/playback.ts";
import { trackChoiceApiPath } from "#app/paths.ts";
import {
  delayOf,
  keepDelay,
  readPlayerMemory,
  readTrackChoice,
  savePlayerMemory,
  storeTrackChoice,
} from "../state/player-memory.ts";
import type { SourceChoice } from "../state/use-source.ts";
import { type Captions, noCaptions, SubtitleScreen } from "./subtitle-screen.ts";
import {
  chooseTracks,
  nameOfSubtitles,
  noChoice,
  type OfferedSubtitles,
  type SoundTrack,
  subtitlesOff,
  type TrackSettings,
} from "./track-choice.ts";

/** The episode's sound and subtitles: the tracks at the start, and the viewer's choices. */

export type Tracks = {
  sounds: readonly SoundTrack[];
  sound: string | null;
  chooseSound(key: string): void;
  captions: Captions;
  showCaptions(key: string | null): void;
  /** Keeps drawn lines above controls that cover this share of the film. */
  liftCaptions(share: number): void;
  /** The delay of the subtitles in seconds. */
  delay: number;
  setDelay(seconds: number): void;
  isPlain: boolean;
  setPlain(isPlain: boolean): void;
};

export type TrackOptions = {
  malId: number;
  isMember: boolean;
  /** Whether the viewer allows the site or the browser to record what they watch. */
  isRemembered: boolean;
  subtitles: readonly PlayableSubtitle[];
  bitmaps: readonly PlayableBitmaps[];
  trackSettings: TrackSettings & { plainSubtitles: boolean };
  /** A member's choice for this title. A visitor's choice is in their browser. */
  trackChoice: TrackChoice | null;
};

/** The sound and subtitles that the viewer wants, from the settings and from their choice for this title. */
export function useTrackWishes({ malId, isMember, trackSettings, trackChoice }: TrackOptions) {
  const chosen = useRef<TrackChoice>(null as never);
  chosen.current ??= isMember ? (trackChoice ?? noChoice) : readTrackChoice(malId);
  const choose = useCallback(
    (sounds: readonly SoundTrack[], subtitles: readonly OfferedSubtitles[]) =>
      chooseTracks({ sounds, subtitles }, withHabit(trackSettings), chosen.current),
    [trackSettings],
  );
  const firstSound = (sounds: readonly SoundTrack[]) => choose(sounds, []).sound;
  return { chosen, choose, firstSound };
}

export function useTracks(
  video: RefObject<HTMLVideoElement | null>,
  choice: SourceChoice,
  { chosen, choose }: ReturnType<typeof useTrackWishes>,
  { malId, isMember, isRemembered, subtitles, bitmaps, trackSettings: settings }: TrackOptions,
): Tracks {
  const [isPlain, setPlain] = useState(() => readPlayerMemory().plainSubtitles ?? settings.plainSubtitles);
  const [delay, setDelay] = useState(() => delayOf(malId));
  const { captions, show, lift } = useCaptions(video, { registered: subtitles, bitmaps }, { isPlain, delay });
  const { sounds, chooseSound } = choice;

  const begin = useCallback(() => {
    const chosenTracks = choose(sounds, captions.tracks);
    if (chosenTracks.sound !== null) chooseSound(chosenTracks.sound);
    show(chosenTracks.subtitles);
  }, [sounds, captions.tracks, choose, chooseSound, show]);
  useEffect(begin, [begin]);

  const remember = (change: Partial<TrackChoice>) => {
    chosen.current = { ...chosen.current, ...change };
    if (!isRemembered) return;
    if (isMember) void send({ mal_id: malId, ...change });
    else storeTrackChoice(malId, chosen.current);
  };
  return {
    sounds,
    sound: choice.sound,
    chooseSound(key) {
      chooseSound(key);
      const language = sounds.find((one) => one.key === key)?.language ?? null;
      if (language === null) return;
      remember({ sound: language });
      begin();
    },
    captions,
    showCaptions(key) {
      show(key);
      const track = captions.tracks.find((one) => one.key === key);
      const hidden = captions.tracks.find((one) => one.key === captions.shown);
      savePlayerMemory({
        captions: track?.language ?? null,
        ...(!track && hidden && { hiddenCaptions: { label: hidden.label, name: nameOfSubtitles(hidden) } }),
      });
      remember({ subtitles: track ? nameOfSubtitles(track) : subtitlesOff });
    },
    liftCaptions: lift,
    delay,
    setDelay(seconds) {
      setDelay(seconds);
      keepDelay(malId, seconds);
    },
    isPlain,
    setPlain(value) {
      setPlain(value);
      savePlayerMemory({ plainSubtitles: value });
    },
  };
}

/** The subtitles of the video element, and which of them are shown. */
function useCaptions(
  video: RefObject<HTMLVideoElement | null>,
  { registered, bitmaps }: { registered: readonly PlayableSubtitle[]; bitmaps: readonly PlayableBitmaps[] },
  { isPlain, delay }: { isPlain: boolean; delay: number },
) {
  const [captions, setCaptions] = useState(noCaptions);
  const screen = useRef<SubtitleScreen | null>(null);
  const onChange = useCallback((found: Captions) => {
    // The same list stays the same array, so that only another list makes the player choose again.
    setCaptions(({ tracks }) => ({ ...found, tracks: isSame(tracks, found.tracks) ? tracks : found.tracks }));
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the next effect passes on a changed `isPlain`
  useEffect(() => {
    if (!video.current) return;
    const created = new SubtitleScreen(video.current, { registered, bitmaps, isPlain, onChange });
    screen.current = created;
    return () => {
      created.end();
      screen.current = null;
    };
  }, [video, registered, bitmaps]);
  useEffect(() => screen.current?.setPlain(isPlain), [isPlain]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new screen needs the delay too
  useEffect(() => screen.current?.setDelay(delay), [delay, video, registered, bitmaps]);
  const show = useCallback((key: string | null) => screen.current?.show(key), []);
  const lift = useCallback((share: number) => screen.current?.lift(share), []);
  return { captions, show, lift };
}

const isSame = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other);

/** A member without languages in the settings gets the subtitle language last chosen in this browser. */
function withHabit(settings: TrackSettings): TrackSettings {
  const { captions } = readPlayerMemory();
  return settings.subtitleLanguages.length > 0 || captions === null
    ? settings
    : { ...settings, subtitleLanguages: [captions] };
}

/** A failed request is ignored: the viewer can choose again at the next episode. */
const send = (change: object) =>
  fetch(trackChoiceApiPath(), {
    method: "PUT",
    keepalive: true,
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(change),
  }).catch(() => null);
