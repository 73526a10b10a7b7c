import { data, Link, redirect } from "react-router";
import { getVisit } from "#app/api/access/viewer.server.ts";
import { type AnimeSeason, seasonAt, seasonLabel, shiftSeason } from "#app/domain/calendar/calendar.ts";
import { listTitles } from "#app/domain/catalog/catalog.server.ts";
import { seasons, type Title } from "#app/domain/catalog/catalog.ts";
import { findCardStates } from "#app/domain/discovery/discovery.server.ts";
import { seasonPath } from "#app/paths.ts";
import { LeftIcon, RightIcon } from "#app/ui/icons/icons.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { CardGrid } from "#app/ui/titles/card.tsx";
import { toTitleCard, withListStatus } from "#app/ui/titles/title-views.server.ts";
import type { Route } from "./+types/seasons";

/** More titles than any season has. */
const perPage = 400;

/** The formats in the order in which people look for them. */
const parts: readonly { name: string; types: readonly (Title["type"] | null)[] }[] = [
  { name: "Television", types: ["TV"] },
  { name: "Films", types: ["Movie"] },
  { name: "Web", types: ["ONA"] },
  { name: "OVA and specials", types: ["OVA", "Special", "TV Special"] },
  { name: "Music and more", types: ["Music", "CM", "PV", null] },
];

function seasonOf(params: Route.LoaderArgs["params"]): AnimeSeason | null {
  const season = seasons.find((name) => name.toLowerCase() === params.season?.toLowerCase());
  const year = Number(params.year);
  return season !== undefined && year >= 1900 && year <= 2200 ? { season, year } : null;
}

export async function loader({ request, params, context }: Route.LoaderArgs) {
  if (params.year === undefined) throw redirect(seasonPath(seasonAt(new Date())));
  const season = seasonOf(params);
  if (season === null) throw data(null, { status: 404 });
  if (String(season.year) !== params.year || season.season.toLowerCase() !== params.season)
    throw redirect(seasonPath(season), 301);
  const { user, preferences, viewer } = await getVisit(request, context);
  const filters = { seasons: [season.season], years: [season.year] };
  const { titles, total } = await listTitles({ filters, order: "popularity", perPage }, viewer);
  const all = titles.map((title) => toTitleCard(title, preferences.titleLanguage));
  const ids = titles.map((title) => title.malId);
  const cardStates = await findCardStates(user?.id ?? null, ids, viewer);
  const cards = withListStatus(all, cardStates, preferences.scoreFormat);
  return {
    season,
    total,
    isNow: seasonPath(season) === seasonPath(seasonAt(new Date())),
    parts: parts
      .map(({ name, types }) => ({
        name,
        titles: cards.filter(({ type }) => types.includes(type as Title["type"])),
      }))
      .filter(({ titles }) => titles.length > 0),
  };
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData
    ? htmlMeta(matches, {
        title: `${seasonLabel(loaderData.season)} anime`,
        description: `Every anime of ${seasonLabel(loaderData.season)}: ${loaderData.total} titles, the best known first.`,
        path: seasonPath(loaderData.season),
      })
    : [];

export default function Seasons({ loaderData }: Route.ComponentProps) {
  const { season, total, isNow, parts: shown } = loaderData;
  const previous = shiftSeason(season, -1);
  const next = shiftSeason(season, 1);
  return (
    <div className="wrap page">
      <header className="page-head">
        <div>
          <h1>{seasonLabel(season)}</h1>
          <p className="lead numeric">
            {total === 1 ? "1 title" : `${total} titles`}
            {isNow && ", this season"}
          </p>
        </div>
        <nav className="season-nav" aria-label="Seasons">
          <Link className="button" data-size="small" to={seasonPath(previous)} rel="prev">
            <LeftIcon />
            {seasonLabel(previous)}
          </Link>
          <Link className="button" data-size="small" to={seasonPath(next)} rel="next">
            {seasonLabel(next)}
            <RightIcon />
          </Link>
        </nav>
      </header>
      {shown.length === 0 && (
        <div className="empty">
          <h2>No titles yet</h2>
          <p className="lead">The catalog has no title of this season.</p>
        </div>
      )}
      {shown.map(({ name, titles }, index) => (
        <section className="season-part" key={name} aria-label={name}>
          <h2>
            {name}
            <span className="quiet numeric">{titles.length}</span>
          </h2>
          <CardGrid titles={titles} label={name} eager={index === 0 ? 6 : 0} />
        </section>
      ))}
    </div>
  );
}
