import type { ServerBuild } from "react-router";
import { clientContext } from "#app/http/context.server.ts";
import { describeApi } from "#app/http/openapi.server.ts";
import { ApiEntry } from "#app/ui/api/entry.tsx";
import { type Document, guideOf } from "#app/ui/api/guide.ts";
import { pageMeta } from "#app/ui/page-meta.ts";
import type { Route } from "./+types/api-guide";

export async function loader({ context }: Route.LoaderArgs) {
  // The build holds this route too, so it can only be asked for once it is complete.
  const build = (await import("virtual:react-router/server-build")) as ServerBuild;
  const { origin } = context.get(clientContext);
  return { origin, sections: guideOf(describeApi(build.routes, origin) as Document) };
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, {
    title: "API",
    description: "Every endpoint of this site: what it takes, what it answers, and a form to try it.",
    path: "/api",
  });

export default function ApiGuide({ loaderData: { origin, sections } }: Route.ComponentProps) {
  return (
    <div className="wrap page api-guide">
      <header className="page-head">
        <div>
          <h1>API</h1>
          <p className="lead">
            Every endpoint of this site. Programs read the same as <a href="/api/openapi.json">OpenAPI</a>.
            What belongs to a user needs the session cookie, or a token made in the settings.
          </p>
        </div>
      </header>
      <pre>{`curl '${origin}/api/animes/full?search_query=naruto&limit_count=3'
curl -H 'Authorization: Bearer TOKEN' '${origin}/api/user/watchList'`}</pre>
      <nav aria-label="Subjects" className="api-subjects">
        {sections.map(({ id, name }) => (
          <a className="chip" key={id} href={`#${id}`}>
            {name}
          </a>
        ))}
      </nav>
      {sections.map(({ id, name, entries }) => (
        <section key={id} aria-labelledby={id}>
          <h2 id={id}>{name}</h2>
          {entries.map((entry) => (
            <ApiEntry key={entry.id} entry={entry} />
          ))}
        </section>
      ))}
    </div>
  );
}
