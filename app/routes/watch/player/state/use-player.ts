import { type ReactNode, type RefObject, useCallback, useEffect, useMemo, useState } from "react";
import { useRevalidator } from "react-router";
import type { SkipSegment } from "#app/domain/catalog/catalog.ts";
import type { Chapter } from "#app/domain/playback/playback.ts";
import { type TrackOptions, useTracks, useTrackWishes } from "../tracks/use-tracks.ts";
import { useAutoSkip } from "./auto-skip.ts";
import { useMediaSession } from "./media-session.ts";
import type { FailureReason } from "./play-failure.ts";
import {
  type EpisodeLink,
  type PlayerSource,
  type ResumePoint,
  resumeSeconds,
  startOfMember,
} from "./playback.ts";
import { type PlayerMemory, readPlayerMemory, readResumePoint, savePlayerMemory } from "./player-memory.ts";
import { usePlayingState } from "./playing-state.ts";
import { type ProgressAnswer, useProgressReports } from "./progress-reports.ts";
import { useCommands } from "./use-commands.ts";
import { useSource } from "./use-source.ts";

export type PlayerProps = TrackOptions & {
  episode: number;
  /** The name of the episode, and of its title. */
  name: string;
  series: string;
  /** The picture for lock screens and other devices: the still, else the title's poster. */
  poster: string;
  still: string | null;
  sources: readonly PlayerSource[];
  /** Subtitles that cannot be shown. The settings list them, so that viewers do not think they are missing. */
  undrawable: readonly string[];
  skip: readonly SkipSegment[];
  chapters: readonly Chapter[];
  /** A member's resume point, in seconds; null for visitors and for an episode that was never opened. */
  resumePoint: ResumePoint | null;
  /** Whether the player skips segments and plays the next episode by itself, as the viewer has set. */
  skipsSegments: boolean;
  playsNext: boolean;
  /** Whether to play at once: the viewer came from another episode's page. */
  startsPlaying: boolean;
  previous: EpisodeLink | null;
  next: EpisodeLink | null;
  /** Shown over the film after the last episode. */
  endCard: ReactNode;
  onGo(href: string): void;
  onReported(answer: ProgressAnswer): void;
  onFailure(report: { source: string; reason: FailureReason }): void;
};

export type Elements = { video: RefObject<HTMLVideoElement | null>; frame: RefObject<HTMLElement | null> };

/** Connects the parts of the player with the video element. */
export function usePlayer({ video, frame }: Elements, props: PlayerProps) {
  const {
    name,
    series,
    poster,
    sources,
    skip,
    skipsSegments,
    chapters,
    startsPlaying,
    previous,
    next,
    onGo,
    onFailure,
  } = props;
  const [memory, setMemory] = useState<PlayerMemory>(readPlayerMemory);
  const [isOverviewOpen, setOverviewOpen] = useState(false);
  const { spoken, speak, announce, shown, show } = useMessages();

  const startAt = useStartTime(props);
  const reportFailure = useCallback(
    (source: PlayerSource, { reason }: { reason: FailureReason }) =>
      onFailure({ source: source.url, reason }),
    [onFailure],
  );
  const onNext = useMemo(() => (next ? () => onGo(next.href) : null), [next, onGo]);
  const onPrevious = useMemo(() => (previous ? () => onGo(previous.href) : null), [previous, onGo]);

  const playing = usePlayingState(video);
  const wishes = useTrackWishes(props);
  const { firstSound } = wishes;
  // Before `useSource`, whose cleanup resets the film: the last report reads the film's position.
  useProgressReports(video, props);
  const { revalidate: onPrepared } = useRevalidator();
  const choice = useSource(video, { sources, startAt, firstSound, onFailure: reportFailure, onPrepared });
  const tracks = useTracks(video, choice, wishes, props);
  const commands = useCommands(video, {
    captions: tracks.captions,
    showCaptions: tracks.showCaptions,
    frame,
    skip,
    chapters,
    onNext,
    onPrevious,
    onOverview: () => setOverviewOpen(true),
    announce,
    show,
  });
  useAutoSkip(video, { isOn: skipsSegments, skip, announce });
  useMediaSession(video, { title: name, series, artwork: poster, onNext, onPrevious });
  useStart(video, memory, startsPlaying);
  useCaptionLook(frame, memory);

  const changeLook = (change: Partial<PlayerMemory>) => setMemory(savePlayerMemory(change));
  return {
    playing,
    choice,
    commands,
    tracks,
    memory,
    changeLook,
    spoken,
    speak,
    shown,
    isOverviewOpen,
    setOverviewOpen,
  };
}

function useStartTime({ isMember, resumePoint, malId, episode }: PlayerProps) {
  return useMemo(
    () =>
      isMember ? startOfMember(resumePoint) : resumeSeconds(readResumePoint(malId, episode), Number.NaN),
    [isMember, resumePoint, malId, episode],
  );
}

/** Sets the stored volume, and plays at once if `startsPlaying`. */
function useStart(video: Elements["video"], { volume, muted }: PlayerMemory, startsPlaying: boolean) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for each video
  useEffect(() => {
    const element = video.current;
    if (!element) return;
    element.volume = volume;
    element.muted = muted;
    if (!startsPlaying) return;
    // A browser may refuse to start with sound; then the viewer presses play.
    const play = () => void element.play().catch(() => {});
    element.addEventListener("canplay", play, { once: true });
    return () => element.removeEventListener("canplay", play);
  }, [video]);
}

function useCaptionLook(frame: Elements["frame"], { captionSize, captionBackground }: PlayerMemory) {
  useEffect(() => {
    if (!frame.current) return;
    frame.current.dataset.captionSize = captionSize;
    frame.current.dataset.captionBackground = captionBackground;
  }, [frame, captionSize, captionBackground]);
}

const messageShownForMs = 1000;

/** The player's messages about keys and taps, for screen readers and for a moment over the film. */
function useMessages() {
  const [spoken, setSpoken] = useState("");
  const [shown, setShown] = useState<{ text: string } | null>(null);
  useEffect(() => {
    if (shown === null) return;
    const timer = setTimeout(() => setShown(null), messageShownForMs);
    return () => clearTimeout(timer);
  }, [shown]);
  // A new object each time, so that a repeated text stays a moment longer.
  const show = useCallback((text: string) => setShown({ text }), []);
  const announce = useCallback(
    (text: string) => {
      setSpoken(text);
      show(text);
    },
    [show],
  );
  return { spoken, speak: setSpoken, announce, shown: shown?.text ?? null, show };
}
