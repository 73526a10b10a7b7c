import { lazy, Suspense } from "react";
import { data, Link, redirect, useLocation } from "react-router";
import { z } from "zod";
import { getTitle, listEpisodes, listSimilarTitles } from "#app/domain/catalog/catalog.server.ts";
import { mostEpisodes } from "#app/domain/catalog/catalog.ts";
import {
  deleteListEntry,
  findStandings,
  listWatchedEpisodes,
  saveListEntry,
} from "#app/domain/library/library.server.ts";
import { collectionTypes } from "#app/domain/library/library.ts";
import { formFaults, readForm } from "#app/http/form.server.ts";
import { findUser } from "#app/http/guard.server.ts";
import { sameOriginPage } from "#app/http/same-origin.server.ts";
import { viewerOf } from "#app/http/viewer.server.ts";
import { EpisodeList } from "#app/ui/episode-list.tsx";
import { FactList } from "#app/ui/fact-list.tsx";
import { BookmarkIcon, InfoIcon, PlayIcon } from "#app/ui/icons.tsx";
import { pageMeta } from "#app/ui/page-meta.ts";
import { posterUrl } from "#app/ui/poster.tsx";
import { CardRow } from "#app/ui/row.tsx";
import { slugOf, titlePath } from "#app/ui/title.ts";
import { TitleHead } from "#app/ui/title-head.tsx";
import { titlePage, toEpisode, toSimilar } from "#app/ui/title-page.ts";
import { Trailer } from "#app/ui/trailer.tsx";
import type { Route } from "./+types/title";

/** Whoever has no list does not load its code; the server draws it for plain browsers too. */
const ListControl = import.meta.env.SSR
  ? (await import("#app/ui/list-control.tsx")).ListControl
  : lazy(async () => ({ default: (await import("#app/ui/list-control.tsx")).ListControl }));

const mostSimilar = 14;

export const middleware: Route.MiddlewareFunction[] = [sameOriginPage];

/** No title has 0. */
const idOf = ({ id }: { id: string }) => (/^\d{1,9}$/.test(id) ? Number(id) : 0);

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const malId = idOf(params);
  const { user, preferences, showsMature, timeZone } = await viewerOf(request, context);
  const language = preferences.titleLanguage;
  const view = { language, timeZone, now: new Date() };
  const url = new URL(request.url);
  const page = Math.max(1, Number.parseInt(url.searchParams.get("episodes") ?? "1", 10) || 1);
  const [found, episodes, similar] = await Promise.all([
    getTitle(malId, showsMature),
    listEpisodes(malId, page, showsMature),
    listSimilarTitles(malId, mostSimilar, showsMature),
  ]);
  if (!found.ok) throw data(null, { status: found.reason === "forbidden" ? 403 : 404 });
  // The id decides; the words behind it are for people, and there is one spelling of them.
  const slug = slugOf(found.value.title);
  if ((params.slug ?? "") !== slug) throw redirect(titlePath(malId, found.value.title) + url.search, 301);
  const own = await readOwn(user?.id ?? null, malId);
  return {
    path: titlePath(malId, found.value.title),
    ...titlePage(found.value, episodes.ok ? episodes.value.episodes : [], view),
    episodes: episodes.ok ? episodes.value.episodes.map((episode) => toEpisode(episode, own.seen)) : [],
    episodePage: episodes.ok ? { page: episodes.value.page, lastPage: episodes.value.lastPage } : null,
    similar: toSimilar(similar, language),
    entry: own.entry,
    listTypes: user && collectionTypes,
  };
}

async function readOwn(userId: string | null, malId: number) {
  if (userId === null) return { entry: null, seen: new Set<number>() };
  const [standings, watched] = await Promise.all([
    findStandings(userId, [malId]),
    listWatchedEpisodes(userId, malId),
  ]);
  return { entry: standings.get(malId) ?? null, seen: new Set(watched) };
}

