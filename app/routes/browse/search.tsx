import { Suspense } from "react";
import { getVisit } from "#app/access/viewer.server.ts";
import { isChild, isMinor, type SessionUser } from "#app/domain/accounts/accounts.ts";
import { listGenresWithTitles, listTitles } from "#app/domain/catalog/catalog.server.ts";
import { recordSearch } from "#app/domain/library/library.server.ts";
import { listGenresFor, type Viewer } from "#app/domain/visibility/visibility.server.ts";
import { type Context, clientContext } from "#app/http/context.server.ts";
import { isPrefetch } from "#app/http/guards/prefetch.server.ts";
import { isLinkedFromOtherSite } from "#app/http/guards/same-origin.server.ts";
import { cachedPage } from "#app/http/pipeline/cached-pages.server.ts";
import { browsePath, profilesPath, searchPath } from "#app/paths.ts";
import { countText } from "#app/platform/count-text.ts";
import { type NothingText, whyNothingHere } from "#app/routes/views/nothing-here.server.ts";
import { getOwnerName } from "#app/routes/views/title-refusal.server.ts";
import { toOwnCards } from "#app/routes/views/title-views.server.ts";
import { late } from "#app/ui/late.tsx";
import { Link } from "#app/ui/link.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { SearchBox } from "#app/ui/shell/search-box.tsx";
import { CardGrid } from "#app/ui/titles/card.tsx";
import { slugOfName } from "#app/wire/browse-choices.ts";
import { parseSearchQuery } from "#app/wire/browse-query.server.ts";
import type { Route } from "./+types/search";
import { findNameGroups } from "./name-groups.server.ts";
import { NoResults } from "./no-results.tsx";

/** Loaded only where studios, people or characters are found. */
const NameGroups = late(() => import("./name-groups.tsx").then((part) => part.NameGroups));

const perPage = 42;
const maxWithoutQuery = 12;

export const middleware: Route.MiddlewareFunction[] = [cachedPage({ q: "first", page: "first" })];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { q, page } = parseSearchQuery(new URL(request.url).searchParams);
  const { user, preferences, viewer } = await getVisit(request, context);
  const [found, groups] = await Promise.all([
    listTitles(
      q === ""
        ? { order: "popularity", perPage: maxWithoutQuery }
        : { filters: { search: q }, order: "relevance", page, perPage },
      viewer,
    ),
    page === 1 ? findNameGroups(q, viewer, preferences.titleLanguage) : [],
  ]);
  // This loader writes, because a search is a GET request and searches without scripts must be recorded too.
  if (user !== null && q !== "" && page === 1 && isOwnVisit(request, context))
    await recordSearch(user.id, q, null);
  return {
    q,
    page,
    groups,
    total: found.total,
    lastPage: found.lastPage,
    guess: found.guess ?? null,
    nothing: q !== "" && found.total === 0 ? await nothingText(q, user, viewer) : null,
    nothingHere: q === "" && found.total === 0 ? await whyNothingHere(user) : null,
    titles: await toOwnCards(found, { user, preferences }),
    // Genres to browse if there is no query or no result.
    genres: q === "" || found.total === 0 ? await genresToBrowse(user, viewer) : [],
  };
}

/** A child often sees few titles, so a genre without any is not offered to it. */
const genresToBrowse = async (user: SessionUser | null, viewer: Viewer) =>
  user && isChild(user) ? listGenresWithTitles(viewer) : [...listGenresFor(viewer)];

/** Never tells a child whether a title of this name exists, only whom to ask. */
async function nothingText(
  q: string,
  user: SessionUser | null,
  { parentalControl }: Viewer,
): Promise<NothingText> {
  if (user && isChild(user))
    return {
      heading: `Nothing found for “${q}” that you may watch`,
      text: `Try another spelling, or ask ${await getOwnerName(user.accountId)} if you look for something else.`,
      step: {
        label: "Switch profile",
        path: profilesPath({ redirectTo: searchPath({ q }) }),
      },
    };
  const isAdultHidden = user !== null && parentalControl && !isMinor(user.birthday);
  const hidden = isAdultHidden ? " Titles for adults are found only with parental control off." : "";
  return {
    heading: `Nothing found for “${q}”`,
    text: `Try fewer words, another spelling, or the Japanese name.${hidden}`,
  };
}

