import { data, Form, redirect } from "react-router";
import { getVisit } from "#app/access/viewer.server.ts";
import {
  type AnimeSeason,
  firstDayOf,
  seasonAt,
  seasonLabel,
  shiftSeason,
} from "#app/domain/calendar/calendar.ts";
import { listSeasons, listTitles, seasonOfTitle } from "#app/domain/catalog/catalog.server.ts";
import { type Order, seasons, type Title } from "#app/domain/catalog/catalog.ts";
import { getTitleStates } from "#app/domain/library/library.server.ts";
import type { Viewer } from "#app/domain/visibility/visibility.server.ts";
import { cachedPage } from "#app/http/pipeline/cached-pages.server.ts";
import { seasonPath, seasonsPath, withQuery } from "#app/paths.ts";
import { countText } from "#app/platform/count-text.ts";
import { lastPageOf } from "#app/platform/numbered-pages.ts";
import { noTitleText } from "#app/routes/views/nothing-here.server.ts";
import { toTitleCard, withListStatus } from "#app/routes/views/title-views.server.ts";
import { ChoiceSelect } from "#app/ui/forms/choice-select.tsx";
import { LeftIcon, RightIcon } from "#app/ui/icons/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { CardGrid } from "#app/ui/titles/card.tsx";
import type { Route } from "./+types/seasons";
import { CalendarTabs } from "./calendar-tabs.tsx";

/** More titles than begin or continue in any season. */
const perSeason = 1000;
const perPage = 36;

/** The formats in the order in which people look for them. */
const parts: readonly { slug: string; name: string; types: readonly (Title["type"] | null)[] }[] = [
  { slug: "tv", name: "Television", types: ["TV"] },
  { slug: "movies", name: "Movies", types: ["Movie"] },
  { slug: "web", name: "Web", types: ["ONA"] },
  { slug: "specials", name: "OVA and specials", types: ["OVA", "Special", "TV Special"] },
  { slug: "more", name: "Music and more", types: ["Music", "CM", "PV", null] },
];

const continuing = "continuing";
const partSlugs = [...parts.map(({ slug }) => slug), continuing];

/** The sort orders by their names in addresses. */
const orders: Record<string, { order: Order; label: string }> = {
  popular: { order: "popularity", label: "Most popular" },
  score: { order: "score", label: "Best rated" },
  newest: { order: "newest", label: "Newest" },
  title: { order: "title_asc", label: "Title A–Z" },
};
const defaultSort = "popular";

/** `part`: the part that the page shows alone. */
type Choice = { sort: string; part: string | null };

function choiceIn({ searchParams }: URL): Choice {
  const sort = searchParams.get("sort") ?? "";
  return {
    sort: Object.hasOwn(orders, sort) ? sort : defaultSort,
    part: partSlugs.find((slug) => slug === searchParams.get("part")) ?? null,
  };
}

const pathOf = (season: AnimeSeason, { sort, part }: Choice) =>
  withQuery(seasonPath(season), {
    ...(sort !== defaultSort && { sort }),
    ...(part !== null && { part }),
  });

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
  const choice = choiceIn(url);
  if (params.year === undefined) {
    const named = { year: url.searchParams.get("year"), season: url.searchParams.get("season") };
    throw redirect(pathOf(seasonOf(named) ?? seasonAt(new Date()), choice));
  }
  const season = seasonOf(params);
  if (season === null) throw data(null, { status: 404 });
  if (String(season.year) !== params.year || season.season.toLowerCase() !== params.season)
    throw redirect(pathOf(season, choice), 301);
  return { season, ...choice };
}

function isOf({ season, year }: AnimeSeason, title: Title) {
  const own = seasonOfTitle(title);
  return own?.season === season && own.year === year;
}

function toParts(season: AnimeSeason, titles: readonly Title[]) {
  const begun = titles.filter((title) => isOf(season, title));
  return [
    ...parts.map(({ slug, name, types }) => ({
      slug,
      name,
      titles: begun.filter(({ type }) => types.includes(type)),
    })),
    {
      slug: continuing,
      name: "Continuing from earlier seasons",
      titles: titles.filter((title) => !isOf(season, title)),
    },
  ].filter((part) => part.titles.length > 0);
}

/** The titles of one page: those of the chosen part, or of all parts one after the other. */
function toPage(all: ReturnType<typeof toParts>, part: Choice["part"], url: URL) {
  const chosen = all.find(({ slug }) => slug === part);
  const shown = chosen ? [chosen] : all;
  const total = shown.reduce((sum, { titles }) => sum + titles.length, 0);
  const lastPage = lastPageOf(total, perPage);
  const requestedPage = Math.trunc(Number(url.searchParams.get("page"))) || 1;
  const page = Math.min(lastPage, Math.max(1, requestedPage));
  let skipped = (page - 1) * perPage;
  let room = perPage;
  const onPage = shown.map((part) => {
    const titles = part.titles.slice(skipped, skipped + room);
    skipped = Math.max(0, skipped - part.titles.length);
    room -= titles.length;
    return { ...part, titles, count: part.titles.length };
  });
  return { chosen, page, lastPage, onPage: onPage.filter(({ titles }) => titles.length > 0) };
}

