import { Suspense, useCallback, useEffect, useRef } from "react";
import { data, type ShouldRevalidateFunction, useFetcher, useLocation, useNavigate } from "react-router";
import { z } from "zod";
import { limitedWrites } from "#app/access/limits.server.ts";
import { redirectIfReplaced } from "#app/access/replaced-title.server.ts";
import { getVisit } from "#app/access/viewer.server.ts";
import { adminEpisodePath } from "#app/admin-paths.ts";
import { isChild, type SessionUser } from "#app/domain/accounts/accounts.ts";
import {
  getEpisode,
  getVisibleTitle,
  listEpisodes,
  pageOfEpisode,
} from "#app/domain/catalog/catalog.server.ts";
import type { Episode, Title } from "#app/domain/catalog/catalog.ts";
import { isMediaUrl } from "#app/domain/films/films.ts";
import { findFranchiseAround } from "#app/domain/franchises/franchises.server.ts";
import { readPlayableEpisode, recordFailedPlay } from "#app/domain/playback/playback.server.ts";
import { childKeyOf } from "#app/domain/proxy/proxy.server.ts";
import type { Viewer } from "#app/domain/visibility/visibility.server.ts";
import { answerStateContext, type Context, signalIn } from "#app/http/context.server.ts";
import { parse } from "#app/http/endpoint/operation.server.ts";
import { readRequestBody } from "#app/http/endpoint/request-body.server.ts";
import type { PageRefusal } from "#app/http/forms/page-refusal.ts";
import { sameOriginPage } from "#app/http/guards/same-origin.server.ts";
import { cachedPage } from "#app/http/pipeline/cached-pages.server.ts";
import { franchisePath, settingsPath, titlePath, visitorPath, watchPath, wishesPath } from "#app/paths.ts";
import { kibibytes } from "#app/platform/units.ts";
import { franchisePlaceText } from "#app/routes/views/franchise-views.server.ts";
import { refusedTitle } from "#app/routes/views/title-refusal.server.ts";
import { LeftIcon, RightIcon } from "#app/ui/icons/icons.tsx";
import { late } from "#app/ui/late.tsx";
import { Link } from "#app/ui/link.tsx";
import { Pager } from "#app/ui/pager.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { useSiteData } from "#app/ui/shell/site.ts";
import { type EpisodeItem, EpisodeList } from "#app/ui/titles/episode-list.tsx";
import { EpisodeStill } from "#app/ui/titles/episode-still.tsx";
import { useAnsweringFetcher } from "#app/ui/watch-list/answering-fetcher.ts";
import type { Route } from "./+types/episode";
import { useEdits } from "./edits.ts";
import { withEdits } from "./entry-edits.ts";
import { useEpisodePrompts } from "./episode-prompts.ts";
import { EpisodeRow } from "./episode-row.tsx";
import { getInstead, getNewWish } from "./instead.server.ts";
import { Player } from "./player/player.tsx";
import type { EpisodeLink } from "./player/state/playback.ts";
import { EndCard, ListNotice } from "./prompt-parts.tsx";
import { getNextTitle, getWatchState } from "./viewer-state.server.ts";
import { toWatchPage } from "./watch-page.server.ts";

/** Loaded only for members, as visitors have no list. */
const EntryBar = late(() => import("./entry-bar.tsx").then((part) => part.EntryBar));

/** Loaded only where an episode has no film. */
const NoSource = late(() => import("./no-source.tsx").then((part) => part.NoSource));

export const middleware: Route.MiddlewareFunction[] = [
  cachedPage({}),
  limitedWrites("playback"),
  sameOriginPage,
];

