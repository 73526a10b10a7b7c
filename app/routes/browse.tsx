import { Link, redirect } from "react-router";
import { listTitles } from "#app/domain/catalog/catalog.server.ts";
import { viewerOf } from "#app/http/viewer.server.ts";
import {
  type BrowseQuery,
  catalogQuery,
  chosenFilters,
  emptyBrowse,
  formatBrowse,
  mostMore,
  parseBrowse,
  sorts,
} from "#app/ui/browse-query.ts";
import { CardGrid } from "#app/ui/card.tsx";
import { ChosenFilters } from "#app/ui/chosen-filters.tsx";
import { FilterForm, filterFormId, useFilterForm } from "#app/ui/filter-form.tsx";
import { FilterIcon } from "#app/ui/icons.tsx";
import { NoResults } from "#app/ui/no-results.tsx";
import { pageMeta } from "#app/ui/page-meta.ts";
import { Pager } from "#app/ui/pager.tsx";
import { toCard } from "#app/ui/title-views.ts";
import type { Route } from "./+types/browse";

const perPage = 36;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { search } = new URL(request.url);
  const query = parseBrowse(new URLSearchParams(search));
  // A plain form also sends what was left empty: the address to share is the short one.
  if (search !== formatBrowse(query)) throw redirect(`/browse${formatBrowse(query)}`);
  const { user, preferences, showsMature } = await viewerOf(request, context);
  const found = await findPages(query, showsMature);
  return {
    query,
    titles: found.animes.map((anime) => toCard(anime, preferences.titleLanguage)),
    total: found.total,
    lastPage: found.lastPage,
    notice: found.notice,
    drop: found.total === 0 ? await countWithoutEach(query, showsMature) : [],
    showsMature,
    canHideMine: user !== null,
    thisYear: new Date().getUTCFullYear(),
  };
}

/** "Show more" keeps what is there: the first page and those after it are one answer. */
async function findPages(query: BrowseQuery, showsMature: boolean) {
  const pages = Array.from({ length: query.more + 1 }, (_, index) => query.page + index);
  const found = await Promise.all(
    pages.map((page) => listTitles({ ...catalogQuery(query), page, perPage }, showsMature)),
  );
  const [first] = found;
  if (first === undefined) throw new Error("a listing always has a first page");
  return { ...first, animes: found.flatMap(({ animes }) => animes) };
}

const countWithoutEach = (query: BrowseQuery, showsMature: boolean) =>
  Promise.all(
    chosenFilters(query).map(async ({ label, rest }) => ({
      label,
      to: `/browse${formatBrowse(rest)}`,
      total: (await listTitles({ ...catalogQuery(rest), perPage: 1 }, showsMature)).total,
    })),
  );

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  const chosen = loaderData ? chosenFilters(loaderData.query).map(({ label }) => label) : [];
  const title = chosen.length === 0 ? "Browse anime" : `${chosen.join(", ")} · Browse`;
  return pageMeta(matches, {
    title,
    description: "Browse the whole catalog by genre, format, season, year, studio, rating and score.",
    // Every combination of filters is a page; search engines need one.
    path: "/browse",
  });
};

export default function Browse({ loaderData }: Route.ComponentProps) {
  const { query, titles, total, lastPage, notice, drop, showsMature, canHideMine, thisYear } = loaderData;
  const control = useFilterForm(query);
  const shownTo = query.page + query.more;
  const chosen = chosenFilters(query);
  const years = Array.from({ length: thisYear + 2 - firstYear }, (_, index) => thisYear + 1 - index);
  return (
    <div className="wrap page browse">
      <h1 className="browse-title">Browse</h1>
      <FilterForm {...{ query, total, years, showsMature, canHideMine, control }} />
      <div className="browse-results">
        <div className="browse-bar">
          <button type="button" className="button browse-open" data-size="small" popoverTarget={filterFormId}>
            <FilterIcon />
            Filters{chosen.length > 0 && ` · ${chosen.length}`}
          </button>
          <p className="browse-count numeric" role="status">
            {total === 1 ? "1 title" : `${total.toLocaleString("en")} titles`}
          </p>
          <label className="browse-sort">
            <span className="visually-hidden">Sort by</span>
            <select
              className="select"
              name="sort"
              form={filterFormId}
              defaultValue={query.sort}
              onChange={control.onChange}
            >
              {Object.entries(sorts).map(
                ([value, words]) =>
                  (value !== "relevance" || query.q !== "") && (
                    <option key={value} value={value}>
                      {words}
                    </option>
                  ),
              )}
            </select>
          </label>
          <button className="button no-script-only" data-size="small" form={filterFormId} type="submit">
            Apply
          </button>
        </div>
        <ChosenFilters
          chosen={chosen}
          clear={`/browse${formatBrowse({ ...emptyBrowse, sort: query.sort })}`}
        />
        {titles.length === 0 ? (
          <NoResults
            title={total === 0 ? "No title fits all of this" : "This page lies past the end"}
            {...{ drop, notice }}
            clear="/browse"
          />
        ) : (
          <CardGrid titles={titles} label="Titles" />
        )}
        {titles.length > 0 && shownTo < lastPage && query.more < mostMore && (
          <p className="browse-more">
            <Link
              className="button"
              to={formatBrowse({ ...query, more: query.more + 1 })}
              preventScrollReset
              replace
            >
              Show more
            </Link>
          </p>
        )}
        <Pager
          page={shownTo}
          lastPage={lastPage}
          pathOf={(page) => `/browse${formatBrowse({ ...query, page, more: 0 })}`}
        />
      </div>
    </div>
  );
}

/** The oldest titles of any catalog. */
const firstYear = 1917;
