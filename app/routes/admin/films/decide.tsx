import { data, Form } from "react-router";
import { operatorPage } from "#app/access/guards/guard.server.ts";
import { memberTitleLanguage } from "#app/access/viewer.server.ts";
import { adminFilmsPath, adminSetupPath } from "#app/admin-paths.ts";
import { suggestTitles } from "#app/domain/catalog/catalog.server.ts";
import { displayTitle } from "#app/domain/catalog/catalog.ts";
import { findFilmsToDecide, findTitleInNotes } from "#app/domain/scanning/scanning.server.ts";
import { catalogKeeper } from "#app/domain/visibility/visibility.server.ts";
import { firstLocalMalId } from "#app/domain/visibility/visibility.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { countText } from "#app/platform/count-text.ts";
import { Link } from "#app/ui/link.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { AdminField, AdminPage } from "../admin-page.tsx";
import { episodeText } from "../folders-to-decide.tsx";
import type { Route } from "./+types/decide";

/**
 * Finds the title of one film, or of all films of a folder, by its name. The forms post to the page whose list led here:
 * the media folder, or the setup.
 */

export const middleware: Route.MiddlewareFunction[] = [sameOriginPage, operatorPage];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "Choose a title", description: "Which title a video or a folder belongs to." });

const maxQueryLength = 200;

export async function loader({ request, url, context }: Route.LoaderArgs) {
  const language = memberTitleLanguage(request, context);
  const film = url.searchParams.get("film");
  const folder = url.searchParams.get("folder");
  const about: { film: string } | { folder: string } = film !== null ? { film } : { folder: folder ?? "" };
  const from = url.searchParams.get("from") === "setup" ? ("setup" as const) : undefined;
  const films = await findFilmsToDecide(about);
  if (films === null) throw data("There is no such video", { status: 404 });
  const query = (url.searchParams.get("q") ?? films[0]?.name ?? "").slice(0, maxQueryLength);
  const suggestions = query.trim() === "" ? [] : (await suggestTitles(query, catalogKeeper)).suggestions;
  const [first] = films;
  return {
    nameInNotes: first === undefined ? null : await findTitleInNotes(first.path).catch(() => null),
    about,
    from,
    back: from === "setup" ? adminSetupPath({ step: "found" }) : adminFilmsPath(),
    films: films.map(({ path, name, episode, lastEpisode }) => ({
      path,
      name,
      episode,
      lastEpisode,
      // Formatted in the loader. In the component, the page would load another page's script for it.
      numbers: episodeText(episode, lastEpisode),
    })),
    query,
    found: suggestions.map(({ title, title: { malId, type, year, episodes }, matched }) => ({
      malId,
      title: displayTitle(title, language),
      matched,
      episodes,
      facts: [
        type,
        year,
        episodes === null ? null : countText(episodes, "episode"),
        isLocalId(malId) ? "of this site" : null,
      ].filter((fact) => fact !== null),
    })),
  };
}

const isLocalId = (malId: number) => malId >= firstLocalMalId;

type Data = Route.ComponentProps["loaderData"];

export default function Decide({ loaderData }: Route.ComponentProps) {
  const { about, from, back, films, query, found, nameInNotes } = loaderData;
  const isFilm = "film" in about;
  return (
    <AdminPage
      title="Choose a title"
      lead={
        isFilm
          ? "Which title this video belongs to."
          : "Which title all videos of this folder belong to, also those that come later."
      }
    >
      <ul>
        {films.map(({ path, numbers }) => (
          <li key={path} className="admin-address">
            <bdi>{path}</bdi>
            {numbers}
          </li>
        ))}
      </ul>
      <Form method="get" className="admin-line">
        <input type="hidden" name={isFilm ? "film" : "folder"} value={isFilm ? about.film : about.folder} />
        {from && <input type="hidden" name="from" value={from} />}
        <AdminField label="Name of the title" name="q" value={query} isWide />
        <button className="button" type="submit">
          Search
        </button>
      </Form>
      {found.length === 0 && (
        <p>
          The catalog has no such title.{" "}
          <Link className="link" to={adminSetupPath({ step: "catalog" })}>
            Import a larger catalog
          </Link>
          , or make a title below.
        </p>
      )}
      {found.map((title) => (
        <Choice key={title.malId} title={title} about={about} film={films[0]} back={back} />
      ))}
      <NewTitle about={about} film={films[0]} back={back} name={nameInNotes ?? films[0]?.name ?? ""} />
      <p>
        <Link className="button" data-kind="ghost" to={back}>
          Cancel
        </Link>
      </p>
    </AdminPage>
  );
}

type AboutProps = {
  about: Data["about"];
  film: Data["films"][number] | undefined;
  /** The number of the title's episodes. */
  episodes?: number | null;
};
type FormProps = AboutProps & { back: string };

/** Makes a local title, which only this site has, for a film that is in no catalog. */
function NewTitle({ about, film, back, name }: FormProps & { name: string }) {
  return (
    <section aria-labelledby="new-title">
      <h2 id="new-title">In no catalog</h2>
      <p>
        Make a title that only this site has. Members find and watch it. When the catalog has it, turn it into
        that one on the page Titles.
      </p>
      <Form method="post" action={back} className="admin-line" aria-label="A title of this site">
        <AdminField label="Name of the new title" name="name" value={name} isWide />
        <Numbers about={about} film={film} />
        <button
          className="button"
          type="submit"
          name="intent"
          value={"film" in about ? "local-title" : "folder-local-title"}
        >
          Make the title
        </button>
      </Form>
    </section>
  );
}

/** The fields for the episode number of a film, or for the numbers of a folder's films. */
function Numbers({ about, film, episodes = null }: AboutProps) {
  if ("folder" in about)
    return (
      <>
        <input type="hidden" name="folder" value={about.folder} />
        <div className="field" data-short>
          <label>
            <span>Add to each episode number</span>
            <input className="input" name="shift" type="number" defaultValue={0} />
          </label>
        </div>
      </>
    );
  const { episode, lastEpisode } = film ?? { episode: null, lastEpisode: null };
  // The number in the file's name may count from another season on.
  const isInTitle = (lastEpisode ?? episode ?? 1) <= (episodes ?? Infinity);
  return (
    <>
      <input type="hidden" name="film" value={about.film} />
      <AdminField
        label="Episode"
        name="episode"
        type="number"
        value={isInTitle ? (episode ?? 1) : null}
        max={episodes ?? undefined}
      />
      <AdminField
        label="to"
        name="last"
        type="number"
        value={isInTitle ? lastEpisode : null}
        max={episodes ?? undefined}
        isOptional
      />
    </>
  );
}

type ChoiceProps = FormProps & { title: Data["found"][number] };

function Choice({ title: { malId, title, matched, episodes, facts }, about, film, back }: ChoiceProps) {
  const isFilm = "film" in about;
  return (
    <Form method="post" action={back} className="admin-line admin-choice" aria-label={title}>
      <p>
        <strong>{title}</strong>
        {matched !== title && ` (${matched})`}
        <br />
        <span className="quiet">{facts.join(" · ")}</span>
      </p>
      <input type="hidden" name="id" value={malId} />
      <Numbers about={about} film={film} episodes={episodes} />
      <button
        className="button"
        data-kind="ghost"
        type="submit"
        name="intent"
        value={isFilm ? "title" : "folder-title"}
      >
        {isFilm ? "It is this title" : "All are this title"}
      </button>
      {isFilm && (
        <button className="button" data-kind="ghost" type="submit" name="intent" value="special">
          It is a special of this title
        </button>
      )}
    </Form>
  );
}