const parseParams = ({ id, episode }: { id: string; episode: string }) => ({
  malId: /^[1-9]\d{0,8}$/.test(id) ? Number(id) : 0,
  number: /^[1-9]\d{0,5}$/.test(episode) ? Number(episode) : 0,
});

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { malId, number } = parseParams(params);
  const { user, preferences, viewer, filmsNeedSignIn } = await getVisit(request, context);
  const language = preferences.titleLanguage;
  const [title, list, { seen, resumePoints, viewerState }, franchise] = await Promise.all([
    getVisibleTitle(malId, viewer),
    listEpisodes(malId, pageOfEpisode(number), viewer),
    getWatchState(user?.id ?? null, malId, number),
    findFranchiseAround(malId, 0, viewer),
  ]);
  if (!title.ok) {
    await redirectIfReplaced(malId, (to) => watchPath(to, number));
    throw await refusedTitle(malId, { viewer, user });
  }
  const listed = list.ok && list.value.episodes.find((one) => one.number === number);
  if (!list.ok || !listed) throw data(noSuchEpisode(title.value), { status: 404 });
  const { episodes, total, page, lastPage, perPage } = list.value;
  const [episode, neighbour] = await Promise.all([
    withPlayableSources(listed, { user, context }),
    findNeighbourElsewhere({ malId, number }, perPage, viewer),
  ]);
  const watchPage = toWatchPage({
    title: title.value,
    episode,
    episodes,
    neighbourElsewhere: neighbour,
    seen,
    resumePoints,
    filmsNeedSignIn,
    preferences,
  });
  const isNextMissing = watchPage.sources.length > 0 && watchPage.next?.isPlayable === false;
  return {
    ...watchPage,
    franchise: franchise &&
      (franchise.mainParts > 1 || franchise.own.mainPart === null) && {
        path: franchisePath(franchise.id, franchise.name),
        place: franchisePlaceText(franchise, language),
      },
    ...viewerState,
    listPage: { page, lastPage, perPage },
    filmsNeedSignIn,
    instead: await getInstead(title.value, episode, { viewer, user, language }),
    nextWish: isNextMissing ? await getNewWish({ malId, episode: number + 1 }, { viewer, user }) : null,
    nextTitle:
      number === total ? await getNextTitle(malId, { userId: user?.id ?? null, viewer, language }) : null,
  };
}

const noSuchEpisode = ({ malId, title, episodes }: Title): PageRefusal => ({
  text: {
    title: "No such episode here",
    text:
      episodes === null
        ? "This site knows no episode with this number yet. The page of the title lists those that it knows."
        : "The title has no episode with this number. The page of the title lists those that it has.",
    step: { label: "About the title", path: titlePath(malId, title) },
  },
});

type Watcher = { user: SessionUser | null; context: Context };

function withPlayableSources(episode: Episode, { user, context }: Watcher) {
  // The operator may replace a media file at any time. The film then has another address although the catalog has not
  // changed, so the page is never stored in the public cache.
  if (episode.sources.some(({ url }) => isMediaUrl(url)))
    context.get(answerStateContext).isNeverCached = true;
  const child = user && isChild(user) ? childKeyOf(user, episode.malId) : undefined;
  return readPlayableEpisode(episode, { child, signal: signalIn(context) });
}

/** The previous or next episode, if it is on another page of the list. */
async function findNeighbourElsewhere(
  { malId, number }: ReturnType<typeof parseParams>,
  perPage: number,
  viewer: Viewer,
) {
  const isFirst = number > 1 && number % perPage === 1;
  const isLast = number % perPage === 0;
  if (!isFirst && !isLast) return null;
  const neighbour = await getEpisode(malId, isFirst ? number - 1 : number + 1, viewer);
  return neighbour.ok ? neighbour.value : null;
}

const failedPlay = z.object({ source: z.string().max(4000), reason: z.string().max(40) });

/** Records a failed play that the player reports. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const { malId, number } = parseParams(params);
  const body = await readRequestBody(request, { limit: kibibytes(64), forms: true });
  const { source, reason } = await parse(failedPlay, body, "report");
  const { viewer } = await getVisit(request, context);
  if (malId > 0 && number > 0)
    await recordFailedPlay({ malId, episode: number, played: source, reason }, viewer);
  return null;
}

/** A refused report would replace the page with an error page, while the player tries the next source. */
export const clientAction = ({ serverAction }: Route.ClientActionArgs) => serverAction().catch(() => null);

