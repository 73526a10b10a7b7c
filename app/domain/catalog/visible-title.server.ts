import { and, eq, not, sql } from "drizzle-orm";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import type { ExternalId } from "#app/domain/external-ids/external-ids.ts";
import {
  type Barrier,
  barrierTo,
  isPlayableSource,
  seesFilms,
  unrestricted,
  type Viewer,
  visibleTo,
} from "#app/domain/visibility/visibility.server.ts";
import { firstLocalMalId } from "#app/domain/visibility/visibility.ts";
import { db } from "#db/client.server.ts";
import { titleIds, titles } from "#db/schema/catalog.ts";
import { episodeSources, episodes } from "#db/schema/episodes.ts";
import { fileUrlPattern, noSuchTitle, type Title, type TitleDetails, type TitleNames } from "./catalog.ts";
import { titleColumns } from "./catalog-rows.server.ts";
import { listRelations } from "./relations.server.ts";

export async function getVisibleTitle(malId: number, viewer: Viewer): Promise<Outcome<Title>> {
  const isLocal = malId >= firstLocalMalId;
  const [found] = await db
    .select({ title: titleColumns, isVisible: visibleTo(viewer), isHidden: not(visibleTo(unrestricted)) })
    .from(titles)
    .where(eq(titles.malId, malId));
  if (!found || (!found.isVisible && (found.isHidden || isLocal))) return noSuchTitle;
  if (!found.isVisible) return refuse("forbidden", "Hidden by parental control");
  return done(found.title);
}

/** The names of a title that the viewer may see, for the confirmation of a change to the member's own data. */
export async function getTitleNames(malId: number, viewer: Viewer): Promise<Outcome<TitleNames>> {
  const [names] = await db
    .select({
      title: titles.title,
      titleEnglish: titles.titleEnglish,
      titleJapanese: titles.titleJapanese,
    })
    .from(titles)
    .where(and(eq(titles.malId, malId), visibleTo(viewer)));
  return names ? done(names) : noSuchTitle;
}

/**
 * The reason why the viewer may not see a title of this catalog. Null if they may see it, or if they must not learn
 * that it exists.
 */
export async function findBarrier(malId: number, viewer: Viewer): Promise<Barrier | null> {
  const [found] = await db
    .select({ barrier: barrierTo(viewer) })
    .from(titles)
    .where(and(eq(titles.malId, malId), visibleTo(unrestricted)));
  return found?.barrier ?? null;
}

export async function getTitle(malId: number, viewer: Viewer): Promise<Outcome<TitleDetails>> {
  const title = await getVisibleTitle(malId, viewer);
  if (!title.ok) return title;
  const [relations, externalIds, episodeCount, playable] = await Promise.all([
    listRelations(malId, viewer),
    listExternalIds(malId),
    countEpisodes(title.value, viewer),
    isPlayable(malId, viewer),
  ]);
  return done({ ...title.value, relations, externalIds, episodeCount, playable });
}

const listExternalIds = (malId: number): Promise<ExternalId[]> =>
  db
    .select({ site: titleIds.site, id: titleIds.externalId, season: titleIds.season })
    .from(titleIds)
    .where(eq(titleIds.malId, malId))
    .orderBy(titleIds.site, titleIds.externalId);

/**
 * Excludes episode rows that exist only because a source was registered: they have nothing but a number, or a still of
 * the film.
 */
const isKnownWithoutFilm = sql`num_nonnulls(${episodes.title}, ${episodes.description}, ${episodes.airedAt},
  case when ${episodes.imageUrl} ~* ${fileUrlPattern} then null else ${episodes.imageUrl} end, ${episodes.durationSeconds}) > 0`;

/** The larger of the title's own count and the highest episode number that the viewer may know. */
export async function countEpisodes(
  { malId, episodes: ownCount }: Pick<Title, "malId" | "episodes">,
  viewer: Viewer,
) {
  const [row] = await db
    .select({ last: sql<number | null>`max(${episodes.number})` })
    .from(episodes)
    .where(and(eq(episodes.malId, malId), seesFilms(viewer) ? undefined : isKnownWithoutFilm));
  return Math.max(ownCount ?? 0, row?.last ?? 0);
}

async function isPlayable(malId: number, viewer: Viewer) {
  const rows = await db
    .select({ one: sql`1` })
    .from(episodeSources)
    .where(and(eq(episodeSources.malId, malId), isPlayableSource(viewer)))
    .limit(1);
  return rows.length > 0;
}
