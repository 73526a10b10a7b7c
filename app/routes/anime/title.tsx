import { lazy, Suspense } from "react";
import { data, Link, redirect, useLocation } from "react-router";
import { redirectIfReplaced } from "#app/api/access/replaced-title.server.ts";
import { getVisit } from "#app/api/access/viewer.server.ts";
import { editListByForm } from "#app/api/list-form.server.ts";
import { findHiddenTitle, getTitle, listEpisodes } from "#app/domain/catalog/catalog.server.ts";
import { listSimilarTitles } from "#app/domain/discovery/discovery.server.ts";
import type { Refusal } from "#app/domain/errors.ts";
import { listStatusChoices } from "#app/domain/library/library.ts";
import { getCurrentUser, memberWrites } from "#app/http/access/guard.server.ts";
import { sameOriginPage } from "#app/http/access/same-origin.server.ts";
import { pathAdding, posterPath, signInPath, slugOf, titlePath } from "#app/paths.ts";
import { timeAgoText } from "#app/ui/date-format.server.ts";
import { BookmarkIcon, InfoIcon, PlayIcon, RightIcon } from "#app/ui/icons/icons.tsx";
import { htmlMeta } from "#app/ui/shell/page-meta.ts";
import { EpisodeList } from "#app/ui/titles/episode-list.tsx";
import { FilmsForMembers } from "#app/ui/titles/films-for-members.tsx";
import { CardRow } from "#app/ui/titles/row.tsx";
import { toEpisode } from "#app/ui/titles/title-views.server.ts";
import type { Route } from "./+types/title";
import { FactList } from "./fact-list.tsx";
import { TitleHead } from "./title-head.tsx";
import { toSimilar, toTitlePage } from "./title-page.server.ts";
import { Trailer } from "./trailer.tsx";
import { getViewerState } from "./viewer-state.server.ts";

/** Loaded only for members, as visitors have no list. The server imports it at once, to render it without scripts. */
const EntryEditor = import.meta.env.SSR
  ? (await import("./entry-editor.tsx")).EntryEditor
  : lazy(async () => ({ default: (await import("./entry-editor.tsx")).EntryEditor }));

/** Loaded only for members, as only they tick episodes. */
const EpisodeChecklist = import.meta.env.SSR
  ? (await import("./episode-checklist.tsx")).EpisodeChecklist
  : lazy(async () => ({ default: (await import("./episode-checklist.tsx")).EpisodeChecklist }));

/** Loaded only for operators. */
const operatorParts = () => import("./operator-parts.tsx");
const { EditTitle, HideTitle, HiddenTitlePage } = import.meta.env.SSR
  ? await operatorParts()
  : {
      EditTitle: lazy(async () => ({ default: (await operatorParts()).EditTitle })),
      HideTitle: lazy(async () => ({ default: (await operatorParts()).HideTitle })),
      HiddenTitlePage: lazy(async () => ({ default: (await operatorParts()).HiddenTitlePage })),
    };

/** Loaded only for the owner of a household with a child. */
const ForChildren = import.meta.env.SSR
  ? (await import("./for-children.tsx")).ForChildren
  : lazy(async () => ({ default: (await import("./for-children.tsx")).ForChildren }));

const maxSimilar = 14;

export const middleware: Route.MiddlewareFunction[] = [sameOriginPage, memberWrites];

/** 0 for everything else: no title has that id. */
const idOf = ({ id }: { id: string }) => (/^\d{1,9}$/.test(id) ? Number(id) : 0);

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const malId = idOf(params);
  const { user, preferences, viewer, timeZone, filmsNeedSignIn } = await getVisit(request, context);
  const language = preferences.titleLanguage;
  const shownFor = { language, timeZone, now: new Date() };
  const url = new URL(request.url);
  const page = Math.max(1, Number.parseInt(url.searchParams.get("episodes") ?? "1", 10) || 1);
  const [found, episodes, similar, { seen, ...own }] = await Promise.all([
    getTitle(malId, viewer),
    listEpisodes(malId, page, viewer),
    listSimilarTitles(malId, maxSimilar, viewer),
    getViewerState(malId, { user, viewer, language }),
  ]);
  const isOperator = user?.role === "operator";
  if (!found.ok) return { hidden: await getHiddenTitle(malId, found.reason, isOperator) };
  // Only the id counts. A wrong slug redirects to the right one, so that each title has one address.
  const slug = slugOf(found.value.title);
  if ((params.slug ?? "") !== slug) throw redirect(titlePath(malId, found.value.title) + url.search, 301);
  return {
    ...toTitlePage(found.value, episodes.ok ? episodes.value.episodes : [], shownFor),
    episodes: episodes.ok ? episodes.value.episodes.map((episode) => toEpisode(episode, seen)) : [],
    episodePage: episodes.ok ? { page: episodes.value.page, lastPage: episodes.value.lastPage } : null,
    similar: toSimilar(similar, language),
    ...own,
    filmsNeedSignIn,
    statuses: user && listStatusChoices(),
    isOperator,
  };
}

