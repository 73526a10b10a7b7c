import type { MouseEvent } from "react";
import { Form } from "react-router";
import { adminFilmsDecidePath } from "#app/admin-paths.ts";
import { isWholeRoot, pathEndOf } from "#app/domain/films/films.ts";
import { Link } from "#app/ui/link.tsx";
import { Poster } from "#app/ui/titles/poster.tsx";
import { IntentButton, RowButton } from "./intent-button.tsx";
import { selectionName, selectionValue } from "./selected-matches.ts";
import type { UndecidedFilmView, UndecidedFolderView } from "./undecided-view.server.ts";

/**
 * The films whose names do not identify a title for certain, folder by folder, each with its likely title and the
 * reason for the doubt. No button is filled, because nothing here is certain. The parts of one episode cannot be
 * confirmed one by one: they would compete for the same episode.
 */

type Props = {
  folders: readonly UndecidedFolderView[];
  shown: number;
  all: number;
  /** Videos whose files are still being copied. */
  waiting?: number;
  /** Videos that the next scan looks at, as after a decision was undone. */
  unjudged?: number;
  isAllSelected: boolean;
  /** The address of this page with all matches selected. */
  selectAllPath: string;
  /** The list is on the page Setup, and a title is chosen from there. */
  from?: "setup";
};

/** The form of the button that accepts the selected matches. The checkboxes lie outside of it, beside other forms. */
const acceptForm = "accept-matches";

export function FoldersToDecide({
  folders,
  shown,
  all,
  waiting = 0,
  unjudged = 0,
  isAllSelected,
  selectAllPath,
  from,
}: Props) {
  const acceptable = folders.flatMap(({ films }) => films.filter((film) => selectionValue(film) !== null));
  const emptyHeading = unjudged > 0 ? "Not looked at yet" : `Nothing to decide${waiting > 0 ? " yet" : ""}`;
  return (
    <section aria-labelledby="films">
      <h2 id="films">
        {all === 0 ? emptyHeading : `${all} to decide${shown < all ? `, showing the first ${shown}` : ""}`}
      </h2>
      {waiting > 0 ? (
        <p className="quiet">
          {waiting === 1
            ? "1 video just came. It is added once its whole file is here."
            : `${waiting.toLocaleString("en")} videos just came. Each is added once its whole file is here.`}
        </p>
      ) : (
        all === 0 &&
        unjudged === 0 && <p className="quiet">Each video has a title, is ignored, or is no episode.</p>
      )}
      {unjudged > 0 && (
        <p className="quiet">
          {unjudged === 1
            ? "1 video is looked at next. Then it has a title, or you decide."
            : `${unjudged.toLocaleString("en")} videos are looked at next. Then each has a title, or you decide.`}
        </p>
      )}
      {folders.map((folder) => (
        <Folder key={folder.folder} folder={folder} isAllSelected={isAllSelected} from={from} />
      ))}
      {acceptable.length > 0 && (
        <Form method="post" id={acceptForm} className="admin-accept">
          <IntentButton intent="accept" label="Accept the selected" />
          {acceptable.length > 1 && (
            <Link className="link" to={selectAllPath} onClick={selectAll} preventScrollReset>
              Select all {acceptable.length}
            </Link>
          )}
        </Form>
      )}
    </section>
  );
}

/** The browser can select all by itself. The server selects all only without scripts. */
function selectAll(event: MouseEvent) {
  event.preventDefault();
  for (const box of document.querySelectorAll<HTMLInputElement>(`[form="${acceptForm}"]`)) box.checked = true;
}

/** The reasons that all films of a folder have in common. The page shows them once. */
function sharedReasons(films: readonly UndecidedFilmView[]): readonly string[] {
  const [first, ...others] = films;
  return (first?.reasons ?? []).filter((reason) => others.every(({ reasons }) => reasons.includes(reason)));
}

type FolderProps = { folder: UndecidedFolderView; isAllSelected: boolean; from: Props["from"] };

function Folder({ folder: { folder, films, suggested }, isAllSelected, from }: FolderProps) {
  const isOneFolder = !isWholeRoot(folder);
  const label = folder === "" ? "Not in a folder" : folder;
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
            <Link
              className="button"
              data-kind="ghost"
              data-size="small"
              to={adminFilmsDecidePath({ folder, from })}
            >
              {suggested === null ? "Choose one title for all…" : "All are another title…"}
            </Link>
            <RowButton fields={{ folder }} intent="folder-ignore" label="Ignore the folder" about={label} />
          </>
        )}
      </div>
      <ul className="admin-films">
        {films.map((film) => (
          <Film key={film.id} film={film} shared={shared} isSelected={isAllSelected} from={from} />
        ))}
      </ul>
    </article>
  );
}

export const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
const sentences = (reasons: readonly string[]) => reasons.map(sentence).join(" ");

function Film({
  film,
  shared,
  isSelected,
  from,
}: {
  film: UndecidedFilmView;
  shared: readonly string[];
  isSelected: boolean;
  from: Props["from"];
}) {
  const { id, path, match } = film;
  const reasons = film.reasons.filter((reason) => !shared.includes(reason));
  const selection = selectionValue(film);
  const chooseLabel = match === null ? "Choose the title" : "Another title";
  const about = (
    <>
      {match !== null && <Poster malId={match.malId} drawnIn={match.drawnIn} sizes="48px" />}
      <span>
        <strong>{guessText(film)}</strong>
        <bdi className="admin-address">{pathEndOf(path)}</bdi>
        {reasons.length > 0 && <span className="quiet">{sentences(reasons)}</span>}
      </span>
    </>
  );
  return (
    <li>
      {selection === null ? (
        <p className="admin-match">{about}</p>
      ) : (
        <label className="admin-match">
          <input
            key={`${isSelected}`}
            type="checkbox"
            form={acceptForm}
            name={selectionName(film)}
            value={selection}
            defaultChecked={isSelected}
          />
          {about}
        </label>
      )}
      <div className="admin-folder-all">
        <Link
          className="button"
          data-kind="ghost"
          data-size="small"
          to={adminFilmsDecidePath({ film: id, from })}
          aria-label={`${chooseLabel}: ${pathEndOf(path)}`}
        >
          {chooseLabel}…
        </Link>
        {match !== null && (
          <RowButton
            fields={{ film: id, id: match.malId }}
            intent="not-title"
            label="Not this one"
            about={pathEndOf(path)}
          />
        )}
        <RowButton fields={{ film: id }} intent="ignore" label="Ignore" about={pathEndOf(path)} />
      </div>
    </li>
  );
}

/** "Perhaps Mushishi, episode 7", or the name that was read from the file. */
function guessText({ match, name, episode, lastEpisode, isSpecial, piece }: UndecidedFilmView): string {
  const numbers = isSpecial ? ", a special (no episode number)" : episodeText(episode, lastEpisode);
  if (match === null) return `No title found${name === "" ? "" : `: ${name}`}${numbers}`;
  return `Perhaps ${match.title}${numbers}${piece === null ? "" : `, part ${piece}`}`;
}

export function episodeText(first: number | null, last: number | null): string {
  if (first === null) return "";
  return last === null || last === first ? `, episode ${first}` : `, episodes ${first} to ${last}`;
}
