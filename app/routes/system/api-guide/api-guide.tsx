import type { ServerBuild } from "react-router";
import { clientContext } from "#app/http/context.server.ts";
import { describeApi } from "#app/http/endpoint/openapi.server.ts";
import { cachedPage } from "#app/http/pipeline/cached-pages.server.ts";
import { apiGuidePath, jikanOpenapiPath, jikanPath, openapiPath } from "#app/paths.ts";
import { env } from "#app/platform/process/env.server.ts";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { aboutApi } from "../api-info.server.ts";
import type { Route } from "./+types/api-guide";
import { ApiEndpoint } from "./api-endpoint.tsx";
import { type ApiDocument, toGuideSections } from "./guide.server.ts";

export const middleware: Route.MiddlewareFunction[] = [cachedPage({})];

export async function loader({ context }: Route.LoaderArgs) {
  // Imported at request time: the build contains this route, so it is not complete while this module loads.
  const build = (await import("virtual:react-router/server-build")) as ServerBuild;
  const { origin } = context.get(clientContext);
  return {
    origin,
    hasJikan: env.JIKAN_API,
    sections: toGuideSections(describeApi(build.routes, aboutApi, origin) as ApiDocument),
  };
}

export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, {
    title: "API",
    description: "Every endpoint of this site: what it takes, what it answers, and a form to try it.",
    path: apiGuidePath(),
  });

export default function ApiGuide({ loaderData: { origin, hasJikan, sections } }: Route.ComponentProps) {
  return (
    <div className="wrap page api-guide">
      <header className="page-head">
        <div>
          <h1>API</h1>
          <p className="lead">
            Every endpoint of this site, for programs also as <a href={openapiPath()}>OpenAPI</a>. Endpoints
            for a user's own data need the session cookie or an access token from the settings.
          </p>
          {hasJikan && (
            <p className="lead">
              Clients of Jikan v4 read this catalog at{" "}
              <code>
                {origin}
                {jikanPath()}
              </code>
              ; <a href={jikanOpenapiPath()}>its own OpenAPI document</a> lists what it answers.
            </p>
          )}
        </div>
      </header>
      <pre>{`curl '${origin}/api/animes/full?search_query=naruto&limit_count=3'
curl -H 'Authorization: Bearer TOKEN' '${origin}/api/user/watchList'`}</pre>
      <nav aria-label="Subjects" className="chips">
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
            <ApiEndpoint key={entry.id} entry={entry} />
          ))}
        </section>
      ))}
    </div>
  );
}
