import { PlayIcon } from "#app/ui/icons/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { EpisodeStill } from "#app/ui/titles/episode-still.tsx";
import { Row } from "#app/ui/titles/row.tsx";

export type EpisodeTile = {
  number: number;
  title: string | null;
  path: string;
  isCurrent: boolean;
  isPlayable: boolean;
  /** "Seen", "12 min left", "Not here yet", or the date and length. */
  state: string;
  /** The path of the episode's picture. A tile without one shows the number. */
  still: string | null;
  /** Set if the viewer stopped in the middle. */
  position?: number;
  duration?: number;
};

/** The episodes around the one that is being watched, below the film. */
export const EpisodeRow = ({ episodes }: { episodes: readonly EpisodeTile[] }) => (
  <Row title="Episodes" shape="wide">
    {episodes.map((episode) => (
      <li key={episode.number}>
        <Tile {...episode} />
      </li>
    ))}
  </Row>
);

const Tile = ({ number, title, path, isCurrent, isPlayable, state, still, ...place }: EpisodeTile) => (
  <Link className="episode-tile" to={path} aria-current={isCurrent ? "page" : undefined}>
    <span className="episode-tile-picture">
      <span className="episode-tile-number numeric">
        <span className="visually-hidden">Episode </span>
        {number}
      </span>
      <EpisodeStill still={still} />
      {isPlayable && !isCurrent && (
        <span className="episode-tile-play">
          <PlayIcon />
        </span>
      )}
      {place.duration !== undefined && (
        <progress className="edge" value={place.position} max={place.duration} aria-hidden="true" />
      )}
    </span>
    {title !== null && <span className="episode-title">{title}</span>}
    <span className="quiet">{isCurrent ? ["This episode", state].filter(Boolean).join(" · ") : state}</span>
  </Link>
);