/**
 * Whether the visitor has searched. Link checkers send HEAD and browsers prefetch, which does not count. A link of
 * another site does not count either.
 */
const isOwnVisit = (request: Request, context: Context) =>
  request.method !== "HEAD" &&
  !isPrefetch(request) &&
  !isLinkedFromOtherSite(request, context.get(clientContext).origin);

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  htmlMeta(matches, {
    title: loaderData?.q ? `“${loaderData.q}” · Search` : "Search",
    description: "Find a title by any of its names, even with a spelling mistake.",
  });

export default function Search({ loaderData }: Route.ComponentProps) {
  const { q, page, total, lastPage, guess, titles, genres, groups, nothing, nothingHere } = loaderData;
  // Somebody has the name, and titles are only spelled like it.
  const areNamesFirst = guess !== null && groups.length > 0;
  const names = groups.length > 0 && (
    <Suspense>
      <NameGroups groups={groups} />
    </Suspense>
  );
  return (
    <div className="wrap page search-page" data-has-query={q !== "" || undefined}>
      <h1 className={q === "" ? undefined : "visually-hidden"}>{q === "" ? "Search" : `Search: ${q}`}</h1>
      <SearchBox isLarge />
      {nothingHere ? (
        <NoResults {...nothingHere} />
      ) : q === "" ? (
        <>
          {genres.length > 0 && <Genres genres={genres} />}
          <section className="season-part">
            <h2>Popular titles</h2>
            <CardGrid titles={titles} label="Popular titles" />
          </section>
        </>
      ) : (
        <>
          <div className="page-head">
            <div role="status">
              {nothing !== null && groups.length === 0 ? (
                <NoResults {...nothing} />
              ) : (
                <p className="lead">
                  {/* A title of this name may be hidden from the viewer, so the page does not say that there is none. */}
                  {guess && total > 0 && !areNamesFirst && (
                    <>
                      {guess.closest === null ? (
                        `Only similar names were found for “${q}”.`
                      ) : (
                        <>
                          Showing results for <b>{guess.closest}</b>, not for “{q}”.
                        </>
                      )}{" "}
                    </>
                  )}
                  <span className="numeric">
                    {countText(total, "title")}
                    {guess === null ? ` for “${q}”` : areNamesFirst && " with a similar name"}
                  </span>
                  {groups.map(({ id, heading, names }) => (
                    <span key={id}>
                      {" · "}
                      <a className="link" href={`#${id}`}>
                        {names.length} {names.length === 1 ? heading.one : heading.several}
                      </a>
                    </span>
                  ))}
                </p>
              )}
            </div>
            {total > 1 && (
              <Link className="link" to={browsePath(`?q=${encodeURIComponent(q)}`)}>
                Filter the results
              </Link>
            )}
          </div>
          {areNamesFirst && names}
          {titles.length === 0 ? (
            groups.length === 0 && (
              <>
                {nothing === null && <NoResults heading="This page is past the end of the list" />}
                {genres.length > 0 && <Genres genres={genres} />}
              </>
            )
          ) : areNamesFirst ? (
            <section className="person-part" aria-labelledby="similar">
              <h2 id="similar">Similar titles</h2>
              <CardGrid titles={titles} label="Similar titles" />
            </section>
          ) : (
            <CardGrid titles={titles} label="Results" />
          )}
          <Pager page={page} lastPage={lastPage} />
          {!areNamesFirst && names}
        </>
      )}
    </div>
  );
}

const Genres = ({ genres }: { genres: readonly string[] }) => (
  <ul className="chips" aria-label="Genres">
    {genres.map((genre) => (
      <li key={genre}>
        <Link className="chip" to={browsePath(`?genre=${slugOfName(genre)}`)}>
          {genre}
        </Link>
      </li>
    ))}
  </ul>
);
