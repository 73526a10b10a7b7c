import { PlayIcon } from "#app/ui/icons/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { Poster } from "#app/ui/titles/poster.tsx";
import { type EpisodeTitle, progressText, RemoveFromHome } from "./episode-card.tsx";

/** The episode that a member most likely wants now. The whole card is one link, so one press plays it. */
export function GoOn({ title }: { title: EpisodeTitle }) {
  const { malId, path, name, lang, image, drawnIn, positionSeconds, durationSeconds } = title;
  return (
    <section className="go-on" aria-label="Go on" data-poster={image === null || undefined}>
      <Link className="go-on-card" to={path}>
        <div className="go-on-picture">
          {image === null ? (
            <Poster
              malId={malId}
              drawnIn={drawnIn}
              sizes="(min-width: 720px) 220px, 112px"
              loading="eager"
              priority
            />
          ) : (
            <img src={image} width={640} height={360} alt="" fetchPriority="high" />
          )}
        </div>
        <div className="go-on-text">
          <h2 className="kicker">Continue watching</h2>
          <h3 lang={lang}>{name}</h3>
          <p className="go-on-facts">{progressText(title)}</p>
          {positionSeconds > 0 && durationSeconds !== null && (
            <progress value={positionSeconds} max={durationSeconds} aria-hidden="true" />
          )}
          <span className="button" data-kind="primary">
            <PlayIcon />
            {positionSeconds > 0 ? "Continue" : "Watch"}
          </span>
        </div>
      </Link>
      <RemoveFromHome title={title} from="Continue watching" />
    </section>
  );
}
