import { eq, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { episodeSources, episodes, titleRelations } from "#db/schema/catalog.ts";
import { done, type Outcome, refuse } from "../errors.ts";
import type { Anime, AnimeDetails, Relation } from "./catalog.ts";
import { findTitle, listTitlesById } from "./listing.server.ts";

/** One title with what belongs to it, if this caller may see it. */

export async function getVisibleTitle(malId: number, showMature: boolean): Promise<Outcome<Anime>> {
  const found = await findTitle(malId);
  if (!found) return refuse("not_found", "No such title in this catalog");
  if (found.isMature && !showMature) return refuse("forbidden", "Hidden by parental control");
  return done(found.anime);
}

export async function getTitle(malId: number, showMature: boolean): Promise<Outcome<AnimeDetails>> {
  const found = await getVisibleTitle(malId, showMature);
  if (!found.ok) return found;
  const [relations, episode_count, playable] = await Promise.all([
    listRelations(malId, showMature),
    countEpisodes(found.value),
    isPlayable(malId),
  ]);
  return done({ ...found.value, relations, episode_count, playable });
}

/** Related titles that are here but hidden are left out, name and all. */
async function listRelations(malId: number, showMature: boolean): Promise<Relation[]> {
  const rows = await db
    .select()
    .from(titleRelations)
    .where(eq(titleRelations.malId, malId))
    .orderBy(titleRelations.relation, titleRelations.relatedId);
  const ids = [...new Set(rows.map((row) => row.relatedId))];
  const [all, shown] = await Promise.all([listTitlesById(ids, true), listTitlesById(ids, showMature)]);
  const here = new Set(all.map((anime) => anime.mal_id));
  const byId = new Map(shown.map((anime) => [anime.mal_id, anime]));
  return rows
    .filter(({ relatedId }) => byId.has(relatedId) || !here.has(relatedId))
    .map(({ relation, relatedId, name }) => {
      const anime = byId.get(relatedId) ?? null;
      return { relation, mal_id: relatedId, title: anime?.title ?? name, anime };
    });
}

/** The rows there are, or as many as the title says it has. */
export async function countEpisodes({ mal_id, episodes: told }: Pick<Anime, "mal_id" | "episodes">) {
  const [row] = await db
    .select({ last: sql<number | null>`max(${episodes.number})` })
    .from(episodes)
    .where(eq(episodes.malId, mal_id));
  return Math.max(told ?? 0, row?.last ?? 0);
}

async function isPlayable(malId: number) {
  const rows = await db
    .select({ one: sql`1` })
    .from(episodeSources)
    .where(eq(episodeSources.malId, malId))
    .limit(1);
  return rows.length > 0;
}
