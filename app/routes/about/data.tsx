import { getVisit } from "#app/access/viewer.server.ts";
import {
  type DataSource,
  listCachedDataSources,
} from "#app/domain/catalog-sharing/catalog-sharing.server.ts";
import { commonViewer } from "#app/domain/visibility/visibility.server.ts";
import { aboutDataPath, apiGuidePath } from "#app/paths.ts";
import { countText } from "#app/platform/count-text.ts";
import { Link } from "#app/ui/link.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import type { Route } from "./+types/data";

export async function loader({ request, context }: Route.LoaderArgs) {
  const { viewer } = await getVisit(request, context);
  const sources = await listCachedDataSources(commonViewer(viewer));
  return { sources: sources.map(toView) };
}

function passedOnText({ mayShareTexts, mayShareIds }: Pick<DataSource, "mayShareTexts" | "mayShareIds">) {
  if (mayShareTexts) return "facts, texts and the addresses of pictures";
  return mayShareIds ? "facts, but neither texts nor the addresses of pictures" : "nothing";
}

/** A data source as the page shows it. */
const toView = ({ source, label, license, url, titles, texts, pictures, ...terms }: DataSource) => ({
  source,
  url,
  label: label[0]?.toUpperCase() + label.slice(1),
  license: license[0]?.toUpperCase() + license.slice(1),
  counts: [
    countText(titles, "title"),
    texts > 0 && `${countText(texts, "title")} with texts`,
    pictures > 0 && `${countText(pictures, "title")} with pictures`,
  ]
    .filter(Boolean)
    .join(", "),
  passedOn: passedOnText(terms),
});

export const meta: Route.MetaFunction = ({ matches }) =>
  htmlMeta(matches, {
    title: "Where the data comes from",
    description: "The sources of this catalog, their licenses, and what of them may be passed on.",
    path: aboutDataPath(),
  });

export default function AboutData({ loaderData: { sources } }: Route.ComponentProps) {
  return (
    <div className="wrap page about">
      <header className="page-head">
        <div>
          <h1>Where the data comes from</h1>
          <p className="lead">
            Where this site knows its titles from. Each field comes from the first source in this list that
            has it.
          </p>
        </div>
      </header>
      {sources.length === 0 ? (
        <p className="lead">The catalog is empty.</p>
      ) : (
        <ul className="about-sources">
          {sources.map((source) => (
            <li key={source.source}>
              <section aria-labelledby={source.source}>
                <h2 id={source.source}>{source.label}</h2>
                <p>
                  {source.license}.{" "}
                  {source.url !== null && (
                    <a href={source.url} rel="noreferrer">
                      Read more
                      <span className="visually-hidden"> about {source.label}</span>
                    </a>
                  )}
                </p>
                <p className="quiet">{source.counts}</p>
                <p className="quiet">Exports of this catalog contain {source.passedOn}.</p>
              </section>
            </li>
          ))}
        </ul>
      )}
      <p>
        Programs read the catalog through the <Link to={apiGuidePath()}>API</Link>.
      </p>
    </div>
  );
}