/**
 * Loads an episode again only after a wish or a choice of the footer. The answers of the other forms show all that the
 * forms have changed. One that comes while another episode is being loaded ends that load, so the episode is loaded anew.
 */
export const shouldRevalidate: ShouldRevalidateFunction = ({
  currentUrl,
  nextUrl,
  formMethod,
  formAction,
  defaultShouldRevalidate,
}) => {
  if (currentUrl.pathname !== nextUrl.pathname) return true;
  const isAnswered =
    formMethod !== undefined &&
    formMethod !== "GET" &&
    formAction !== wishesPath() &&
    formAction !== visitorPath();
  return !isAnswered && defaultShouldRevalidate;
};

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  loaderData
    ? htmlMeta(matches, {
        title: loaderData.isSingle ? loaderData.series : `${loaderData.name} · ${loaderData.series}`,
        description:
          loaderData.description ??
          (loaderData.isSingle
            ? `Watch ${loaderData.series}.`
            : `Watch ${loaderData.series}, ${loaderData.name}.`),
        path: watchPath(loaderData.malId, loaderData.episode),
        image: loaderData.poster,
      })
    : [];

export default function Watch({ loaderData: page }: Route.ComponentProps) {
  const navigate = useNavigate();
  const { user } = useSiteData();
  const failures = useFetcher({ key: `failed-play-${page.malId}-${page.episode}` });
  const startsPlaying = (useLocation().state as { play?: boolean } | null)?.play === true;
  const onGo = useCallback((href: string) => void navigate(href, { state: { play: true } }), [navigate]);
  const { submit } = failures;
  const onFailure = useCallback(
    (report: { source: string; reason: string }) => void submit(report, { method: "post" }),
    [submit],
  );
  const side = useCurrentInView(page.episode);
  const { prompts, hasNotice, onReported, onClose } = useEpisodePrompts(page);
  const place = `${page.malId}/${page.episode}`;
  const isAlone = page.isSingle && page.episodes.length === 1;
  const edits = useEdits(place);
  const noticeFetcher = useAnsweringFetcher(edits.onAnswerElsewhere, `list-notice-${place}`);
  const shown = withEdits({ ...page, ...prompts }, edits.edited);
  const endCard = (
    <EndCard
      {...page}
      own={shown.entry}
      prompts={prompts}
      next={page.nextTitle}
      missing={page.next && { path: page.next.href, episode: page.episode + 1, wish: page.nextWish }}
      onCompleted={onClose}
      onAnswer={edits.onAnswerElsewhere}
    />
  );
  return (
    <div className="wrap watch" data-alone={isAlone || undefined}>
      <div className="watch-main">
        <div role="status">
          {hasNotice && (
            <Suspense>
              <ListNotice {...page} prompts={prompts} fetcher={noticeFetcher} onClose={onClose} />
            </Suspense>
          )}
        </div>
        {page.sources.length > 0 ? (
          <Player
            {...page}
            startsPlaying={startsPlaying}
            endCard={endCard}
            onGo={onGo}
            onReported={onReported}
            onFailure={onFailure}
            // The player does not go on to an episode that is not here. Its page says what to do about it.
            next={page.next?.isPlayable ? page.next : null}
          />
        ) : (
          <Suspense>
            <NoSource {...page} {...page.instead} isSeen={shown.isSeen} />
          </Suspense>
        )}
        {!isAlone && (
          <nav className="watch-steps" aria-label="Previous and next episode">
            <Step to={page.previous} rel="prev" filmsNeedSignIn={page.filmsNeedSignIn} />
            <Step to={page.next} rel="next" filmsNeedSignIn={page.filmsNeedSignIn} />
          </nav>
        )}
        <p className="watch-series">
          <span>
            <Link className="link" to={page.titlePath}>
              <span>
                {page.isSingle && "All about "}
                <span lang={page.seriesLang}>{page.series}</span>
              </span>
            </Link>
            {page.franchise && (
              <Link className="link" to={page.franchise.path}>
                {page.franchise.place}
              </Link>
            )}
          </span>
          {user?.isOperator && (
            <Link className="link" to={adminEpisodePath({ id: page.malId, episode: page.episode })}>
              Edit videos
            </Link>
          )}
        </p>
        <h1 lang={page.isSingle ? page.seriesLang : undefined}>{page.name}</h1>
        {page.isMember && (
          <Suspense>
            <EntryBar key={place} {...page} shown={shown} edits={edits} />
          </Suspense>
        )}
        {!page.isRemembered && <NotRemembered />}
        {page.sources.length > 0 && page.facts.length > 0 && (
          <p className="quiet">{page.facts.join(" · ")}</p>
        )}
        {page.sources.length > 0 && page.missing !== null && <p className="quiet">{page.missing}</p>}
        {page.description !== null && <p className="synopsis">{page.description}</p>}
        {page.row.length > 1 && page.row.length < page.episodes.length && (
          <EpisodeRow episodes={withTick(page.row, page.episode, shown.isTicked)} />
        )}
        {page.synopsis !== null && (
          <section className="watch-about" aria-labelledby="about">
            <h2 id="about">
              About <span lang={page.seriesLang}>{page.series}</span>
            </h2>
            <p className="synopsis">{page.synopsis}</p>
          </section>
        )}
      </div>
      {!isAlone && (
        <aside ref={side} className="watch-side" aria-labelledby="episodes">
          <h2 id="episodes">All episodes</h2>
          <EpisodeList
            malId={page.malId}
            episodes={withTick(page.episodes, page.episode, shown.isTicked)}
            current={page.episode}
            stillOf={EpisodeStill}
          />
          <Pager
            {...page.listPage}
            pathOf={(to) => watchPath(page.malId, (to - 1) * page.listPage.perPage + 1)}
          />
        </aside>
      )}
    </div>
  );
}