export const middleware: Route.MiddlewareFunction[] = [
  cachedPage({ year: "first", season: "first", sort: "first", part: "first", page: "first" }),
];

export async function loader({ request, params, context, url }: Route.LoaderArgs) {
  const { season, sort, part: askedPart } = requireSeason(params, url);
  const { user, preferences, viewer } = await getVisit(request, context);
  const order = orders[sort]?.order ?? "popularity";
  const filters = {
    seasons: [season.season],
    years: [season.year],
    seasonsByFirstDay: true,
    continuedOn: firstDayOf(season),
  };
  const { titles } = await listTitles({ filters, order, perPage: perSeason }, viewer);
  const all = toParts(season, titles);
  const { chosen, page, lastPage, onPage } = toPage(all, askedPart, url);
  const ids = onPage.flatMap((part) => part.titles.map(({ malId }) => malId));
  const cardStates = await getTitleStates(user?.id ?? null, ids);
  const toCards = (some: readonly Title[]) =>
    withListStatus(
      some.map((title) => toTitleCard(title, preferences.titleLanguage)),
      cardStates,
      preferences.scoreFormat,
    );
  return {
    season,
    total: titles.filter((title) => isOf(season, title)).length,
    part: chosen?.slug ?? null,
    page,
    lastPage,
    choices: all.map((part) => ({ slug: part.slug, name: part.name, count: part.titles.length })),
    sort,
    pickers: await pickersFor(viewer, season),
    isNow: seasonPath(season) === seasonPath(seasonAt(new Date())),
    emptyText: titles.length === 0 ? await noTitleText("of this season", user) : null,
    parts: onPage.map(({ name, count, titles: some }) => ({ name, count, titles: toCards(some) })),
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
        description: `Every anime of ${seasonLabel(loaderData.season)}: ${countText(loaderData.total, "title")}, the best known first.`,
        path: seasonPath(loaderData.season),
      })
    : [];

export default function Seasons({ loaderData }: Route.ComponentProps) {
  const { season, total, isNow, sort, part, pickers, parts: shown } = loaderData;
  const previous = shiftSeason(season, -1);
  const next = shiftSeason(season, 1);
  return (
    <div className="wrap page">
      <CalendarTabs />
      <header className="page-head">
        <div>
          <h1>{seasonLabel(season)}</h1>
          <p className="lead numeric">
            {countText(total, "title")}
            {isNow && ", this season"}
          </p>
        </div>
        <nav className="season-nav" aria-label="Seasons">
          <Link className="button" data-size="small" to={pathOf(previous, { sort, part })} rel="prev">
            <LeftIcon />
            {seasonLabel(previous)}
          </Link>
          <Link className="button" data-size="small" to={pathOf(next, { sort, part })} rel="next">
            {seasonLabel(next)}
            <RightIcon />
          </Link>
        </nav>
      </header>
      <Form className="season-form" method="get" action={seasonsPath()}>
        {part !== null && <input type="hidden" name="part" value={part} />}
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
      {loaderData.emptyText !== null && (
        <div className="empty">
          <h2>No titles here</h2>
          <p className="lead">{loaderData.emptyText}</p>
        </div>
      )}
      {loaderData.choices.length > 1 && <PartLinks {...loaderData} />}
      {shown.map(({ name, count, titles }, index) => (
        <section className="season-part" key={name} aria-label={name}>
          <h2>
            {name} <span className="quiet numeric">{count}</span>
          </h2>
          <CardGrid titles={titles} label={name} eager={index === 0 ? 6 : 0} hasLines />
        </section>
      ))}
      <Pager page={loaderData.page} lastPage={loaderData.lastPage} />
    </div>
  );
}

type PartProps = Pick<Route.ComponentProps["loaderData"], "season" | "sort" | "part" | "choices">;

const PartLinks = ({ season, sort, part, choices }: PartProps) => (
  <nav className="chips season-parts" aria-label="Formats">
    {[{ slug: null, name: "All", count: null }, ...choices].map(({ slug, name, count }) => (
      <Link
        key={name}
        className="chip"
        to={pathOf(season, { sort, part: slug })}
        aria-current={slug === part ? "page" : undefined}
        preventScrollReset
      >
        <span>{name}</span>
        {count !== null && <span className="numeric quiet">{count}</span>}
      </Link>
    ))}
  </nav>
);
