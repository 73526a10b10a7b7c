import { Form } from "react-router";
import { adminEpisodePath } from "#app/admin-paths.ts";
import { videoText } from "#app/domain/films/films.ts";
import type { FilmReport, ListedFilm } from "#app/domain/playback/playback.ts";
import { countText } from "#app/platform/count-text.ts";
import { Link } from "#app/ui/link.tsx";
import { AdminTable, StackedCell, StackedRow } from "./admin-page.tsx";
import { IntentButton } from "./intent-button.tsx";

/** The tracks of an episode's films, and the browsers that do not play them. */

const playsTexts: Record<FilmReport["plays"], string> = {
  packaged:
    "The picture and the sound stay as they are. Only what a browser cannot play is converted for it.",
  converted: "The player of this site gets it converted; other players get the file as it is.",
  "as it is": "Players get the file as it is.",
  nowhere: "It plays in no browser. The player says so, with a link to the file.",
  "not read yet":
    "The site has not read it yet. It does so soon, unless its file is missing or cannot be read.",
};

const shortTexts: Record<FilmReport["plays"], string> = {
  packaged: "unconverted where possible",
  converted: "converted",
  "as it is": "as it is",
  nowhere: "nowhere",
  "not read yet": "not read yet",
};

export function FilmReports({ films }: { films: readonly FilmReport[] }) {
  if (films.length === 0) return null;
  return (
    <section aria-labelledby="films">
      <h2 id="films">What the files contain</h2>
      {films.map((film) => (
        <FilmTracks key={film.url} film={film} />
      ))}
    </section>
  );
}

function FilmTracks({ film: { filmId, url, plays, reason, tracks, chapters, fonts } }: { film: FilmReport }) {
  const name = videoText(url);
  const extras = [count(chapters, "chapter"), count(fonts, "font")].filter((text) => text !== null);
  return (
    <>
      <h3 className="admin-address">{name}</h3>
      <p>{[playsTexts[plays], reason].filter(Boolean).join(" ")}</p>
      {tracks.length > 0 && (
        <AdminTable label={`Tracks of ${name}`} columns={["Track", "What it is", "Does not play in"]}>
          {tracks.map(({ kind, label, missingIn }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the tracks of a film keep their order
            <tr key={index}>
              <td>{kind}</td>
              <td>{label}</td>
              <td>{missingIn ?? "–"}</td>
            </tr>
          ))}
        </AdminTable>
      )}
      {extras.length > 0 && <p className="quiet">Also in the file: {extras.join(", ")}.</p>}
      {filmId !== null && (
        <Form method="post" preventScrollReset>
          <input type="hidden" name="film" value={filmId} />
          <IntentButton intent="hide-film" label="Hide from everybody" about={name} />
        </Form>
      )}
    </>
  );
}

const count = (number: number, name: string) => (number === 0 ? null : countText(number, name));

type ListProps = { films: readonly (ListedFilm & { isSingle?: boolean })[]; all: number; unread: number };

/** The registered films, newest first, with how each of them plays. */
export function FilmList({ films, all, unread }: ListProps) {
  if (films.length === 0) return null;
  return (
    <section aria-labelledby="registered">
      <h2 id="registered">
        {countText(all, "video")} added
        {films.length < all && `, showing the last ${films.length}`}
      </h2>
      {unread > 0 && <p className="quiet">The site is reading what they contain: {unread} to go.</p>}
      <AdminTable isStacked label="Added videos" columns={["Episode", "File", "Plays", "Does not play in"]}>
        {films.map(({ malId, title, isSingle = false, episode, url, tracks, ...film }) => (
          <StackedRow key={`${malId} ${episode} ${url}`}>
            <StackedCell>
              <Link className="link" to={adminEpisodePath({ id: malId, episode })}>
                {isSingle ? title : `${title}, episode ${episode}`}
              </Link>
            </StackedCell>
            <StackedCell className="admin-address">{videoText(url)}</StackedCell>
            <StackedCell data-heading="Plays">{shortTexts[film.plays]}</StackedCell>
            <StackedCell data-heading="Does not play in">{film.reason ?? missingText(tracks)}</StackedCell>
          </StackedRow>
        ))}
      </AdminTable>
    </section>
  );
}

/** Lists each track that some browser does not play, without repeats. */
function missingText(tracks: ListedFilm["tracks"]): string {
  const lacked = tracks.filter(({ missingIn }) => missingIn !== null);
  const texts = lacked.map(({ kind, label, missingIn }) => `${kind} (${label}): ${missingIn}`);
  return texts.length === 0 ? "–" : [...new Set(texts)].join("; ");
}
