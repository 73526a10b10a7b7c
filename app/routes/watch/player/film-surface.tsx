import { type MouseEvent, type PointerEvent, useEffect, useRef } from "react";
import { Button } from "./control-bar.tsx";
import { BackTenIcon, ForwardTenIcon } from "./player-icons.tsx";
import type { Command } from "./state/player-keys.ts";

const doubleTapMs = 300;

type Props = { isIdle: boolean; run(command: Command): void };

/**
 * Lets a click on the film pause it. A tap with a finger while the controls are hidden only shows them, and two taps on
 * a side of the film jump. Keyboards and screen readers have the buttons instead.
 */
export function FilmSurface({ isIdle, run }: Props) {
  const press = useRef({ isTouch: false, showsControls: false });
  const lastTap = useRef<{ at: number; side: Command | null }>({ at: 0, side: null });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const onDown = ({ pointerType }: PointerEvent) => {
    press.current = { isTouch: pointerType === "touch", showsControls: isIdle };
  };
  const onTap = ({ currentTarget, clientX, timeStamp }: MouseEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const side = sideOf((clientX - left) / width);
    const isSecond = side === lastTap.current.side && timeStamp - lastTap.current.at < doubleTapMs;
    lastTap.current = { at: timeStamp, side };
    clearTimeout(timer.current);
    if (side !== null && isSecond) return run(side);
    if (press.current.showsControls) return;
    // A second tap on this side may follow. It must not find the film paused by the first one.
    timer.current = setTimeout(() => run("toggle-play"), side === null ? 0 : doubleTapMs);
  };
  return (
    <button
      type="button"
      className="player-surface"
      tabIndex={-1}
      aria-hidden="true"
      // In the capture phase: the same press wakes the controls, and `onDown` has to see whether they were hidden.
      onPointerDownCapture={onDown}
      onClick={(event) => (press.current.isTouch ? onTap(event) : run("toggle-play"))}
      onDoubleClick={() => press.current.isTouch || run("fullscreen")}
    />
  );
}

/** Taps on the left and the right third of the film jump. */
const sideOf = (share: number): Command | null =>
  share < 1 / 3 ? "back-10" : share > 2 / 3 ? "forward-10" : null;

export const JumpButtons = ({ run }: Pick<Props, "run">) => (
  <div className="player-jumps">
    <Button name="Back 10 seconds" onPress={() => run("back-10")}>
      <BackTenIcon />
    </Button>
    <Button name="Forward 10 seconds" onPress={() => run("forward-10")}>
      <ForwardTenIcon />
    </Button>
  </div>
);
