import { redirect, useLocation } from "react-router";
import { getVisit } from "#app/access/viewer.server.ts";
import { isChild } from "#app/domain/accounts/accounts.ts";
import { countTitles, listSharedTitles, listTitles } from "#app/domain/catalog/catalog.server.ts";
import { listMalIdsOnList } from "#app/domain/library/library.server.ts";
import type { Viewer } from "#app/domain/visibility/visibility.server.ts";
import { cachedPage } from "#app/http/pipeline/cached-pages.server.ts";
import { browsePath } from "#app/paths.ts";
import { countText } from "#app/platform/count-text.ts";
import { whyNothingHere } from "#app/routes/views/nothing-here.server.ts";
import { toOwnCards } from "#app/routes/views/title-views.server.ts";
import { useFocusPassedOn } from "#app/ui/forms/focus-passed-on.ts";
import { CloseIcon, FilterIcon } from "#app/ui/icons/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { Pager, withParameter } from "#app/ui/pager.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { CardGrid } from "#app/ui/titles/card.tsx";
import {
  type BrowseQuery,
  emptyBrowseQuery,
  formatBrowseQuery,
  maxMorePages,
  parseBrowseQuery,
} from "#app/wire/browse-query.server.ts";
import type { Route } from "./+types/browse";
import {
  catalogQuery,
  chosenFilters,
  fieldsOf,
  firstYear,
  offeredTo,
  readTags,
  withWholeTags,
} from "./browse-filters.server.ts";
import { browseQueryNames } from "./browse-query-names.server.ts";
import { FilterForm, filterFormId, SortSelect, useFilterForm } from "./filter-form.tsx";
import { NoResults } from "./no-results.tsx";

/** The grid has two to eight columns. With this many cards, none of these leaves a single card in the last row. */
const perPage = 42;

export const middleware: Route.MiddlewareFunction[] = [cachedPage(browseQueryNames)];

export async function loader({ request, context, url }: Route.LoaderArgs) {
  const { search } = url;
  const { user, preferences, viewer } = await getVisit(request, context);
  const tags = await readTags(viewer);
  const query = withWholeTags(parseBrowseQuery(new URLSearchParams(search)), tags.tags);
  // A form without scripts also sends empty fields. The redirect leads to the short address, for sharing.
  if (search !== formatBrowseQuery(query)) throw redirect(pathOf(query));
  const withoutIds = query.hideMine && user !== null ? await listMalIdsOnList(user.id) : [];
  const listing = await findPages(catalogQuery(query, tags), query, { withoutIds, viewer });
  const chosen = chosenFilters(query, tags.tags);
  return {
    fields: fieldsOf(query),
    chosen: chosen.map(({ key, label, rest }) => ({ key, label, to: pathOf(rest) })),
    nothingHere: listing.total === 0 && chosen.length === 0 ? await whyNothingHere(user) : null,
    clear: pathOf({
      ...emptyBrowseQuery,
      sort: query.sort === "relevance" ? emptyBrowseQuery.sort : query.sort,
    }),
    titles: await toOwnCards(listing, { user, preferences }),
    total: listing.total,
    // The list may have become shorter since more pages were shown. A page past the end leads back to the last one.
    shownTo: Math.min(query.page + query.more, Math.max(query.page, listing.lastPage)),
    lastPage: listing.lastPage,
    more: query.more < maxMorePages ? query.more + 1 : null,
    notice:
      listing.notice && user && isChild(user)
        ? "This profile shows no titles of a rating or genre that you chose."
        : listing.notice,
    withoutFilter: listing.total === 0 ? await countWithoutEach(query, tags, { withoutIds, viewer }) : [],
    offered: await offeredTo(viewer, tags.tags),
    canHideMine: user !== null,
    years: [firstYear, new Date().getUTCFullYear() + 1] as const,
  };
}

const pathOf = (query: BrowseQuery) => browsePath(formatBrowseQuery(query));

