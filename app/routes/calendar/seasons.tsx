import { data, Form, redirect } from "react-router";
import { getVisit } from "#app/access/viewer.server.ts";
import {
  type AnimeSeason,
  firstDayOf,
  seasonAt,
  seasonLabel,
  shiftSeason,
} from "#app/domain/calendar/calendar.ts";
import { listSeasons, listTitles } from "#app/domain/catalog/catalog.server.ts";
import { type Order, seasons, type Title } from "#app/domain/catalog/catalog.ts";
import { findCardStates } from "#app/domain/discovery/discovery.server.ts";
import type { Viewer } from "#app/domain/visibility/visibility.server.ts";
import { kept } from "#app/http/pipeline/kept-pages.server.ts";
import { seasonPath, seasonsPath } from "#app/paths.ts";
import { toTitleCard, withListStatus } from "#app/routes/views/title-views.server.ts";
import { ChoiceSelect } from "#app/ui/forms/choice-select.tsx";
import { LeftIcon, RightIcon } from "#app/ui/icons/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { CardGrid, type CardTitle } from "#app/ui/titles/card.tsx";
import type { Route } from "./+types/seasons";

/** More titles than begin or continue in any season. */
const perPage = 1000;

/** The formats in the order in which people look for them. */
const parts: readonly { name: string; types: readonly (Title["type"] | null)[] }[] = [
  { name: "Television", types: ["TV"] },
  { name: "Movies", types: ["Movie"] },
  { name: "Web", types: ["ONA"] },
  { name: "OVA and specials", types: ["OVA", "Special", "TV Special"] },
  { name: "Music and more", types: ["Music", "CM", "PV", null] },
];

/** The sort orders by their names in addresses. */
const orders: Record<string, { order: Order; label: string }> = {
  popular: { order: "popularity", label: "Most popular" },
  score: { order: "score", label: "Best rated" },
  newest: { order: "newest", label: "Newest" },
  title: { order: "title_asc", label: "Title A–Z" },
};
const defaultSort = "popular";

function sortIn({ searchParams }: URL): string {
  const sort = searchParams.get("sort") ?? "";
  return Object.hasOwn(orders, sort) ? sort : defaultSort;
}

type NamedSeason = { year?: string | null | undefined; season?: string | null | undefined };

function seasonOf(params: NamedSeason): AnimeSeason | null {
  const season = seasons.find((name) => name.toLowerCase() === params.season?.toLowerCase());
  const year = Number(params.year);
  return season !== undefined && Number.isInteger(year) && year >= 1900 && year <= 2200
    ? { season, year }
    : null;
}

/**
 * The season and the order that the address names. Other spellings, and the form's query, redirect to the canonical
 * address.
 */
function requireSeason(params: Route.LoaderArgs["params"], url: URL) {
  const sort = sortIn(url);
  const pathOf = (season: AnimeSeason) => seasonPath(season) + queryOf(sort);
  if (params.year === undefined) {
    const asked = { year: url.searchParams.get("year"), season: url.searchParams.get("season") };
    throw redirect(pathOf(seasonOf(asked) ?? seasonAt(new Date())));
  }
  const season = seasonOf(params);
  if (season === null) throw data(null, { status: 404 });
  if (String(season.year) !== params.year || season.season.toLowerCase() !== params.season)
    throw redirect(pathOf(season), 301);
  return { season, sort };
}

const queryOf = (sort: string) => (sort === defaultSort ? "" : `?sort=${sort}`);

const isOf = ({ season, year }: AnimeSeason, title: Title) => title.season === season && title.year === year;

function toParts(cards: readonly CardTitle[], begun: ReadonlySet<number>) {
  const ofTypes = (types: readonly (Title["type"] | null)[]) =>
    cards.filter(({ malId, type }) => begun.has(malId) && types.includes(type as Title["type"]));
  const continuing = cards.filter(({ malId }) => !begun.has(malId));
  return [
    ...parts.map(({ name, types }) => ({ name, titles: ofTypes(types) })),
    { name: "Continuing from earlier seasons", titles: continuing },
  ].filter(({ titles }) => titles.length > 0);
}

export const middleware: Route.MiddlewareFunction[] = [
  kept({ year: "first", season: "first", sort: "first" }),
];

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { season, sort } = requireSeason(params, new URL(request.url));
  const { user, preferences, viewer } = await getVisit(request, context);
  const order = orders[sort]?.order ?? "popularity";
  const filters = { seasons: [season.season], years: [season.year], continuedOn: firstDayOf(season) };
  const { titles } = await listTitles({ filters, order, perPage }, viewer);
  const all = titles.map((title) => toTitleCard(title, preferences.titleLanguage));
  const ids = titles.map((title) => title.malId);
  const cardStates = await findCardStates(user, ids, viewer);
  const cards = withListStatus(all, cardStates, preferences.scoreFormat);
  const begun = new Set(titles.filter((title) => isOf(season, title)).map(({ malId }) => malId));
  return {
    season,
    total: begun.size,
    sort,
    pickers: await pickersFor(viewer, season),
    isNow: seasonPath(season) === seasonPath(seasonAt(new Date())),
    parts: toParts(cards, begun),
  };
}

/** The choices of the page: the years that have titles, the seasons and the orders. */
async function pickersFor(viewer: Viewer, { year }: AnimeSeason) {
  const years = new Set((await listSeasons(viewer)).map((one) => one.year));
  years.add(year);
  return {
    years: [...years].sort((a, b) => b - a).map((one) => [`${one}`, `${one}`] as const),
    seasons: seasons.map((name) => [name.toLowerCase(), name] as const),
    sorts: Object.entries(orders).map(([value, { label }]) => [value, label] as const),
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
  const { season, total, isNow, sort, pickers, parts: shown } = loaderData;
  const query = queryOf(sort);
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
          <Link className="button" data-size="small" to={seasonPath(previous) + query} rel="prev">
            <LeftIcon />
            {seasonLabel(previous)}
          </Link>
          <Link className="button" data-size="small" to={seasonPath(next) + query} rel="next">
            {seasonLabel(next)}
            <RightIcon />
          </Link>
        </nav>
      </header>
      <Form className="season-form" method="get" action={seasonsPath()}>
        <ChoiceSelect
          label="Season"
          name="season"
          chosen={season.season.toLowerCase()}
          choices={pickers.seasons}
          isInstant
        />
        <ChoiceSelect label="Year" name="year" chosen={`${season.year}`} choices={pickers.years} isInstant />
        <ChoiceSelect label="Sort by" name="sort" chosen={sort} choices={pickers.sorts} isInstant />
        <button className="button no-script-only" data-size="small" type="submit">
          Show
        </button>
      </Form>
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
