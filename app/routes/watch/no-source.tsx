import { watchPath } from "#app/paths.ts";
import { Wish, type WishView } from "#app/ui/forms/wish.tsx";
import { PlayIcon } from "#app/ui/icons/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { Backdrop } from "#app/ui/titles/backdrop.tsx";
import { FilmsForMembers, ListsForMembers } from "#app/ui/titles/films-for-members.tsx";
import { Poster } from "#app/ui/titles/poster.tsx";

/** Replaces the player when an episode has no film: shows what is known about the episode, and where to go instead. */

type NoSourceProps = {
  malId: number;
  episode: number;
  series: string;
  seriesLang?: "ja";
  isSingle: boolean;
  drawnIn?: "en";
  titlePath: string;
  isMember: boolean;
  isSeen: boolean;
  filmsNeedSignIn: boolean;
  watch?: { label: string; path: string } | null;
  isAway?: boolean;
  wish?: WishView | null;
  facts: readonly string[];
};

export function NoSource({ filmsNeedSignIn, ...page }: NoSourceProps) {
  const { malId, drawnIn, episode, series, seriesLang, isSingle, titlePath } = page;
  const { isMember, isSeen, watch, isAway, wish, facts } = page;
  const path = watchPath(malId, episode);
  if (filmsNeedSignIn) return <FilmsForMembers path={path} />;
  return (
    <section className="watch-stage" aria-label="Video">
      <Backdrop malId={malId} banner={null} />
      <Poster malId={malId} drawnIn={drawnIn} sizes="190px" loading="eager" />
      <div className="watch-stage-text">
        {facts.length > 0 && (
          <ul className="facts">
            {facts.map((fact) => (
              <li key={fact}>{fact}</li>
            ))}
          </ul>
        )}
        <p className="watch-stage-heading">
          {isAway && "Not here at the moment"}
          {!isAway && isSingle && (
            <>
              <span lang={seriesLang}>{series}</span> is not here yet
            </>
          )}
          {!isAway && !isSingle && `Episode ${episode} is not here yet`}
        </p>
        <p>
          {isAway
            ? "Its file is missing. When it is back, it can be watched again."
            : "This site has no video of it."}{" "}
          {isMember ? !isSeen && "You can still mark it as seen, below." : <ListsForMembers path={path} />}
        </p>
        <div className="watch-stage-actions">
          {watch && (
            <Link className="button" data-kind="glass" to={watch.path}>
              <PlayIcon />
              {watch.label}
            </Link>
          )}
          {wish && <Wish malId={malId} path={path} {...wish} />}
          <Link className="button" data-kind="glass" to={titlePath}>
            <span>
              All about <span lang={seriesLang}>{series}</span>
            </span>
          </Link>
        </div>
      </div>
    </section>
  );
}
