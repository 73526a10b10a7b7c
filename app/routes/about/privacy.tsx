import { getVisit } from "#app/access/viewer.server.ts";
import { cacheHeaders, noStore } from "#app/http/cache-policy.server.ts";
import { aboutDataPath, aboutPrivacyPath } from "#app/paths.ts";
import { Link } from "#app/ui/link.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import type { Route } from "./+types/privacy";
import { listOutgoingData } from "./outgoing-data.server.ts";

export const headers = () => cacheHeaders(noStore);
export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, {
    title: "Privacy",
    description: "What this site sends to other servers, and when.",
    path: aboutPrivacyPath(),
  });

/** Operators see the names of servers too. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { user } = await getVisit(request, context);
  return { outgoing: await listOutgoingData({ showsHosts: user?.role === "operator" }) };
}

export default function Privacy({ loaderData: { outgoing } }: Route.ComponentProps) {
  return (
    <div className="wrap page about">
      <header className="page-head">
        <div>
          <h1>Privacy</h1>
          <p className="lead">
            What this site sends to other servers, and when. The list follows the settings of this site.
          </p>
        </div>
      </header>
      <ul className="about-sources">
        {outgoing.map(({ what, when }) => (
          <li key={what}>
            <p>{what}</p>
            <p className="quiet">{when}</p>
          </li>
        ))}
      </ul>
      <section aria-labelledby="nothing">
        <h2 id="nothing">Nothing else</h2>
        <p>
          No statistics, no search for updates, no advertising, and no script, font or picture that your
          browser loads from somewhere else. Lists, histories and resume points stay in the database of this
          site. Logs contain no network addresses, e-mail addresses or searches.
        </p>
        <p>
          In the settings, you can download or delete what the site knows about you.{" "}
          <Link to={aboutDataPath()}>Where the data about titles comes from</Link>
        </p>
      </section>
    </div>
  );
}
