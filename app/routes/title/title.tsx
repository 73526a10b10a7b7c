import { Fragment, Suspense } from "react";
import { redirect, type ShouldRevalidateFunction, useLocation } from "react-router";
import { getCurrentUser, memberWrites } from "#app/access/guards/guard.server.ts";
import { limitedWrites } from "#app/access/limits.server.ts";
import { getVisit } from "#app/access/viewer.server.ts";
import { getSharedTitle } from "#app/domain/catalog/catalog.server.ts";
import { noteOpenedTitle } from "#app/domain/details/details.server.ts";
import { listSimilarTitles } from "#app/domain/discovery/discovery.server.ts";
import { findFranchiseAround } from "#app/domain/franchises/franchises.server.ts";
import { canComplete } from "#app/domain/library/library.server.ts";
import { listStatusChoices } from "#app/domain/library/library.ts";
import { castOf } from "#app/domain/people/people.server.ts";
import { isPrefetch } from "#app/http/guards/prefetch.server.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { cachedPage } from "#app/http/pipeline/cached-pages.server.ts";
import { pathAdding, posterPath, signInPath, slugOf, titlePath, watchPath } from "#app/paths.ts";
import { BookmarkIcon, PlayIcon, RightIcon } from "#app/ui/icons/icons.tsx";
import { late } from "#app/ui/late.tsx";
import { Link } from "#app/ui/link.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { type EpisodeItem, EpisodeList } from "#app/ui/titles/episode-list.tsx";
import { CardRow } from "#app/ui/titles/row.tsx";
import { answerToEdit } from "#app/ui/watch-list/edit-answer.ts";
import { editListByForm } from "#app/wire/forms/list-form.server.ts";
import type { Route } from "./+types/title";
import { FactList } from "./fact-list.tsx";
import { maxInLine, toFranchiseLine } from "./franchise-line.server.ts";
import { cardIdsOf, getHiddenTitle, openedAt, pageIn, withAllDetails } from "./opened-title.server.ts";
import { TitleHead } from "./title-head.tsx";
import { toEpisodes, toTitlePage } from "./title-page.server.ts";
import { getViewerState, withOwnStates } from "./viewer-state.server.ts";

/** Loaded only for members, as visitors have no list. */
const EntryEditor = late(() => import("./entry-editor.tsx").then((part) => part.EntryEditor));

/** In the same file as the entry editor, so that it costs no request. */
const Heart = late(() => import("./entry-editor.tsx").then((part) => part.Heart));

/** Loaded only for members, as only they tick episodes. */
const EpisodeChecklist = late(() => import("./episode-checklist.tsx").then((part) => part.EpisodeChecklist));

/** Loaded only for titles with more episodes than the page shows at once. */
const EpisodePager = late(() => import("./episode-pager.tsx").then((part) => part.EpisodePager));

/** Loaded only for titles with a trailer. */
const Trailer = late(() => import("./trailer.tsx").then((part) => part.Trailer));

/** Loaded only for titles with details of other sites. */
const detailParts = () => import("./title-details.tsx");
const Characters = late(() => detailParts().then((part) => part.Characters));
const Staff = late(() => detailParts().then((part) => part.Staff));
const WhereToWatch = late(() => detailParts().then((part) => part.WhereToWatch));
const Tags = late(() => detailParts().then((part) => part.Tags));

/** Loaded only for titles with a known next episode. */
const Countdown = late(() => import("./countdown.tsx").then((part) => part.Countdown));

/** Loaded only for episodes with pictures. */
const EpisodeStill = late(() => import("#app/ui/titles/episode-still.tsx").then((part) => part.EpisodeStill));

/** Loaded only for operators. */
const operatorParts = () => import("./operator-parts.tsx");
const OperatorLinks = late(() => operatorParts().then((part) => part.TitleOperatorLinks));
const HiddenTitlePage = late(() => operatorParts().then((part) => part.HiddenTitlePage));

/** Loaded only for visitors, where there is no film for them. */
const visitorParts = () => import("#app/ui/titles/films-for-members.tsx");
const FilmsForMembers = late(() => visitorParts().then((part) => part.FilmsForMembers));
const ListsForMembers = late(() => visitorParts().then((part) => part.ListsForMembers));

/** Loaded only for members who can wish for the film. */
const Wish = late(() => import("#app/ui/forms/wish.tsx").then((part) => part.Wish));

/** Loaded only for the owner of a household with a child. */
const ForChildren = late(() => import("./for-children.tsx").then((part) => part.ForChildren));

const maxSimilar = 14;

export const middleware: Route.MiddlewareFunction[] = [
  cachedPage({ episodes: "first", details: "first" }),
  limitedWrites("user"),
  sameOriginPage,
  memberWrites,
];

/** 0 if the id is not a number: no title has that id. */
const idOf = ({ id }: { id: string }) => (/^\d{1,9}$/.test(id) ? Number(id) : 0);

