import { type RefObject, useCallback, useEffect, useMemo, useState } from "react";
import { useCaptions } from "./captions.ts";
import { useMediaSession } from "./media-session.ts";
import type { FailureReason } from "./play-failure.ts";
import {
  type EpisodeLink,
  type PlayerSkipSegment,
  type PlayerSource,
  type PlayerSubtitle,
  resumeSeconds,
} from "./playback.ts";
import { type PlayerMemory, readPlayerMemory, readResumePoint, savePlayerMemory } from "./player-memory.ts";
import { usePlayingState } from "./playing.ts";
import { useProgressReports } from "./progress-reports.ts";
import { useCommands } from "./use-commands.ts";
import { useSource } from "./use-source.ts";

export type PlayerProps = {
  malId: number;
  episode: number;
  /** What is playing, and the series it belongs to. */
  name: string;
  series: string;
  poster: string;
  sources: readonly PlayerSource[];
  subtitles: readonly PlayerSubtitle[];
  skip: readonly PlayerSkipSegment[];
  /** Where the server says it was left, and of how long a film, in seconds; null: never opened, or nobody is signed in. */
  place: { position: number; duration: number } | null;
  isMember: boolean;
  /** The viewer came from the episode before, or pressed play to get here. */
  startsPlaying: boolean;
  previous: EpisodeLink | null;
  next: EpisodeLink | null;
  onGo(href: string): void;
  onFailure(report: { source: string; reason: FailureReason }): void;
};

export type Elements = { video: RefObject<HTMLVideoElement | null>; frame: RefObject<HTMLElement | null> };

/** Joins the parts of the player around its element. */
export function usePlayer({ video, frame }: Elements, props: PlayerProps) {
  const {
    malId,
    episode,
    name,
    series,
    poster,
    sources,
    skip,
    place,
    isMember,
    startsPlaying,
    previous,
    next,
    onGo,
    onFailure,
  } = props;
  const [memory, setMemory] = useState<PlayerMemory>(readPlayerMemory);
  const [isOverviewOpen, setOverviewOpen] = useState(false);
  const [said, announce] = useState("");

  const startAt = useMemo(
    () =>
      isMember
        ? resumeSeconds(place?.position ?? null, place?.duration ?? Number.NaN)
        : resumeSeconds(readResumePoint(malId, episode), Number.NaN),
    [isMember, place, malId, episode],
  );
  const reportFailure = useCallback(
    (source: PlayerSource, { reason }: { reason: FailureReason }) =>
      onFailure({ source: source.url, reason }),
    [onFailure],
  );
  const onNext = useMemo(() => (next ? () => onGo(next.href) : null), [next, onGo]);
  const onPrevious = useMemo(() => (previous ? () => onGo(previous.href) : null), [previous, onGo]);

  const playing = usePlayingState(video);
  const choice = useSource(video, { sources, startAt, onFailure: reportFailure });
  const commands = useCommands(video, {
    frame,
    skip,
    onNext,
    onPrevious,
    onOverview: () => setOverviewOpen(true),
    announce,
  });
  const captions = useCaptions(video, memory.captions);
  useProgressReports(video, { malId, episode, isMember });
  useMediaSession(video, { title: name, series, artwork: poster, onNext, onPrevious });
  useFirstMoments(video, memory, startsPlaying);
  useCaptionLook(frame, memory);

  const changeLook = (change: Partial<PlayerMemory>) => setMemory(savePlayerMemory(change));
  return { playing, choice, commands, captions, memory, changeLook, said, isOverviewOpen, setOverviewOpen };
}

/** As loud as last time, and playing at once if that is what brought the viewer here. */
function useFirstMoments(video: Elements["video"], { volume, muted }: PlayerMemory, startsPlaying: boolean) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first moments come once
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
