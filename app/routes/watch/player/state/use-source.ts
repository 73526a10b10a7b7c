import { type RefObject, useEffect, useRef, useState } from "react";
import { attach, detectAbility, type Engine, type Quality } from "./engine.ts";
import type { PlayFailure } from "./play-failure.ts";
import { type PlayerSource, sortByAbility } from "./playback.ts";
import { readPlayerMemory, savePlayerMemory } from "./player-memory.ts";

/** Which source plays, in which quality, and what came of it. */
export type SourceChoice = {
  sources: readonly PlayerSource[];
  chosen: number;
  choose(index: number): void;
  retry(): void;
  qualities: readonly Quality[];
  /** Lines of the picture; null: automatic. */
  quality: number | null;
  chooseQuality(height: number | null): void;
  failure: PlayFailure | null;
};

type Options = {
  sources: readonly PlayerSource[];
  /** Where the first source starts; later ones go on where the last one stopped. */
  startAt: number | null;
  onFailure(source: PlayerSource, failure: PlayFailure): void;
};

export function useSource(
  video: RefObject<HTMLVideoElement | null>,
  { sources, startAt, onFailure }: Options,
): SourceChoice {
  const [ordered, setOrdered] = useState<readonly PlayerSource[]>([]);
  const [attempt, setAttempt] = useState({ source: 0, count: 0 });
  const [qualities, setQualities] = useState<readonly Quality[]>([]);
  const [quality, setQuality] = useState<number | null>(null);
  const [failure, setFailure] = useState<PlayFailure | null>(null);
  const engine = useRef<Engine | null>(null);
  const left = useRef<Left>({ time: startAt ?? 0, isPlaying: false });
  const tell = useRef(onFailure);
  tell.current = onFailure;
  useEffect(() => {
    if (video.current) setOrdered(sortByAbility(sources, detectAbility(video.current)));
    setQuality(readPlayerMemory().quality);
  }, [video, sources]);

  const source = ordered[attempt.source];
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is another start
  useEffect(() => {
    const element = video.current;
    if (!element || !source) return;
    setFailure(null);
    const stopWaiting = goOnFrom(element, left.current);
    const attached = attach(element, source, {
      onQualities: (found) => {
        setQualities(found);
        engine.current?.choose(indexOf(found, readPlayerMemory().quality));
      },
      onFailure: (found) => {
        setFailure(found);
        tell.current(source, found);
      },
    });
    engine.current = attached;
    return () => {
      stopWaiting();
      // Read before the end, which takes the film away. One that never began leaves the place to the next.
      left.current = { time: element.currentTime || left.current.time, isPlaying: !element.paused };
      attached.end();
      engine.current = null;
    };
  }, [video, source, attempt]);

  return {
    sources: ordered,
    chosen: attempt.source,
    choose: (source) => setAttempt(({ count }) => ({ source, count: count + 1 })),
    retry: () => setAttempt(({ source, count }) => ({ source, count: count + 1 })),
    qualities,
    quality,
    chooseQuality(height) {
      setQuality(height);
      savePlayerMemory({ quality: height });
      engine.current?.choose(indexOf(qualities, height));
    },
    failure,
  };
}

/** The remembered height, or the best below it where this film has no such quality. */
function indexOf(qualities: readonly Quality[], height: number | null): number | null {
  if (height === null) return null;
  const fitting = qualities.filter((one) => one.height <= height).sort((a, b) => b.height - a.height);
  return fitting[0]?.index ?? null;
}

/** Where the source before this one was left, or the viewer the last time. */
type Left = { time: number; isPlaying: boolean };

/** Takes the element there once it knows its length; the returned function calls that off. */
function goOnFrom(element: HTMLVideoElement, { time, isPlaying }: Left) {
  const onKnown = () => {
    if (time > 0.5) element.currentTime = time;
    element.playbackRate = readPlayerMemory().speed;
    if (isPlaying) void element.play().catch(() => {});
  };
  element.addEventListener("loadedmetadata", onKnown, { once: true });
  return () => element.removeEventListener("loadedmetadata", onKnown);
}
