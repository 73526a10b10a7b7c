import { Link } from "react-router";
import { watchPath } from "#app/paths.ts";
import { InfoIcon, PlayIcon } from "#app/ui/icons/icons.tsx";
import { FilmsForMembers } from "#app/ui/titles/films-for-members.tsx";

/** In the place of the player, where an episode has no film. */

type NoSourceProps = {
  malId: number;
  episode: number;
  titlePath: string;
  isMember: boolean;
  watch: { label: string; path: string } | null;
  filmsNeedSignIn: boolean;
  isAway: boolean;
};

export function NoSource({
  malId,
  episode,
  titlePath,
  isMember,
  watch,
  filmsNeedSignIn,
  isAway,
}: NoSourceProps) {
  if (filmsNeedSignIn) return <FilmsForMembers path={watchPath(malId, episode)} />;
  return (
    <section className="notice watch-empty" aria-label="Video">
      <InfoIcon />
      <p>
        <b>{isAway ? "Not here at the moment" : "No video for this episode"}</b>
        {isAway
          ? "Its file is missing. When it is back, the episode can be watched again."
          : "This site has no source for it."}{" "}
        {isMember ? (
          "You can still mark it as seen, below."
        ) : (
          <>
            You can still <Link to={titlePath}>add the title to your list</Link> and record your progress.
          </>
        )}
      </p>
      {watch && (
        <Link className="button" data-kind="primary" to={watch.path}>
          <PlayIcon />
          {watch.label}
        </Link>
      )}
    </section>
  );
}
