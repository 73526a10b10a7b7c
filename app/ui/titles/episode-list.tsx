import type { ReactNode } from "react";
import { watchPath } from "#app/paths.ts";
import { CheckIcon, PlayIcon } from "../icons/icons.tsx";
import { Link } from "../link.tsx";

export type EpisodeItem = {
  number: number;
  title: string | null;
  /** "4 April 1998 · 24 min" */
  note: string;
  isPlayable: boolean;
  isSeen: boolean;
  /** "12 min left" or "Not here yet"; "" for an episode that can be watched from its start. */
  state?: string;
  /** The path of the episode's picture. */
  still?: string | null;
};

type Props = {
  malId: number;
  episodes: readonly EpisodeItem[];
  /** The number of the episode that the viewer is watching. */
  current?: number;
  /**
   * Renders a picture before the name. It is passed in, so that visitors do not load it on pages without pictures of
   * episodes.
   */
  stillOf?: ((episode: EpisodeItem) => ReactNode) | undefined;
  /** Renders the button that ticks an episode, instead of the mark of a seen episode. */
  tickOf?: (episode: EpisodeItem) => ReactNode;
  /** Renders the button that ticks all episodes up to this one. A grid of numbers has no room for it. */
  upToOf?: (episode: EpisodeItem) => ReactNode;
};

export function EpisodeList({ malId, episodes, current, stillOf, tickOf, upToOf }: Props) {
  const isNumbersOnly = episodes.every(
    ({ title, note, isPlayable }) => title === null && note === "" && !isPlayable,
  );
  if (isNumbersOnly)
    return <EpisodeNumbers malId={malId} episodes={episodes} current={current} tickOf={tickOf} />;
  return (
    <ol className="episodes">
      {episodes.map((episode) => (
        <li key={episode.number} className="episode-line">
          {episode.isPlayable || current !== undefined ? (
            <Link
              className="episode"
              to={watchPath(malId, episode.number)}
              aria-current={episode.number === current ? "page" : undefined}
            >
              <EpisodeText episode={episode} hasTick={tickOf !== undefined} still={stillOf?.(episode)} />
            </Link>
          ) : (
            <div className="episode">
              <EpisodeText episode={episode} hasTick={tickOf !== undefined} still={stillOf?.(episode)} />
            </div>
          )}
          {upToOf?.(episode)}
          {tickOf?.(episode)}
        </li>
      ))}
    </ol>
  );
}

type NumbersProps = Pick<Props, "malId" | "episodes"> & {
  current: Props["current"] | undefined;
  tickOf: Props["tickOf"] | undefined;
};

const EpisodeNumbers = ({ malId, episodes, current, tickOf }: NumbersProps) => (
  <ol className="episode-numbers numeric">
    {episodes.map((episode) => (
      <li key={episode.number} data-seen={episode.isSeen || undefined}>
        {tickOf?.(episode) ??
          (current !== undefined ? (
            <Link
              to={watchPath(malId, episode.number)}
              aria-current={episode.number === current ? "page" : undefined}
            >
              <EpisodeNumber {...episode} />
            </Link>
          ) : (
            <EpisodeNumber {...episode} />
          ))}
      </li>
    ))}
  </ol>
);

const EpisodeNumber = ({ number, isSeen }: Pick<EpisodeItem, "number" | "isSeen">) => (
  <>
    <span className="visually-hidden">Episode </span>
    {number}
    {isSeen && <span className="visually-hidden"> watched</span>}
  </>
);

function EpisodeText({
  episode,
  hasTick,
  still,
}: {
  episode: EpisodeItem;
  hasTick: boolean;
  still: ReactNode;
}) {
  const { number, title, note, isPlayable, isSeen, state } = episode;
  const facts = [note, state].filter(Boolean).join(" · ");
  return (
    <>
      <span className="episode-number numeric" data-plain={title === null || undefined}>
        <span className={title === null ? undefined : "visually-hidden"}>Episode </span>
        {number}
      </span>
      {still}
      <span className="episode-text">
        {title !== null && <span className="episode-title">{title}</span>}
        {facts !== "" && <span className="quiet">{facts}</span>}
      </span>
      {isSeen && !hasTick && (
        <span className="episode-seen">
          <CheckIcon />
          <span className="visually-hidden">watched</span>
        </span>
      )}
      {isPlayable && (
        <span className="episode-play">
          <PlayIcon />
        </span>
      )}
    </>
  );
}