export async function loader({ request, params, context, url }: Route.LoaderArgs) {
  const malId = idOf(params);
  const { user, preferences, viewer, timeZone, filmsNeedSignIn } = await getVisit(request, context);
  const language = preferences.titleLanguage;
  const page = pageIn(url);
  const [shared, similar, franchise, cast] = await Promise.all([
    getSharedTitle(malId, page ?? 1, viewer),
    listSimilarTitles(malId, maxSimilar, viewer),
    findFranchiseAround(malId, maxInLine, viewer),
    castOf(malId),
  ]);
  const cards = cardIdsOf(shared, similar, franchise);
  const { seen, continuesAtEpisode, states, nextPart, ...own } = await getViewerState(malId, {
    user,
    viewer,
    language,
    cards,
    franchise,
  });
  const {
    title: found,
    episodes,
    extras,
  } = await openedAt({ page, continuesAtEpisode }, malId, { shared, viewer });
  const isOperator = user?.role === "operator";
  if (!found.ok) return { hidden: await getHiddenTitle(malId, { viewer, user }) };
  // Only the id counts. A wrong slug redirects to the right one, so that each title has one address.
  const slug = slugOf(found.value.title);
  if ((params.slug ?? "") !== slug) throw redirect(titlePath(malId, found.value.title) + url.search, 301);
  if (user !== null && !isPrefetch(request)) noteOpenedTitle(malId);
  const shown = toTitlePage(
    found.value,
    { episodes, similar, extras, cast, franchise },
    {
      language,
      timeZone,
      now: new Date(),
      hasAllDetails: url.searchParams.get("details") === "all",
      pathOfAllDetails: withAllDetails(titlePath(malId, found.value.title), url),
    },
  );
  return {
    ...withOwnStates(shown, states, preferences.scoreFormat),
    franchise:
      franchise &&
      toFranchiseLine(franchise, {
        language,
        scoreFormat: preferences.scoreFormat,
        listed: states.listed,
        next: nextPart,
      }),
    ...toEpisodes(episodes, seen),
    ...own,
    // Inside the entry. A separate prop would add to the script of every visitor.
    entry: own.entry && {
      ...own.entry,
      canComplete: canComplete({ ...own.entry, ticks: seen }, found.value.episodes),
    },
    filmsNeedSignIn,
    statuses: user && listStatusChoices(),
    isOperator,
  };
}

export async function action({ request, params, context, url }: Route.ActionArgs) {
  const answer = await editListByForm(getCurrentUser(context), request);
  const episode = Number(url.searchParams.get("episode"));
  // Only the forms of an episode's page name it, and only without scripts. This page says why nothing has changed.
  const isChanged = "undo" in answer && answer.undo.length > 0;
  if (isChanged && Number.isInteger(episode) && episode > 0) throw redirect(watchPath(idOf(params), episode));
  return answer;
}

export const clientAction = (args: Route.ClientActionArgs) => answerToEdit(args);

/**
 * Loads the page of another title even if an edit fails meanwhile. The router would load nothing then, and show this
 * title at the address of the other one.
 */
export const shouldRevalidate: ShouldRevalidateFunction = ({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}) => defaultShouldRevalidate || currentUrl.pathname !== nextUrl.pathname;

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  if (!loaderData) return [];
  if ("hidden" in loaderData)
    return htmlMeta(matches, { title: loaderData.hidden.title, description: "Hidden from everybody." });
  const { head } = loaderData;
  return htmlMeta(matches, {
    title: head.year === null ? head.name : `${head.name} (${head.year})`,
    description: head.synopsis ?? `${head.name}: facts, episodes and related titles.`,
    path: head.path,
    image: posterPath(head.malId, 640),
    type: head.type === "Movie" ? "video.movie" : "video.tv_show",
  });
};

type PageProps = { page: Extract<Route.ComponentProps["loaderData"], { head: unknown }> };

export default function Title({ loaderData: page, actionData }: Route.ComponentProps) {
  if ("hidden" in page)
    return (
      <Suspense>
        <HiddenTitlePage {...page.hidden} />
      </Suspense>
    );
  const { head, details } = page;
  const isMember = page.statuses !== null;
  return (
    // Nothing that somebody has opened, chosen or scrolled on one title stays for the next one.
    <Fragment key={head.malId}>
      <TitleHead
        title={head}
        kicker={page.kicker}
        otherNames={page.otherNames}
        ratingLabel={page.ratingLabel}
        counts={page.counts}
        genres={page.genres}
        place={page.franchise?.place ?? null}
        countdown={
          page.countdown && (
            <>
              {page.countdown.label},{" "}
              <Suspense>
                <Countdown key={page.countdown.at} at={page.countdown.at} text={page.countdown.text} />
              </Suspense>
            </>
          )
        }
      >
        <TitleActions page={page} />
      </TitleHead>
      <div className="wrap">
        <div className="title-body" data-own={isMember ? (details ? "above" : "alone") : undefined}>
          <OwnColumn page={page} answer={actionData} />
          <MainColumn page={page} />
          <aside className="title-side" aria-label="Facts">
            <h2>Facts</h2>
            <FactList facts={page.facts} />
            {page.isOperator && (
              <Suspense>
                <OperatorLinks malId={head.malId} />
              </Suspense>
            )}
          </aside>
        </div>
        {page.related.length > 0 && <CardRow title="Related" titles={page.related} />}
        {page.similar.length > 0 && <CardRow title="Similar" titles={page.similar} />}
      </div>
    </Fragment>
  );
}

