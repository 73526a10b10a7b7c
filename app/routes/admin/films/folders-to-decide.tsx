import { Form } from "react-router";
import { adminFilmsDecidePath } from "#app/admin-paths.ts";
import { isWholeRoot } from "#app/domain/films/films.ts";
import type { OpenFilm, OpenFolder } from "#app/domain/scanning/scanning.ts";
import { Link } from "#app/ui/link.tsx";
import { IntentButton, RowButton } from "../intent-button.tsx";

/**
 * The films whose names do not identify a title for certain, folder by folder, each with its likely title and the
 * reason for the doubt. No button is filled, because nothing here is certain. The parts of one episode cannot be
 * confirmed one by one: they would compete for the same episode.
 */

type Props = { folders: readonly OpenFolder[]; shown: number; all: number };

export function FoldersToDecide({ folders, shown, all }: Props) {
  return (
    <section aria-labelledby="films">
      <h2 id="films">
        {all === 0
          ? "Nothing to decide"
          : `${all} to decide${shown < all ? `, showing the first ${shown}` : ""}`}
      </h2>
      {all === 0 && (
        <p className="quiet">
          Each video that a scan has looked at has a title, is ignored, or is no episode.
        </p>
      )}
      {folders.map((folder) => (
        <Folder key={folder.folder} {...folder} />
      ))}
    </section>
  );
}

const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1);

/** The reasons that all films of a folder have in common. The page shows them once. */
function sharedReasons(films: readonly OpenFilm[]): readonly string[] {
  const [first, ...others] = films;
  return (first?.reasons ?? []).filter((reason) => others.every(({ reasons }) => reasons.includes(reason)));
}

function Folder({ folder, films, suggested }: OpenFolder) {
  const isOneFolder = !isWholeRoot(folder);
  const label = folder === "" ? "The folder of films itself" : folder;
  const shared = films.length > 1 ? sharedReasons(films) : [];
  return (
    <article className="admin-folder" aria-label={label}>
      <h3 className="admin-address">
        <bdi>{label}</bdi>
      </h3>
      {shared.length > 0 && <p className="quiet">{sentences(shared)}</p>}
      <div className="admin-folder-all">
        {suggested !== null && isOneFolder && (
          <Form method="post" preventScrollReset>
            <input type="hidden" name="folder" value={folder} />
            <input type="hidden" name="id" value={suggested.malId} />
            <button
              className="button"
              data-kind="ghost"
              data-size="small"
              type="submit"
              name="intent"
              value="folder-title"
            >
              All are {suggested.title}
            </button>
          </Form>
        )}
        {isOneFolder && (
          <>
            <Link className="link" to={adminFilmsDecidePath({ folder })}>
              All are another title…
            </Link>
            <RowButton fields={{ folder }} intent="folder-ignore" label="Ignore the folder" about={label} />
          </>
        )}
      </div>
      <ul className="admin-films">
        {films.map((film) => (
          <Film key={film.id} film={film} shared={shared} />
        ))}
      </ul>
    </article>
  );
}

const sentences = (reasons: readonly string[]) =>
  reasons.map((reason) => `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`).join(" ");

function Film({ film, shared }: { film: OpenFilm; shared: readonly string[] }) {
  const { id, path, match, name, episode, lastEpisode, isSpecial, piece } = film;
  const numbers = isSpecial ? ", a special (no episode number)" : episodeText(episode, lastEpisode);
  const reasons = film.reasons.filter((reason) => !shared.includes(reason));
  return (
    <li>
      <p className="admin-address">
        <bdi>{nameOf(path)}</bdi>
      </p>
      <p>
        {match ? (
          <>
            Perhaps {match.title}
            {numbers}
            {piece !== null && `, part ${piece}`}
          </>
        ) : (
          <>
            No title found{name !== "" && `: ${name}`}
            {numbers}
          </>
        )}
      </p>
      {reasons.length > 0 && <p className="quiet">{sentences(reasons)}</p>}
      <div className="admin-folder-all">
        {match && (
          <Form method="post" preventScrollReset>
            <input type="hidden" name="film" value={id} />
            <input type="hidden" name="id" value={match.malId} />
            {isSpecial ? (
              <IntentButton intent="special" label="It is a special" about={nameOf(path)} />
            ) : (
              <>
                <input type="hidden" name="episode" value={episode ?? 1} />
                {lastEpisode !== null && <input type="hidden" name="last" value={lastEpisode} />}
                {piece === null && <IntentButton intent="title" label="Yes" about={nameOf(path)} />}
              </>
            )}
            <IntentButton intent="not-title" label="Not this one" about={nameOf(path)} />
          </Form>
        )}
        <Link
          className="link"
          to={adminFilmsDecidePath({ film: id })}
          aria-label={`Choose the title: ${nameOf(path)}`}
        >
          Choose…
        </Link>
        <RowButton fields={{ film: id }} intent="ignore" label="Ignore" about={nameOf(path)} />
      </div>
    </li>
  );
}

export function episodeText(first: number | null, last: number | null): string {
  if (first === null) return "";
  return last === null || last === first ? `, episode ${first}` : `, episodes ${first} to ${last}`;
}
