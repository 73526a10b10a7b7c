import { type RefObject, useEffect, useRef } from "react";
import type { SkipSegment } from "#app/domain/catalog/catalog.ts";
import { clampTime, enteredSegment, skippedText } from "./playback.ts";

type Options = {
  isOn: boolean;
  skip: readonly SkipSegment[];
  announce(text: string): void;
};

/** Skips each opening and ending that the film reaches by playing. A viewer who seeks into one wants to see it. */
export function useAutoSkip(video: RefObject<HTMLVideoElement | null>, { isOn, skip, announce }: Options) {
  /** The last place of the film. The effect begins again when the page gets new data, and must not lose it. */
  const before = useRef<number | null>(null);
  useEffect(() => {
    const element = video.current;
    if (!element || !isOn) return;
    before.current ??= placeOf(element);
    const onSeek = () => {
      before.current = placeOf(element);
    };
    const onTime = () => {
      if (element.seeking || element.paused) return;
      const now = element.currentTime;
      const entered = enteredSegment(skip, before.current ?? now, now);
      before.current = now;
      if (!entered) return;
      element.currentTime = clampTime(entered.end, element.duration);
      announce(skippedText(entered));
    };
    element.addEventListener("seeking", onSeek);
    element.addEventListener("timeupdate", onTime);
    return () => {
      element.removeEventListener("seeking", onSeek);
      element.removeEventListener("timeupdate", onTime);
    };
  }, [video, isOn, skip, announce]);
}

/**
 * In the first half second the place is -1, so that an opening that begins at 0 is still ahead. The film may have begun
 * before the player, or with a seek over a gap.
 */
const placeOf = ({ currentTime }: HTMLVideoElement) => (currentTime < 0.5 ? -1 : currentTime);
