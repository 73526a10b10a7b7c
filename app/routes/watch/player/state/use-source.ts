import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { SoundTrack } from "../tracks/track-choice.ts";
import { attach, countWays, detectAbility, type Engine, minStartSeconds, type Quality } from "./engine.ts";
import { mayPass, type PlayFailure } from "./play-failure.ts";
import { canPlay, clampTime, type PlayerSource, sortByAbility, startWithin } from "./playback.ts";
import { readPlayerMemory, savePlayerMemory } from "./player-memory.ts";

/** The chosen source and quality, and the failure if it does not play. */
export type SourceChoice = {
  sources: readonly PlayerSource[];
  chosen: number;
  choose(index: number): void;
  retry(): void;
  qualities: readonly Quality[];
  /** The height in lines; null for automatic. */
  quality: number | null;
  chooseQuality(height: number | null): void;
  sounds: readonly SoundTrack[];
  /** The key of the sound track that plays. */
  sound: string | null;
  chooseSound(key: string): void;
  failure: PlayFailure | null;
};

type Options = {
  sources: readonly PlayerSource[];
  /** The start time of the first source. Each later source starts where the source before it stopped. */
  startAt: number | null;
  /** The key of the sound track that the viewer wants to begin with. */
  firstSound(sounds: readonly SoundTrack[]): string | null;
  onFailure(source: PlayerSource, failure: PlayFailure): void;
  /** The site has prepared the film, so the page can get its tracks. */
  onPrepared(): void;
};

export function useSource(
  video: RefObject<HTMLVideoElement | null>,
  { sources, startAt, firstSound, onFailure, onPrepared }: Options,
): SourceChoice {
  const [ordered, setOrdered] = useState<readonly PlayerSource[]>([]);
  const { attempt, choose, again, goOnWith } = useAttempts();
  const [failure, setFailure] = useState<PlayFailure | null>(null);
  const engine = useRef<Engine | null>(null);
  const sounds = useSounds(engine);
  const { onQualities, readQuality, ...qualities } = useQualities(engine);
  const last = useRef<LastPlayed>({ time: startAt ?? 0, isPlaying: false, isResumed: true });
  const latest = useRef({ firstSound, onFailure, onPrepared });
  latest.current = { firstSound, onFailure, onPrepared };
  // A layout effect: after the browser's paint, the film would begin later.
  useLayoutEffect(() => {
    if (video.current) setOrdered(sortByAbility(sources, detectAbility(video.current)));
    readQuality();
  }, [video, sources, readQuality]);

  const source = ordered[attempt.source];
  /** The player has said that the film begins by itself, and asks until it does. */
  const beginsByItself = useRef(false);
  const isAskedAgain = beginsByItself.current && !source?.holds?.isUnprepared;
  useWaitForConversion(isAskedAgain ? failure : null, again);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt attaches the source again
  useEffect(() => {
    const element = video.current;
    if (!element || !source) return;
    const isConverting = (found: PlayFailure) =>
      found.reason === "converting" || (beginsByItself.current && mayPass(found));
    const showFailure = (found: PlayFailure) => {
      beginsByItself.current = isConverting(found);
      setFailure(found);
    };
    const onLoaded = () => {
      beginsByItself.current = false;
      setFailure(null);
    };
    // The note about a conversion would flicker if each attempt removed it.
    if (!beginsByItself.current) setFailure(null);
    element.addEventListener("loadeddata", onLoaded, { once: true });
    // The browser may play before React controls the page.
    if (!element.paused) last.current = playingFrom(element, last.current);
    const isPlaying = last.current.isPlaying || beginsByItself.current;
    const cancelResume = resumeFrom(element, { ...last.current, isPlaying });
    const attached = attach(element, { source, way: attempt.way }, last.current.time, {
      onQualities,
      onSounds: sounds.onSounds,
      firstSound: (found) => latest.current.firstSound(found),
      onPrepared: () => latest.current.onPrepared(),
      onWaiting: showFailure,
      onFailure: (found) => {
        if (found.reason === "unsupported" && attempt.way + 1 < countWays(source))
          return goOnWith({ source: attempt.source, way: attempt.way + 1 });
        if (!isConverting(found)) latest.current.onFailure(source, found);
        const next = ordered[attempt.source + 1];
        if (found.reason === "unsupported" && next && canPlay(next, detectAbility(element)))
          return goOnWith({ source: attempt.source + 1, way: 0 });
        showFailure(found);
      },
    });
    engine.current = attached;
    return () => {
      cancelResume();
      element.removeEventListener("loadeddata", onLoaded);
      // Before `end`, which resets the element. A source that never started passes its start time on to the next one.
      last.current = stoppedAt(element, last.current);
      attached.end();
      engine.current = null;
    };
  }, [video, source, attempt]);

  return {
    sources: ordered,
    chosen: attempt.source,
    choose(index) {
      beginsByItself.current = false;
      choose(index);
    },
    retry: again,
    ...qualities,
    sounds: sounds.all,
    sound: sounds.playing,
    chooseSound: sounds.choose,
    failure,
  };
}

