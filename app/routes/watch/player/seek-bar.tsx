import { formatClock, spokenTimeText } from "./state/playback.ts";

type Props = { time: number; duration: number; buffered: number; onSeek(seconds: number): void };

/** A slider above two bars, which show the loaded and the played part. */
export function SeekBar({ time, duration, buffered, onSeek }: Props) {
  const length = Number.isFinite(duration) ? duration : 0;
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
      <input
        type="range"
        min={0}
        max={length}
        step="any"
        value={Math.min(time, length)}
        disabled={length === 0}
        aria-label="Position"
        aria-valuetext={`${spokenTimeText(time)} of ${spokenTimeText(length)}`}
        onChange={(event) => onSeek(Number(event.currentTarget.value))}
      />
    </div>
  );
}

export const Clock = ({ time, duration }: { time: number; duration: number }) => (
  <span className="player-clock">
    <span>{formatClock(time)}</span> <span>/ {formatClock(duration)}</span>
  </span>
);
