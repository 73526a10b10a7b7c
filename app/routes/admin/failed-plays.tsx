import { Form, Link } from "react-router";
import { findSignUpState } from "#app/domain/accounts/accounts.server.ts";
import { findFullCatalogOffer } from "#app/domain/feeds/feeds.server.ts";
import { listFailedPlays } from "#app/domain/streaming/streaming.server.ts";
import { operatorPage } from "#app/http/access/guard.server.ts";
import { adminEpisodePath } from "#app/paths.ts";
import { timeAgoText } from "#app/ui/date-format.server.ts";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import type { Route } from "./+types/failed-plays";
import { AdminField, AdminPage, AdminTable } from "./admin-page.tsx";
import { findDiskWarning } from "./disk-warning.server.ts";
import { FullCatalog } from "./full-catalog.tsx";

export const middleware: Route.MiddlewareFunction[] = [operatorPage];
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, { title: "Failed plays", description: "Episodes that failed to play, newest first." });

const maxPlays = 200;

export async function loader() {
  const now = new Date();
  const [plays, diskWarning, offer, { warning: signUpWarning }] = await Promise.all([
    listFailedPlays(maxPlays),
    findDiskWarning(),
    findFullCatalogOffer(),
    findSignUpState(),
  ]);
  return {
    signUpWarning,
    diskWarning,
    offer,
    plays: plays.map(({ at, ...play }) => ({ ...play, ago: timeAgoText(at, now) })),
  };
}

export default function FailedPlays({
  loaderData: { plays, diskWarning, signUpWarning, offer },
}: Route.ComponentProps) {
  return (
    <AdminPage
      title="Failed plays"
      lead="Episodes that failed to play, newest first. The list does not record who watched."
    >
      {diskWarning && <p className="admin-warning">{diskWarning}</p>}
      {signUpWarning && <p className="admin-warning">{signUpWarning}.</p>}
      {offer && <FullCatalog host={offer.host} />}
      <Form method="get" action={adminEpisodePath()} className="admin-line">
        <AdminField label="Title id" name="id" type="number" />
        <AdminField label="Episode" name="episode" type="number" value={1} />
        <button className="button" type="submit">
          Open episode
        </button>
      </Form>
      <section aria-labelledby="plays">
        <h2 id="plays">{plays.length === maxPlays ? `The newest ${maxPlays}` : "All failed plays"}</h2>
        {plays.length === 0 ? (
          <p className="lead">No episode has failed to play.</p>
        ) : (
          <AdminTable label="Failed plays" columns={["When", "Title", "Episode", "Reason", "Source"]}>
            {plays.map(({ id, ago, malId, title, episode, reason, source }) => (
              <tr key={id}>
                <td>{ago}</td>
                <td className="admin-address">{title}</td>
                <td className="numeric">
                  <Link
                    className="link"
                    to={adminEpisodePath({ id: malId, episode })}
                    aria-label={`${title}, episode ${episode}`}
                  >
                    {episode}
                  </Link>
                </td>
                <td>{reason}</td>
                <td className="admin-address">{source ?? "–"}</td>
              </tr>
            ))}
          </AdminTable>
        )}
      </section>
    </AdminPage>
  );
}
