import { Link } from "react-router";
import { listTitles } from "#app/domain/catalog/catalog.server.ts";
import { findStandings, recordSearch } from "#app/domain/library/library.server.ts";
import { viewerOf } from "#app/http/viewer.server.ts";
import { parseBrowse } from "#app/ui/browse-query.ts";
import { genresShown, wordOf } from "#app/ui/browse-words.ts";
import { CardGrid } from "#app/ui/card.tsx";
import { NoResults } from "#app/ui/no-results.tsx";
import { pageMeta } from "#app/ui/page-meta.ts";
import { Pager } from "#app/ui/pager.tsx";
import { SearchBox } from "#app/ui/search-box.tsx";
import { toCard, withMatched, withStandings } from "#app/ui/title-views.ts";
import type { Route } from "./+types/search";

const perPage = 36;
const shownWithoutQuery = 12;

export async function loader({ request, context }: Route.LoaderArgs) {
  const { q, page } = parseBrowse(new URL(request.url).searchParams);
  const { user, preferences, showsMature } = await viewerOf(request, context);
  const found = await listTitles(
    q === ""
      ? { order: "popularity", perPage: shownWithoutQuery }
      : { filters: { search: q }, order: "relevance", page, perPage },
    showsMature,
  );
  const cards = found.animes.map((anime) => toCard(anime, preferences.titleLanguage));
  const standings = await findStandings(
    user?.id ?? null,
    cards.map(({ malId }) => malId),
  );
  if (user !== null && q !== "" && page === 1) await recordSearch(user.id, q, null);
  return {
    q,
    page,
    total: found.total,
    lastPage: found.lastPage,
    closest: found.closest ?? null,
    titles: withStandings(withMatched(cards, found.matched), standings),
    // Where nothing is asked, or nothing found, they are the way on.
    genres: q === "" || found.total === 0 ? genresShown(showsMature) : [],
  };
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageMeta(matches, {
    title: loaderData?.q ? `“${loaderData.q}” · Search` : "Search",
    description: "Find a title by any of its names, also when you only half remember it.",
  });

export default function Search({ loaderData }: Route.ComponentProps) {
  const { q, page, total, lastPage, closest, titles, genres } = loaderData;
  return (
    <div className="wrap page search-page" data-asked={q !== "" || undefined}>
      <h1 className={q === "" ? undefined : "visually-hidden"}>{q === "" ? "Search" : `Search: ${q}`}</h1>
      <SearchBox isLarge />
      {q === "" ? (
        <>
          <Genres genres={genres} />
          <section className="season-part">
            <h2>Many look for these</h2>
            <CardGrid titles={titles} label="Popular titles" />
          </section>
        </>
      ) : (
        <>
          <div className="page-head">
            <p className={total === 0 ? "visually-hidden" : "lead"} role="status">
              {closest !== null && total > 0 && (
                <>
                  Nothing is called “{q}”. Showing results for <b>{closest}</b>.{" "}
                </>
              )}
              <span className="numeric">
                {total === 1 ? "1 title" : `${total.toLocaleString("en")} titles`}
                {closest === null && ` for “${q}”`}
              </span>
            </p>
            {total > 1 && (
              <Link className="link" to={`/browse?q=${encodeURIComponent(q)}`}>
                Filter these
              </Link>
            )}
          </div>
          {titles.length === 0 ? (
            <>
              <NoResults
                title={total === 0 ? `Nothing found for “${q}”` : "This page lies past the end"}
                drop={[]}
                notice="Try fewer words, another spelling, or the Japanese name. Titles for adults are found only with parental control off."
              />
              {total === 0 && <Genres genres={genres} />}
            </>
          ) : (
            <CardGrid titles={titles} label="Results" />
          )}
          <Pager page={page} lastPage={lastPage} />
        </>
      )}
    </div>
  );
}

const Genres = ({ genres }: { genres: readonly string[] }) => (
  <ul className="chips" aria-label="Genres">
    {genres.map((genre) => (
      <li key={genre}>
        <Link className="chip" to={`/browse?genre=${wordOf(genre)}`}>
          {genre}
        </Link>
      </li>
    ))}
  </ul>
);
