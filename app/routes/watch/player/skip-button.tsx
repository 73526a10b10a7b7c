import { useEffect, useState } from "react";
import type { SkipSegment } from "#app/domain/catalog/catalog.ts";
import { focusPlayThen } from "./focus-play.ts";
import { segmentAt, skipLabel } from "./state/playback.ts";

type Props = { skip: readonly SkipSegment[]; time: number; isIdle: boolean; onSkip(): void };

const shownForMs = 8000;

/** Appears on its own when a segment begins. After a while it shows only together with the other controls. */
export function SkipButton({ skip, time, isIdle, onSkip }: Props) {
  const segment = segmentAt(skip, time);
  const [isFresh, setFresh] = useState(false);
  useEffect(() => {
    if (!segment) return;
    setFresh(true);
    const timer = setTimeout(() => setFresh(false), shownForMs);
    return () => clearTimeout(timer);
  }, [segment]);
  if (!segment || (isIdle && !isFresh)) return null;
  return (
    <button type="button" className="button player-skip" onClick={focusPlayThen(onSkip)}>
      {skipLabel(segment)}
    </button>
  );
}
