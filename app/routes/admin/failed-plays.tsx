import { Form, Link } from "react-router";
import { listFailedPlays } from "#app/domain/streaming/streaming.server.ts";
import { operatorPage } from "#app/http/guard.server.ts";
import { AdminPage, episodePath, Field, Table } from "#app/ui/admin/admin-page.tsx";
import { agoWords } from "#app/ui/moments.ts";
import { pageMeta } from "#app/ui/page-meta.ts";
import type { Route } from "./+types/failed-plays";

export const middleware: Route.MiddlewareFunction[] = [operatorPage];
export const headers = () => ({ "Cache-Control": "private, no-store" });
export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: "Failed plays", description: "What did not play, newest first." });

const shown = 200;

export async function loader() {
  const now = new Date();
  const plays = await listFailedPlays(shown);
  return { plays: plays.map(({ at, ...play }) => ({ ...play, ago: agoWords(at, now) })) };
}

export default function FailedPlays({ loaderData: { plays } }: Route.ComponentProps) {
  return (
    <AdminPage title="Failed plays" lead="What did not play, newest first. Nobody's name is kept with it.">
      <Form method="get" action="/admin/episode" className="admin-line">
        <Field label="Title id" name="id" type="number" />
        <Field label="Episode" name="episode" type="number" value={1} />
        <button className="button" type="submit">
          Open episode
        </button>
      </Form>
      <section aria-labelledby="plays">
        <h2 id="plays">Newest {plays.length === shown ? shown : ""}</h2>
        {plays.length === 0 ? (
          <p className="lead">Nothing has failed to play.</p>
        ) : (
          <Table label="Failed plays" columns={["When", "Title", "Episode", "Reason", "Source"]}>
            {plays.map(({ id, ago, malId, title, episode, reason, source }) => (
              <tr key={id}>
                <td>{ago}</td>
                <td className="admin-address">{title}</td>
                <td className="numeric">
                  <Link
                    className="link"
                    to={episodePath(malId, episode)}
                    aria-label={`${title}, episode ${episode}`}
                  >
                    {episode}
                  </Link>
                </td>
                <td>{reason}</td>
                <td className="admin-address">{source ?? "–"}</td>
              </tr>
            ))}
          </Table>
        )}
      </section>
    </AdminPage>
  );
}
