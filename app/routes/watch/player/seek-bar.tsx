import { type PointerEvent, useState } from "react";
import type { Chapter } from "#app/domain/playback/playback.ts";
import { chapterAt, chapterName, formatClock, spokenTimeText } from "./state/playback.ts";

type Props = {
  time: number;
  duration: number;
  buffered: number;
  chapters: readonly Chapter[];
  onSeek(seconds: number): void;
};

/** A slider above two bars, which show the loaded and the played part, with a mark where each chapter begins. */
export function SeekBar({ time, duration, buffered, chapters, onSeek }: Props) {
  const length = Number.isFinite(duration) ? duration : 0;
  const [pointedAt, setPointedAt] = useState<number | null>(null);
  const here = chapterAt(chapters, time);
  const pointed = pointedAt === null ? undefined : chapterAt(chapters, pointedAt);
  const onPoint = ({ nativeEvent: { offsetX }, currentTarget }: PointerEvent<HTMLInputElement>) =>
    setPointedAt((offsetX / Math.max(1, currentTarget.clientWidth)) * length);
  return (
    <div className="player-seek">
      <progress
        className="player-loaded"
        value={Math.min(buffered, length)}
        max={length || 1}
        aria-hidden="true"
      />
      <progress
        className="player-played"
        value={Math.min(time, length)}
        max={length || 1}
        aria-hidden="true"
      />
      {length > 0 && chapters.length > 1 && <ChapterMarks chapters={chapters} length={length} />}
      {pointedAt !== null && length > 0 && (
        <PointedTime share={pointedAt / length}>
          {[formatClock(pointedAt), pointed && chapterName(pointed)].filter(Boolean).join(" ")}
        </PointedTime>
      )}
      <input
        type="range"
        min={0}
        max={length}
        step="any"
        value={Math.min(time, length)}
        disabled={length === 0}
        aria-label="Position"
        aria-valuetext={[`${spokenTimeText(time)} of ${spokenTimeText(length)}`, here && chapterName(here)]
          .filter(Boolean)
          .join(", ")}
        onChange={(event) => onSeek(Number(event.currentTarget.value))}
        onPointerMove={onPoint}
        onPointerLeave={() => setPointedAt(null)}
      />
    </div>
  );
}

/**
 * The time above the pointer, kept within the ends of the bar. Drawn as SVG, because the page's policy forbids style
 * attributes.
 */
function PointedTime({ share, children }: { share: number; children: string }) {
  const anchor = share < 0.15 ? "start" : share > 0.85 ? "end" : "middle";
  return (
    <svg className="player-pointed" aria-hidden="true">
      <text x={`${share * 100}%`} y="16" textAnchor={anchor}>
        {children}
      </text>
    </svg>
  );
}

const marksWidth = 1000;

function ChapterMarks({ chapters, length }: { chapters: readonly Chapter[]; length: number }) {
  return (
    <svg
      className="player-marks"
      viewBox={`0 0 ${marksWidth} 1`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {chapters
        .filter(({ start }) => start > 0 && start < length)
        .map(({ start }) => (
          <rect key={start} x={(start / length) * marksWidth} width={2} height={1} />
        ))}
    </svg>
  );
}

/** The name of the current chapter, in the space between the buttons. */
export function ChapterName({ chapters, time }: { chapters: readonly Chapter[]; time: number }) {
  const here = chapterAt(chapters, time);
  return <span className="player-gap">{here && chapterName(here)}</span>;
}

export const Clock = ({ time, duration }: { time: number; duration: number }) => (
  <span className="player-clock">
    <span>{formatClock(time)}</span> <span>/ {formatClock(duration)}</span>
  </span>
);