/** What operators are told about a hidden title. For everybody else it does not exist. */
async function getHiddenTitle(malId: number, reason: Refusal["reason"], isOperator: boolean) {
  await redirectIfReplaced(malId, (to) => titlePath(to, ""));
  const hidden = isOperator ? await findHiddenTitle(malId) : null;
  if (hidden === null) throw data(null, { status: reason === "forbidden" ? 403 : 404 });
  const { hiddenAt, ...title } = hidden;
  return { ...title, ago: timeAgoText(hiddenAt, new Date()) };
}

export async function action({ request, context }: Route.ActionArgs) {
  return editListByForm(getCurrentUser(context), request);
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  if (!loaderData) return [];
  if ("hidden" in loaderData)
    return htmlMeta(matches, { title: loaderData.hidden.title, description: "Shown to nobody." });
  const { head } = loaderData;
  return htmlMeta(matches, {
    title: head.year === null ? head.name : `${head.name} (${head.year})`,
    description: head.synopsis ?? `${head.name}: facts, episodes and related titles.`,
    path: head.path,
    image: posterPath(head.malId, 640),
    type: head.type === "Movie" ? "video.movie" : "video.tv_show",
  });
};

export default function Title({ loaderData: page, actionData }: Route.ComponentProps) {
  const { pathname } = useLocation();
  if ("hidden" in page)
    return (
      <Suspense>
        <HiddenTitlePage {...page.hidden} />
      </Suspense>
    );
  const { head, episodes, episodePage, isPlayable, isUpcoming, facts } = page;
  return (
    <>
      <TitleHead
        title={head}
        kicker={page.kicker}
        otherNames={page.otherNames}
        ratingLabel={page.ratingLabel}
        voters={page.voters}
        genres={page.genres}
      >
        {page.watch && (
          <Link className="button" data-kind="primary" to={page.watch.path}>
            <PlayIcon />
            {page.watch.label}
          </Link>
        )}
        {page.next && (
          <Link className="button title-next" data-kind="glass" to={page.next.path}>
            <span>
              Next: <span lang={page.next.lang}>{page.next.name}</span>
            </span>
            <RightIcon />
          </Link>
        )}
        {page.statuses === null && (
          <Link
            className="button"
            data-kind={isPlayable ? "glass" : "primary"}
            to={signInPath({ redirectTo: pathAdding(pathname, head.malId) })}
          >
            <BookmarkIcon />
            Add to list
          </Link>
        )}
      </TitleHead>
      <div className="wrap">
        <div className="title-body" data-own={page.statuses !== null || undefined}>
          {page.statuses !== null && (
            <div className="title-own">
              <Suspense>
                <EntryEditor
                  key={head.malId}
                  malId={head.malId}
                  statuses={page.statuses}
                  entry={page.entry}
                  episodes={head.episodes}
                  answer={actionData}
                />
              </Suspense>
            </div>
          )}
          <div className="title-main">
            {head.synopsis !== null && (
              <section aria-label="Synopsis">
                <p className="synopsis">{head.synopsis}</p>
              </section>
            )}
            {!isPlayable &&
              (page.filmsNeedSignIn && !isUpcoming ? (
                <FilmsForMembers path={pathname} />
              ) : (
                <NoVideo isUpcoming={isUpcoming} />
              ))}
            {page.trailer !== null && (
              <section aria-label="Trailer">
                <Trailer key={head.malId} youtubeId={page.trailer} name={head.name} />
              </section>
            )}
            {episodes.length > 0 && episodePage !== null && (
              <section aria-labelledby="episodes">
                <h2 id="episodes">Episodes</h2>
                {page.statuses === null ? (
                  <EpisodeList malId={head.malId} episodes={episodes} {...episodePage} />
                ) : (
                  <Suspense>
                    <EpisodeChecklist
                      key={head.malId}
                      malId={head.malId}
                      last={head.episodes}
                      progress={page.entry?.progress ?? 0}
                      episodes={episodes}
                      {...episodePage}
                    />
                  </Suspense>
                )}
              </section>
            )}
          </div>
          <aside className="title-side" aria-label="Facts">
            <h2>Facts</h2>
            <FactList facts={facts} />
            {page.forChildren && (
              <Suspense>
                <ForChildren malId={head.malId} path={head.path} {...page.forChildren} />
              </Suspense>
            )}
            {page.isOperator && (
              <Suspense>
                <EditTitle malId={head.malId} />
                <HideTitle malId={head.malId} />
              </Suspense>
            )}
          </aside>
        </div>
        {page.related.length > 0 && <CardRow title="Related" titles={page.related} />}
        {page.similar.length > 0 && <CardRow title="Similar" titles={page.similar} />}
      </div>
    </>
  );
}

function NoVideo({ isUpcoming }: { isUpcoming: boolean }) {
  return (
    <section className="notice" aria-label="Video">
      <InfoIcon />
      <p>
        <b>{isUpcoming ? "Not yet aired" : "No video"}</b>
        {isUpcoming
          ? "Add it to your list to find it again when it airs."
          : "This site has no source for this title. You can still add it to your list and record your progress."}
      </p>
    </section>
  );
}