const change = z.object({
  type: z.enum(collectionTypes).optional(),
  progress: z.coerce.number().int().min(0).max(mostEpisodes).optional(),
  score: z.literal("").or(z.coerce.number().min(0).max(10)).optional(),
  notes: z.string().max(4000).optional(),
  remove: z.literal("1").optional(),
});

export async function action({ request, params, context }: Route.ActionArgs) {
  const path = `/anime/${params.id}${params.slug === undefined ? "" : `/${encodeURIComponent(params.slug)}`}`;
  const user = await findUser(request, context);
  if (user === null) throw redirect(`/signin?redirectTo=${encodeURIComponent(path)}`);
  const form = await readForm(change, request);
  if (!form.ok) return formFaults(form);
  const malId = idOf(params);
  const { remove, score, ...fields } = form.value;
  const saved =
    remove === undefined
      ? await saveListEntry(user.id, { malId, ...fields, score: score === "" ? null : score })
      : await deleteListEntry(user.id, malId);
  if (saved !== undefined && !saved.ok) return formFaults(saved);
  // A plain form gets a page of its own address, so that a reload repeats nothing.
  if (request.headers.get("Accept")?.includes("text/html")) throw redirect(path, 303);
  return { offersCompleted: saved?.value.offersCompleted ?? false };
}

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  if (!loaderData) return [];
  const { head, path } = loaderData;
  return pageMeta(matches, {
    title: head.year === null ? head.name : `${head.name} (${head.year})`,
    description:
      head.synopsis ?? `${head.name}: facts, episodes, related titles and where it stands in your list.`,
    path,
    image: posterUrl(head.malId, 640),
    type: head.type === "Movie" ? "video.movie" : "video.tv_show",
  });
};

export default function Title({ loaderData: page }: Route.ComponentProps) {
  const { head, episodes, episodePage, isPlayable, isUpcoming, facts } = page;
  const { pathname } = useLocation();
  const firstPlayable = episodes.find((episode) => episode.isPlayable)?.number ?? 1;
  return (
    <>
      <TitleHead
        title={head}
        kicker={page.kicker}
        otherNames={page.otherNames}
        ratingWords={page.ratingWords}
        voters={page.voters}
        genres={page.genres}
      >
        {isPlayable && (
          <Link className="button" data-kind="primary" to={`/watch/${head.malId}/${firstPlayable}`}>
            <PlayIcon />
            Watch
          </Link>
        )}
        {page.listTypes === null && (
          <Link
            className="button"
            data-kind={isPlayable ? "glass" : "primary"}
            to={`/signin?redirectTo=${encodeURIComponent(pathname)}`}
          >
            <BookmarkIcon />
            Add to list
          </Link>
        )}
      </TitleHead>
      <div className="wrap">
        <div className="title-body" data-own={page.listTypes !== null || undefined}>
          {page.listTypes !== null && (
            <div className="title-own">
              <Suspense>
                <ListControl types={page.listTypes} entry={page.entry} episodes={head.episodes} />
              </Suspense>
            </div>
          )}
          <div className="title-main">
            {head.synopsis !== null && (
              <section aria-label="Synopsis">
                <p className="synopsis">{head.synopsis}</p>
              </section>
            )}
            {!isPlayable && <NoVideo isUpcoming={isUpcoming} />}
            {page.trailer !== null && (
              <section aria-label="Trailer">
                <Trailer key={head.malId} youtubeId={page.trailer} name={head.name} />
              </section>
            )}
            {episodes.length > 0 && episodePage !== null && (
              <section aria-labelledby="episodes">
                <h2 id="episodes">Episodes</h2>
                <EpisodeList malId={head.malId} episodes={episodes} {...episodePage} />
              </section>
            )}
          </div>
          <aside className="title-side" aria-label="Facts">
            <h2>Facts</h2>
            <FactList facts={facts} />
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
        <b>{isUpcoming ? "Not out yet" : "No video here"}</b>
        {isUpcoming
          ? "Keep it on your list, and it will be waiting there."
          : "This site has no source for this title. You can still keep it on your list and note how far you are."}
      </p>
    </section>
  );
}