/** Each attempt attaches its source again. */
function useAttempts() {
  const [attempt, setAttempt] = useState({ source: 0, way: 0, count: 0 });
  const choose = (source: number) => setAttempt(({ count }) => ({ source, way: 0, count: count + 1 }));
  const again = useCallback(() => setAttempt(({ count, ...same }) => ({ ...same, count: count + 1 })), []);
  /** The browser has refused the source in this way, so the next way follows, or the next source. */
  const goOnWith = useCallback(
    (next: { source: number; way: number }) => setAttempt(({ count }) => ({ ...next, count: count + 1 })),
    [],
  );
  return { attempt, choose, again, goOnWith };
}

/**
 * How long the player waits before it loads a film again that is being converted. Less than the 30 seconds after which
 * the site drops a place in its queue.
 */
const againMs = 8000;

function useWaitForConversion(failure: PlayFailure | null, again: () => void) {
  useEffect(() => {
    if (failure === null) return;
    const timer = setTimeout(again, againMs);
    return () => clearTimeout(timer);
  }, [failure, again]);
}

function useQualities(engine: RefObject<Engine | null>) {
  const [qualities, setQualities] = useState<readonly Quality[]>([]);
  const [quality, setQuality] = useState<number | null>(null);
  const readQuality = useCallback(() => setQuality(readPlayerMemory().quality), []);
  const onQualities = (found: readonly Quality[]) => {
    setQualities(found);
    engine.current?.choose(qualityIndex(found, readPlayerMemory().quality));
  };
  const chooseQuality = (height: number | null) => {
    setQuality(height);
    savePlayerMemory({ quality: height });
    engine.current?.choose(qualityIndex(qualities, height));
  };
  return { qualities, quality, readQuality, onQualities, chooseQuality };
}

function useSounds(engine: RefObject<Engine | null>) {
  const [sounds, setSounds] = useState<{ all: readonly SoundTrack[]; playing: string | null }>({
    all: [],
    playing: null,
  });
  const onSounds = useCallback((found: readonly SoundTrack[], playing: string | null) => {
    setSounds((before) => {
      // If only the playing track has changed, the list stays the same array, so that it is not taken for another
      // film's list.
      const isSame = JSON.stringify(found) === JSON.stringify(before.all);
      return { all: isSame ? before.all : found, playing };
    });
  }, []);
  const choose = useCallback((key: string) => engine.current?.chooseSound(key), [engine]);
  return { ...sounds, onSounds, choose };
}

/** The quality with the stored height, or the best one below it. */
function qualityIndex(qualities: readonly Quality[], height: number | null): number | null {
  if (height === null) return null;
  const fitting = qualities.filter((one) => one.height <= height).sort((a, b) => b.height - a.height);
  return fitting[0]?.index ?? null;
}

/** The position and state in which the previous source stopped; for the first source, the resume point. */
type LastPlayed = { time: number; isPlaying: boolean; isResumed: boolean };

const playingFrom = ({ currentTime }: HTMLVideoElement, { time, isResumed }: LastPlayed): LastPlayed => ({
  time: time || currentTime,
  isPlaying: true,
  isResumed,
});

const stoppedAt = ({ currentTime, paused }: HTMLVideoElement, { time }: LastPlayed): LastPlayed => ({
  time: currentTime || time,
  isPlaying: !paused,
  isResumed: false,
});

/** Seeks once the element knows its length. The returned function cancels that. */
function resumeFrom(element: HTMLVideoElement, { time, isPlaying, isResumed }: LastPlayed) {
  const onLengthKnown = () => {
    // A resume point at the end starts over. A viewer who changes the source near the end stays there.
    const start = isResumed ? startWithin(time, element.duration) : clampTime(time, element.duration);
    if (start > minStartSeconds) element.currentTime = start;
    element.playbackRate = readPlayerMemory().speed;
    if (isPlaying) void element.play().catch(() => {});
  };
  element.addEventListener("loadedmetadata", onLengthKnown, { once: true });
  return () => element.removeEventListener("loadedmetadata", onLengthKnown);
}
