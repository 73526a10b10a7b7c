import { Form } from "react-router";
import { useFocusPassedOn } from "#app/ui/forms/focus-passed-on.ts";
import { CloseIcon, PlayIcon } from "#app/ui/icons/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { Poster } from "#app/ui/titles/poster.tsx";

/** An episode to start or to continue. */
export type EpisodeTitle = {
  malId: number;
  /** The page that plays the episode. */
  path: string;
  name: string;
  lang?: "ja";
  drawnIn?: "en";
  /** Null for the only episode of a title, as a movie has. */
  episode: number | null;
  episodeTitle: string | null;
  /** Whether the card says that the episode is the first one of the next title in the story. */
  isNextPart?: boolean;
  /**
   * The path of the episode's still. A card without one shows the poster and the number. If the still cannot be loaded,
   * the card shows the name alone.
   */
  image: string | null;
  positionSeconds: number;
  durationSeconds: number | null;
};

export function progressText({
  episode,
  episodeTitle,
  isNextPart,
  positionSeconds,
  durationSeconds,
}: EpisodeTitle): string {
  const left =
    durationSeconds === null ? 0 : Math.max(1, Math.round((durationSeconds - positionSeconds) / 60));
  const parts = [
    isNextPart && "Next part",
    episode !== null && `Ep ${episode}`,
    positionSeconds === 0 && episodeTitle,
    left > 0 && (positionSeconds > 0 ? `${left} min left` : `${left} min`),
  ];
  return parts.filter(Boolean).join(" · ");
}

export function EpisodeCard({ title }: { title: EpisodeTitle }) {
  const { malId, path, name, lang, drawnIn, image, positionSeconds, durationSeconds } = title;
  return (
    <Link className="card" data-shape="wide" to={path}>
      <span className="card-name" lang={lang}>
        {name}
      </span>
      <span className="card-facts">{progressText(title)}</span>
      <div className="card-poster">
        {image === null && <Poster malId={malId} drawnIn={drawnIn} sizes="160px" />}
        <span className="card-drawn" lang={lang} aria-hidden="true">
          {image === null ? title.episode !== null && `Ep ${title.episode}` : name}
        </span>
        {image !== null && (
          <img
            className="card-still"
            src={image}
            width={640}
            height={360}
            alt=""
            loading="lazy"
            decoding="async"
          />
        )}
        <span className="card-play">
          <PlayIcon />
        </span>
        {positionSeconds > 0 && durationSeconds !== null && (
          <progress className="edge" value={positionSeconds} max={durationSeconds} aria-hidden="true" />
        )}
      </div>
    </Link>
  );
}

/** Removes the card until the member continues the title. */
export const RemoveFromHome = ({
  title: { malId, name },
  from,
}: {
  title: { malId: number; name: string };
  from: string;
}) => (
  <Form ref={useFocusPassedOn<HTMLFormElement>()} method="post" preventScrollReset>
    <input type="hidden" name="mal_id" value={malId} />
    <input type="hidden" name="place" value="continue" />
    <button
      className="card-bookmark"
      type="submit"
      name="intent"
      value="dismiss"
      aria-label={`Remove ${name} from ${from}`}
    >
      <CloseIcon />
    </button>
  </Form>
);
