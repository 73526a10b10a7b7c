import { Link, redirect, useLocation } from "react-router";
import { listTitles } from "#app/domain/catalog/catalog.server.ts";
import { findStandings, listListedIds } from "#app/domain/library/library.server.ts";
import { viewerOf } from "#app/http/viewer.server.ts";
import {
  type BrowseQuery,
  catalogQuery,
  chosenFilters,
  emptyBrowse,
  fieldsOf,
  formatBrowse,
  mostMore,
  parseBrowse,
} from "#app/ui/browse-query.ts";
import { CardGrid } from "#app/ui/card.tsx";
import { ChosenFilters } from "#app/ui/chosen-filters.tsx";
import { FilterForm, filterFormId, SortSelect, useFilterForm } from "#app/ui/filter-form.tsx";
import { FilterIcon } from "#app/ui/icons.tsx";
import { NoResults } from "#app/ui/no-results.tsx";
import { pageMeta } from "#app/ui/page-meta.ts";
import { Pager, withParameter } from "#app/ui/pager.tsx";
import { toCard, withMatched, withStandings } from "#app/ui/title-views.ts";
import type { Route } from "./+types/browse";

const perPage = 36;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { search } = new URL(request.url);
  const query = parseBrowse(new URLSearchParams(search));
  // A plain form also sends what was left empty: the address to share is the short one.
  if (search !== formatBrowse(query)) throw redirect(pathOf(query));
  const { user, preferences, showsMature } = await viewerOf(request, context);
  const withoutIds = query.hideMine && user !== null ? await listListedIds(user.id) : [];
  const found = await findPages(query, withoutIds, showsMature);
  const cards = found.animes.map((anime) => toCard(anime, preferences.titleLanguage));
  const standings = await findStandings(
    user?.id ?? null,
    found.animes.map((anime) => anime.mal_id),
  );
  return {
    fields: fieldsOf(query),
    chosen: chosenFilters(query).map(({ key, label, rest }) => ({ key, label, to: pathOf(rest) })),
    clear: pathOf({ ...emptyBrowse, sort: query.sort === "relevance" ? emptyBrowse.sort : query.sort }),
    titles: withStandings(withMatched(cards, found.matched), standings),
    total: found.total,
    shownTo: query.page + query.more,
    lastPage: found.lastPage,
    more: query.more < mostMore ? query.more + 1 : null,
    notice: found.notice,
    drop: found.total === 0 ? await countWithoutEach(query, showsMature) : [],
    showsMature,
    canHideMine: user !== null,
    thisYear: new Date().getUTCFullYear(),
  };
}

const pathOf = (query: BrowseQuery) => `/browse${formatBrowse(query)}`;

/** "Show more" keeps what is there: the first page and those after it are one answer. */
async function findPages(query: BrowseQuery, withoutIds: number[], showsMature: boolean) {
  const { filters, order } = catalogQuery(query);
  const wanted = { filters: { ...filters, ...(withoutIds.length > 0 && { withoutIds }) }, order, perPage };
  const pages = Array.from({ length: query.more + 1 }, (_, index) => query.page + index);
  const found = await Promise.all(pages.map((page) => listTitles({ ...wanted, page }, showsMature)));
  const [first] = found;
  if (first === undefined) throw new Error("a listing always has a first page");
  const matched = new Map(found.flatMap((page) => [...(page.matched ?? [])]));
  return { ...first, animes: found.flatMap(({ animes }) => animes), matched };
}

const countWithoutEach = (query: BrowseQuery, showsMature: boolean) =>
  Promise.all(
    chosenFilters(query).map(async ({ label, rest }) => ({
      label,
      to: pathOf(rest),
      total: (await listTitles({ ...catalogQuery(rest), perPage: 1 }, showsMature)).total,
    })),
  );

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  const chosen = loaderData?.chosen.map(({ label }) => label) ?? [];
  const title = chosen.length === 0 ? "Browse anime" : `${chosen.join(", ")} · Browse`;
  return pageMeta(matches, {
    title,
    description: "Browse the whole catalog by genre, format, season, year, studio, rating and score.",
    // Every combination of filters is a page; search engines need one.
    path: "/browse",
  });
};

export default function Browse({ loaderData }: Route.ComponentProps) {
  const { fields, chosen, clear, titles, total, shownTo, lastPage, more, notice, drop, ...rest } = loaderData;
  const control = useFilterForm(fields);
  const { search } = useLocation();
  const years = Array.from(
    { length: rest.thisYear + 2 - firstYear },
    (_, index) => rest.thisYear + 1 - index,
  );
  return (
    <div className="wrap page browse">
      <h1 className="browse-title">Browse</h1>
      <FilterForm {...{ fields, total, years, control }} {...rest} />
      <div className="browse-results">
        <div className="browse-bar">
          <button type="button" className="button browse-open" data-size="small" popoverTarget={filterFormId}>
            <FilterIcon />
            Filters{chosen.length > 0 && ` · ${chosen.length}`}
          </button>
          <p className="browse-count numeric" role="status">
            {total === 1 ? "1 title" : `${total.toLocaleString("en")} titles`}
          </p>
          <SortSelect fields={fields} onChange={control.onChange} />
          <button className="button no-script-only" data-size="small" form={filterFormId} type="submit">
            Apply
          </button>
        </div>
        <ChosenFilters chosen={chosen} clear={clear} />
        {titles.length === 0 ? (
          <NoResults
            title={total === 0 ? "No title fits all of this" : "This page lies past the end"}
            {...{ drop, notice }}
            clear="/browse"
          />
        ) : (
          <CardGrid titles={titles} label="Titles" />
        )}
        {more !== null && shownTo < lastPage && (
          <p className="browse-more">
            <Link className="button" to={withParameter(search, "more", more)} preventScrollReset replace>
              Show more
            </Link>
          </p>
        )}
        <Pager page={shownTo} lastPage={lastPage} />
      </div>
    </div>
  );
}

/** The oldest titles of any catalog. */
const firstYear = 1917;
