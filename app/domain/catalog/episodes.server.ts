import { and, asc, between, eq } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { episodeSources, episodeSubtitles, episodes, skipSegments } from "#db/schema/catalog.ts";
import { done, type Outcome, refuse } from "../errors.ts";
import type { Anime, Episode } from "./catalog.ts";
import { countEpisodes, getVisibleTitle } from "./details.server.ts";

/**
 * Episodes of a title. They are numbered as far as the title's own count goes; a row is only needed for an episode of
 * which more is known than its number.
 */

const perPage = 100;
export type EpisodePage = {
  episodes: Episode[];
  total: number;
  page: number;
  lastPage: number;
  perPage: number;
};

export async function listEpisodes(
  malId: number,
  page: number,
  showMature: boolean,
): Promise<Outcome<EpisodePage>> {
  const title = await getVisibleTitle(malId, showMature);
  if (!title.ok) return title;
  const total = await countEpisodes(title.value);
  const first = (page - 1) * perPage + 1;
  const last = Math.min(total, first + perPage - 1);
  const lastPage = Math.max(1, Math.ceil(total / perPage));
  return done({ episodes: await readEpisodes(title.value, first, last), total, page, lastPage, perPage });
}

export async function getEpisode(
  malId: number,
  number: number,
  showMature: boolean,
): Promise<Outcome<Episode>> {
  const title = await getVisibleTitle(malId, showMature);
  if (!title.ok) return title;
  if (number < 1 || number > (await countEpisodes(title.value)))
    return refuse("not_found", "No such episode");
  const [episode] = await readEpisodes(title.value, number, number);
  return episode ? done(episode) : refuse("not_found", "No such episode");
}

async function readEpisodes(anime: Anime, first: number, last: number): Promise<Episode[]> {
  if (last < first) return [];
  const inSpan = (table: typeof episodeSources | typeof episodeSubtitles | typeof skipSegments) =>
    and(eq(table.malId, anime.mal_id), between(table.episode, first, last));
  const [rows, sources, subtitles, segments] = await Promise.all([
    db
      .select()
      .from(episodes)
      .where(and(eq(episodes.malId, anime.mal_id), between(episodes.number, first, last))),
    db.select().from(episodeSources).where(inSpan(episodeSources)).orderBy(asc(episodeSources.position)),
    db
      .select()
      .from(episodeSubtitles)
      .where(inSpan(episodeSubtitles))
      .orderBy(asc(episodeSubtitles.position)),
    db.select().from(skipSegments).where(inSpan(skipSegments)).orderBy(asc(skipSegments.start)),
  ]);
  const known = new Map(rows.map((row) => [row.number, row]));
  const of = <Row extends { episode: number }>(all: readonly Row[], number: number) =>
    all.filter((row) => row.episode === number);

  return Array.from({ length: last - first + 1 }, (_, index): Episode => {
    const number = first + index;
    const row = known.get(number);
    const playable = of(sources, number);
    return {
      id: `${anime.mal_id}-${number}`,
      anime_mal_id: anime.mal_id,
      episode_id: number,
      title: row?.title ?? null,
      description: row?.description ?? null,
      date: row?.airedAt?.toISOString() ?? null,
      image_url: row?.imageUrl ?? null,
      video_url: playable[0]?.url ?? null,
      duration: row?.durationSeconds ?? null,
      sources: playable.map(({ url, type, label, language }) => ({ url, type, label, language })),
      subtitles: of(subtitles, number).map(({ url, language, label }) => ({ url, language, label })),
      skip: of(segments, number).map(({ kind, start, end }) => ({ kind, start, end })),
    };
  });
}
