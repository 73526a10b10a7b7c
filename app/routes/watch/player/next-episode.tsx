import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useNavigation } from "react-router";
import type { SkipSegment } from "#app/domain/catalog/catalog.ts";
import { countText } from "#app/platform/count-text.ts";
import { CloseIcon } from "#app/ui/icons/icons.tsx";
import { useSiteData } from "#app/ui/shell/site.ts";
import { focusOverFilm, focusPlayThen } from "./focus-play.ts";
import { type EpisodeLink, endingAt } from "./state/playback.ts";
import { asksBeforeNext, countBegunAlone } from "./untouched.ts";

/** The next episode: offered during the ending, and begun at the end. */

const countdownSeconds = 8;

type UpNextProps = {
  next: EpisodeLink;
  /** Whether the next episode begins by itself. */
  playsNext: boolean;
  onGo(): void;
  /** Receives a text for screen readers when the card appears. */
  onShown(text: string): void;
};

/** The card of the next episode at the end of the film. */
export function NextEpisode({ next, playsNext, onGo, onShown }: UpNextProps) {
  const [left, setLeft] = useState(countdownSeconds);
  const [isCancelled, setCancelled] = useState(false);
  const isChild = useSiteData().user?.isChild === true;
  const [isAsking] = useState(() => playsNext && asksBeforeNext(isChild));
  const go = useRef(onGo);
  go.current = onGo;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => focusOverFilm(button.current), []);
  const startsAlone = playsNext && !isAsking;
  const counts = startsAlone && !isCancelled;
  const isLeaving = useNavigation().state !== "idle";
  // The seconds are announced once: a status that counts would interrupt every second.
  useEffect(() => {
    const starts = `${next.name} starts in ${countText(countdownSeconds, "second")}`;
    const offered = isAsking ? "Are you still watching?" : `Next episode: ${next.name}`;
    onShown(`The episode is over. ${startsAlone ? starts : offered}`);
  }, [next.name, startsAlone, isAsking, onShown]);
  // The start of the next episode would end the loading of a page that the viewer has asked for. A layout effect ends the
  // timer before the page shows the load.
  useLayoutEffect(() => {
    if (!counts || isLeaving) return;
    if (left === 0) {
      countBegunAlone();
      return go.current();
    }
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [left, counts, isLeaving]);
  if (isCancelled) return null;
  return (
    <section className="player-note player-next" aria-label="Next episode">
      <div className="player-next-card">
        <img src={next.picture} data-poster={next.isPoster || undefined} width={320} height={180} alt="" />
        <div className="player-next-text">
          <p className="player-coming-kind">{isAsking ? "Are you still watching?" : "Next episode"}</p>
          <p className="player-note-title">{next.name}</p>
          {counts && (
            <>
              <p>Starts in {countText(left, "second")}</p>
              <progress value={countdownSeconds - left} max={countdownSeconds} aria-hidden="true" />
            </>
          )}
          <p className="player-note-buttons">
            <button ref={button} type="button" className="button" data-kind="primary" onClick={onGo}>
              {isAsking ? "Go on" : "Play now"}
            </button>
            <button type="button" className="button" onClick={focusPlayThen(() => setCancelled(true))}>
              Cancel
            </button>
          </p>
        </div>
      </div>
    </section>
  );
}

type ComingNextProps = {
  next: EpisodeLink;
  skip: readonly SkipSegment[];
  time: number;
  onGo(): void;
};

/**
 * A card in a corner while the ending plays. It never starts the next episode by itself, since some viewers like the
 * ending.
 */
export function ComingNext({ next, skip, time, onGo }: ComingNextProps) {
  const [isHidden, setHidden] = useState(false);
  if (isHidden || !endingAt(skip, time)) return null;
  return (
    <section className="player-coming" aria-label="Coming next">
      <button type="button" className="player-coming-go" onClick={onGo}>
        <img src={next.picture} data-poster={next.isPoster || undefined} width={128} height={72} alt="" />
        <span>
          <span className="player-coming-kind">Next episode</span>
          <span className="player-coming-name">{next.name}</span>
        </span>
      </button>
      <button
        type="button"
        className="player-button"
        aria-label="Hide the next episode"
        onClick={focusPlayThen(() => setHidden(true))}
      >
        <CloseIcon />
      </button>
    </section>
  );
}
