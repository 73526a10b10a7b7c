import { Link } from "react-router";
import type { ListedFilm } from "#app/domain/streaming/streaming.ts";
import { adminEpisodePath } from "#app/paths.ts";
import { AdminTable } from "./admin-page.tsx";

/** The registered films, those that came last first, with how each of them plays. */

type Props = { films: readonly ListedFilm[]; all: number; unread: number };

export function FilmList({ films, all, unread }: Props) {
  if (films.length === 0) return null;
  return (
    <section aria-labelledby="registered">
      <h2 id="registered">
        {all} registered{films.length < all && `, showing the last ${films.length}`}
      </h2>
      {unread > 0 && <p className="quiet">The site is reading what they hold: {unread} to go.</p>}
      <AdminTable label="Registered films" columns={["Episode", "File", "Plays", "Does not play in"]}>
        {films.map(({ malId, title, episode, url, tracks, ...film }) => (
          <tr key={`${malId} ${episode} ${url}`}>
            <td>
              <Link className="link" to={adminEpisodePath({ id: malId, episode })}>
                {title}, episode {episode}
              </Link>
            </td>
            <td className="admin-address">{url}</td>
            <td>{film.plays}</td>
            <td>{film.reason ?? missingText(tracks)}</td>
          </tr>
        ))}
      </AdminTable>
    </section>
  );
}

/** Each track that some browser lacks, without saying one twice. */
function missingText(tracks: ListedFilm["tracks"]): string {
  const lacked = tracks.filter(({ missingIn }) => missingIn !== null);
  const texts = lacked.map(({ kind, label, missingIn }) => `${kind} (${label}): ${missingIn}`);
  return texts.length === 0 ? "–" : [...new Set(texts)].join("; ");
}