/** After "Show more", one answer holds the first page and the pages after it. */
async function findPages(
  { filters, order }: ReturnType<typeof catalogQuery>,
  query: BrowseQuery,
  { withoutIds, viewer }: { withoutIds: number[]; viewer: Viewer },
) {
  const wanted = { filters: { ...filters, ...(withoutIds.length > 0 && { withoutIds }) }, order, perPage };
  // A query without a member's own titles is not cached, because no other viewer sends it.
  const list = withoutIds.length > 0 ? listTitles : listSharedTitles;
  const pages = Array.from({ length: query.more + 1 }, (_, index) => query.page + index);
  const listings = await Promise.all(pages.map((page) => list({ ...wanted, page }, viewer)));
  const [first] = listings;
  if (first === undefined) throw new Error("a listing always has a first page");
  const matched = new Map(listings.flatMap((page) => [...(page.matched ?? [])]));
  return { ...first, titles: listings.flatMap(({ titles }) => titles), matched };
}

const countWithoutEach = (
  query: BrowseQuery,
  tags: Awaited<ReturnType<typeof readTags>>,
  { withoutIds, viewer }: { withoutIds: number[]; viewer: Viewer },
) =>
  Promise.all(
    chosenFilters(query, tags.tags).map(async ({ label, rest }) => {
      const { filters } = catalogQuery(rest, tags);
      const hidden = rest.hideMine && withoutIds.length > 0 && { withoutIds };
      return { label, to: pathOf(rest), total: await countTitles({ ...filters, ...hidden }, viewer) };
    }),
  );

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  const chosen = loaderData?.chosen.map(({ label }) => label) ?? [];
  const title = chosen.length === 0 ? "Browse anime" : `${chosen.join(", ")} · Browse`;
  return htmlMeta(matches, {
    title,
    description: "Browse the whole catalog by genre, theme, format, season, years, studio, rating and score.",
    // Search engines should index one page, not one for each combination of filters.
    path: browsePath(),
  });
};

export default function Browse({ loaderData }: Route.ComponentProps) {
  const {
    fields,
    chosen,
    clear,
    titles,
    total,
    shownTo,
    lastPage,
    more,
    notice,
    withoutFilter,
    nothingHere,
    ...rest
  } = loaderData;
  const control = useFilterForm(fields);
  const { search } = useLocation();
  return (
    <div className="wrap page browse">
      <h1 className="browse-title">Browse</h1>
      <FilterForm fields={fields} total={total} control={control} {...rest} />
      <div className="browse-results">
        <div className="browse-bar">
          <button type="button" className="button browse-open" data-size="small" popoverTarget={filterFormId}>
            <FilterIcon />
            Filters{chosen.length > 0 && ` · ${chosen.length}`}
          </button>
          <p className="browse-count numeric" role="status">
            {countText(total, "title")}
          </p>
          <SortSelect fields={fields} onChange={control.onChange} />
          <button className="button no-script-only" data-size="small" form={filterFormId} type="submit">
            Apply
          </button>
        </div>
        <ChosenFilters chosen={chosen} clear={clear} />
        {titles.length === 0 ? (
          <NoResults
            heading={
              nothingHere?.heading ??
              (total === 0 ? "No title matches all filters" : "This page is past the end of the list")
            }
            text={nothingHere?.text ?? notice}
            step={nothingHere?.step}
            suggestions={withoutFilter}
            {...(chosen.length > 0 && { clear: browsePath() })}
          />
        ) : (
          <CardGrid titles={titles} label="Titles" />
        )}
        {more !== null && shownTo < lastPage && (
          <p className="browse-more">
            <ShowMore to={withParameter(search, "more", more)} />
          </p>
        )}
        <Pager page={shownTo} lastPage={lastPage} />
      </div>
    </div>
  );
}

/** Disappears when it has shown the last page. */
const ShowMore = ({ to }: { to: string }) => (
  <Link ref={useFocusPassedOn<HTMLAnchorElement>()} className="button" to={to} preventScrollReset replace>
    Show more
  </Link>
);

function ChosenFilters({ chosen, clear }: Pick<Route.ComponentProps["loaderData"], "chosen" | "clear">) {
  if (chosen.length === 0) return null;
  return (
    <ul className="chips browse-chosen" aria-label="Chosen filters">
      {chosen.map(({ key, label, to }) => (
        <li key={key}>
          <Link className="chip" data-on to={to} preventScrollReset>
            <span>{label}</span>
            <CloseIcon />
            <span className="visually-hidden">, remove filter</span>
          </Link>
        </li>
      ))}
      {chosen.length > 1 && (
        <li>
          <Link className="chip" to={clear} preventScrollReset>
            Clear all
          </Link>
        </li>
      )}
    </ul>
  );
}
