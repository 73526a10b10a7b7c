import { PlayIcon } from "#app/ui/icons/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import type { EpisodeItem } from "#app/ui/titles/episode-list.tsx";
import { EpisodeStill } from "#app/ui/titles/episode-still.tsx";
import { Row } from "#app/ui/titles/row.tsx";

/** A tile without a picture shows the number. */
export type EpisodeTile = EpisodeItem & {
  path: string;
  isCurrent: boolean;
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

const Tile = ({ number, title, path, isCurrent, isPlayable, isSeen, still = null, ...of }: EpisodeTile) => (
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
      {of.duration !== undefined && !isSeen && (
        <progress className="edge" value={of.position} max={of.duration} aria-hidden="true" />
      )}
    </span>
    {title !== null && <span className="episode-title">{title}</span>}
    <span className="quiet">
      {[isCurrent && "This episode", [isSeen && "Seen", of.state].filter(Boolean).join(" · ") || of.note]
        .filter(Boolean)
        .join(" · ")}
    </span>
  </Link>
);