/** The buttons in the head of the page. */
function TitleActions({ page }: PageProps) {
  const { pathname } = useLocation();
  const { malId } = page.head;
  return (
    <>
      {page.watch && (
        <Link className="button" data-kind="primary" to={page.watch.path}>
          <PlayIcon />
          {page.watch.label}
        </Link>
      )}
      {page.missing !== null && <p className="title-missing">{page.missing}</p>}
      {page.next && (
        <Link className="button title-next" data-kind="glass" to={page.next.path}>
          <span>
            Next: <span lang={page.next.lang}>{page.next.name}</span>
          </span>
          <RightIcon />
        </Link>
      )}
      {page.statuses === null ? (
        <Link
          className="button"
          data-kind={page.isPlayable ? "glass" : "primary"}
          to={signInPath({ redirectTo: pathAdding(pathname, malId) })}
        >
          <BookmarkIcon />
          Add to list
        </Link>
      ) : (
        <Suspense>
          {page.wish && <Wish malId={malId} path={pathname} {...page.wish} />}
          <Heart malId={malId} isFavorite={page.isFavorite} />
        </Suspense>
      )}
    </>
  );
}

type OwnColumnProps = PageProps & { answer: Route.ComponentProps["actionData"] };

/** The member's column: whether their children see the title, and the editor of the list entry. */
function OwnColumn({ page, answer }: OwnColumnProps) {
  if (page.statuses === null) return null;
  const { malId, path, episodes } = page.head;
  return (
    <div className="title-own">
      {page.forChildren && (
        <Suspense>
          <ForChildren malId={malId} path={path} {...page.forChildren} />
        </Suspense>
      )}
      <Suspense>
        <EntryEditor
          malId={malId}
          statuses={page.statuses}
          entry={page.entry}
          episodes={episodes}
          answer={answer}
        />
      </Suspense>
    </div>
  );
}

function MainColumn({ page }: PageProps) {
  const { pathname } = useLocation();
  const { head, details } = page;
  return (
    <div className="title-main">
      {head.synopsis !== null && (
        <section aria-label="Synopsis">
          <p className="synopsis">{head.synopsis}</p>
          {page.isSynopsisLong && (
            <details className="synopsis-fold">
              <summary className="link title-more">
                <span className="synopsis-all">Show all</span>
                <span className="synopsis-less">Show less</span>
              </summary>
            </details>
          )}
        </section>
      )}
      {!page.isPlayable && (
        <Suspense>
          {page.filmsNeedSignIn ? (
            <FilmsForMembers path={pathname} />
          ) : (
            <p className="title-no-film">
              {page.noFilm.fact}{" "}
              {page.statuses === null ? <ListsForMembers path={pathname} /> : page.noFilm.forMembers}
            </p>
          )}
        </Suspense>
      )}
      {details && (
        <Suspense>
          <WhereToWatch {...details} />
        </Suspense>
      )}
      {page.franchise && <CardRow {...page.franchise.row} />}
      {details && (
        <Suspense>
          <Characters {...details} />
        </Suspense>
      )}
      {page.trailer !== null && (
        <section aria-label="Trailer">
          <Suspense>
            <Trailer youtubeId={page.trailer} name={head.name} />
          </Suspense>
        </section>
      )}
      <Episodes page={page} />
      {details && (
        <Suspense>
          <Staff {...details} />
          <Tags {...details} />
        </Suspense>
      )}
    </div>
  );
}

function Episodes({ page }: PageProps) {
  const { episodes, episodePage } = page;
  const { malId } = page.head;
  if (episodes.length === 0 || episodePage === null) return null;
  // The head of the page says and plays all of a title with one episode.
  if (page.head.episodes === 1 && episodes.length === 1) return null;
  const isLong = episodePage.lastPage > 1;
  const hasStills = episodes.some(({ still }) => still !== null);
  const stillOf = hasStills
    ? (episode: EpisodeItem) => (
        <Suspense>
          <EpisodeStill {...episode} />
        </Suspense>
      )
    : undefined;
  return (
    <section aria-labelledby="episodes">
      <h2 id="episodes">Episodes</h2>
      {page.statuses === null ? (
        <EpisodeList malId={malId} episodes={episodes} stillOf={stillOf} />
      ) : (
        <Suspense>
          <EpisodeChecklist
            malId={malId}
            maxProgress={page.maxProgress}
            progress={page.entry?.progress ?? 0}
            part={isLong ? episodePage.page : null}
            episodes={episodes}
            stillOf={stillOf}
          />
        </Suspense>
      )}
      {isLong && (
        <Suspense>
          <EpisodePager {...episodePage} />
        </Suspense>
      )}
    </section>
  );
}
