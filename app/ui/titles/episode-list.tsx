import { Link } from "react-router";
import { watchPath } from "#app/paths.ts";
import { CheckIcon, PlayIcon } from "../icons/icons.tsx";
import { Pager } from "../pager.tsx";

export type EpisodeItem = {
  number: number;
  title: string | null;
  /** "4 April 1998 · 24 min" */
  note: string;
  isPlayable: boolean;
  isSeen: boolean;
};

type Props = {
  malId: number;
  episodes: readonly EpisodeItem[];
  /** The number of the episode that is being watched. */
  current?: number;
  page: number;
  lastPage: number;
  pathOf?: (page: number) => string;
};

export function EpisodeList({ malId, episodes, current, ...pages }: Props) {
  const isNumbersOnly = episodes.every(
    ({ title, note, isPlayable }) => title === null && note === "" && !isPlayable,
  );
  if (isNumbersOnly)
    return (
      <>
        <ol className="episode-numbers numeric">
          {episodes.map(({ number, isSeen }) => (
            <li key={number} data-seen={isSeen || undefined}>
              <span className="visually-hidden">Episode </span>
              {number}
              {isSeen && <span className="visually-hidden"> watched</span>}
            </li>
          ))}
        </ol>
        <Pager {...pages} parameter="episodes" />
      </>
    );
  return (
    <>
      <ol className="episodes">
        {episodes.map((episode) => (
          <li key={episode.number}>
            {episode.isPlayable ? (
              <Link
                className="episode"
                to={watchPath(malId, episode.number)}
                aria-current={episode.number === current ? "page" : undefined}
              >
                <EpisodeText episode={episode} />
              </Link>
            ) : (
              <div className="episode">
                <EpisodeText episode={episode} />
              </div>
            )}
          </li>
        ))}
      </ol>
      <Pager {...pages} parameter="episodes" />
    </>
  );
}

function EpisodeText({ episode }: { episode: EpisodeItem }) {
  const { number, title, note, isPlayable, isSeen } = episode;
  return (
    <>
      <span className="episode-number numeric">
        <span className="visually-hidden">Episode </span>
        {number}
      </span>
      <span className="episode-text">
        <span className="episode-title">{title ?? `Episode ${number}`}</span>
        {note !== "" && <span className="quiet">{note}</span>}
      </span>
      {isSeen && (
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
