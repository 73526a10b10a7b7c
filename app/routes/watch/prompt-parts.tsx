import { late } from "#app/ui/late.tsx";
import { lazyWithRetry } from "#app/ui/lazy-with-retry.tsx";
import { Link } from "#app/ui/link.tsx";

/** The prompts of the watch page after an episode. Their script is loaded when the episode ends. */

const prompts = () => import("./list-prompts.tsx");
export const ListNotice = late(() => prompts().then((part) => part.ListNoticePrompt));
export const EndCard = lazyWithRetry(
  () => prompts().then((part) => part.EndCardPrompt),
  "player-note",
  ({ series, seriesLang, titlePath, next }) => (
    <p className="player-note-buttons">
      <Link className="button" to={titlePath} lang={seriesLang}>
        {series}
      </Link>
      {next && (
        <Link className="button" data-kind="primary" to={next.path}>
          <span>
            Next: <span lang={next.lang}>{next.name}</span>
          </span>
        </Link>
      )}
    </p>
  ),
);