/** The episodes with the tick that the episode has by now. A seen one has no "12 min left". */
const withTick = <Item extends EpisodeItem>(episodes: readonly Item[], number: number, isSeen: boolean) =>
  episodes.map((item) =>
    item.number === number ? { ...item, isSeen, state: isSeen && item.isPlayable ? "" : item.state } : item,
  );

/** Scrolls the list beside the film, and only that, to the episode that is being watched. */
function useCurrentInView(episode: number) {
  const side = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each episode is another line of the list
  useEffect(() => {
    const line = side.current?.querySelector<HTMLElement>(".episode[aria-current]")?.parentElement;
    if (side.current && line)
      side.current.scrollTop = line.offsetTop - (side.current.clientHeight - line.offsetHeight) / 2;
  }, [episode]);
  return side;
}

type StepProps = { to: EpisodeLink | null; rel: "prev" | "next"; filmsNeedSignIn: boolean };

function Step({ to, rel, filmsNeedSignIn }: StepProps) {
  const label = rel === "prev" ? "Previous" : "Next";
  const icon = rel === "prev" ? <LeftIcon /> : <RightIcon />;
  if (to === null)
    return (
      <span className="watch-step" data-rel={rel} aria-disabled="true">
        {icon}
        {label}
      </span>
    );
  const note = to.isPlayable || filmsNeedSignIn ? "" : " · not here yet";
  return (
    <Link
      className="watch-step"
      data-rel={rel}
      rel={rel}
      to={to.href}
      aria-label={`${label}${note}: ${to.name}`}
    >
      {icon}
      <span>
        {label}
        {note !== "" && <span className="quiet">{note}</span>}
      </span>
    </Link>
  );
}

/** Says below the film that watching it is not recorded, so that its absence from the history is no surprise later. */
const NotRemembered = () => (
  <p className="quiet">
    What you watch is not remembered. <Link to={`${settingsPath()}#privacy`}>Change this</Link>
  </p>
);
