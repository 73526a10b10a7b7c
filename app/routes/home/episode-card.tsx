import { Link } from "react-router";
import { PlayIcon } from "#app/ui/icons/icons.tsx";
import { Poster } from "#app/ui/titles/poster.tsx";

/** An episode to start or to continue. */
export type EpisodeTitle = {
  malId: number;
  /** The page that plays the episode, or that of a title without a film. */
  path: string;
  name: string;
  lang?: "ja";
  episode: number;
  episodeTitle: string | null;
  /** Why the member is shown the first episode. */
  isSequel?: boolean;
  /** The episode's still; without one the card shows the title's poster. */
  image: string | null;
  positionSeconds: number;
  durationSeconds: number | null;
};

const sizes = "(min-width: 1200px) 320px, (min-width: 600px) 40vw, 80vw";

function progressText({
  episode,
  episodeTitle,
  isSequel,
  positionSeconds,
  durationSeconds,
}: EpisodeTitle): string {
  const left =
    durationSeconds === null ? 0 : Math.max(1, Math.round((durationSeconds - positionSeconds) / 60));
  const parts = [
    isSequel && "Sequel",
    `Ep ${episode}`,
    positionSeconds === 0 && episodeTitle,
    left > 0 && (positionSeconds > 0 ? `${left} min left` : `${left} min`),
  ];
  return parts.filter(Boolean).join(" · ");
}

export function EpisodeCard({ title }: { title: EpisodeTitle }) {
  const { malId, path, name, lang, image, positionSeconds, durationSeconds } = title;
  return (
    <Link className="card" data-shape="wide" to={path}>
      <span className="card-name" lang={lang}>
        {name}
      </span>
      <span className="card-facts">{progressText(title)}</span>
      <div className="card-poster">
        {image === null ? (
          <>
            <Poster malId={malId} sizes="160px" />
            <Poster malId={malId} sizes={sizes} />
          </>
        ) : (
          <img src={image} width={640} height={360} alt="" loading="lazy" decoding="async" />
        )}
        <span className="card-play">
          <PlayIcon />
        </span>
        {positionSeconds > 0 && durationSeconds !== null && (
          <progress className="edge" value={positionSeconds} max={durationSeconds} aria-label="Seen" />
        )}
      </div>
    </Link>
  );
}
