import { and, asc, between, eq } from "drizzle-orm";
import { done, type Outcome } from "#app/domain/errors.ts";
import {
  isPlayableSource,
  isShownFilm,
  seesFilms,
  type Viewer,
} from "#app/domain/visibility/visibility.server.ts";
import { lastPageOf, type PageFacts } from "#app/platform/numbered-pages.ts";
import { db } from "#db/client.server.ts";
import { episodeSources, episodeSubtitles, episodes, skipSegments } from "#db/schema/episodes.ts";
import { type Episode, namesFile, noSuchEpisode, type Title } from "./catalog.ts";
import { episodeColumns, skipColumns, sourceColumns, subtitleColumns } from "./catalog-rows.server.ts";
import { countEpisodes, getVisibleTitle } from "./visible-title.server.ts";

/**
 * Episodes of a title. Their number comes from the title's own count; the table has a row only for an episode with more
 * data than its number.
 */

const defaultPerPage = 100;
export const pageOfEpisode = (number: number, perPage = defaultPerPage) =>
  Math.max(1, Math.ceil(number / perPage));

type EpisodePage = PageFacts & { episodes: Episode[] };

export async function listEpisodes(
  malId: number,
  page: number,
  viewer: Viewer,
  perPage = defaultPerPage,
): Promise<Outcome<EpisodePage>> {
  const title = await getVisibleTitle(malId, viewer);
  if (!title.ok) return title;
  const total = await countEpisodes(title.value, viewer);
  const first = (page - 1) * perPage + 1;
  const last = Math.min(total, first + perPage - 1);
  const episodes = await readEpisodes(title.value, { first, last }, viewer);
  return done({ episodes, total, page, lastPage: lastPageOf(total, perPage), perPage });
}

export async function getEpisode(malId: number, number: number, viewer: Viewer): Promise<Outcome<Episode>> {
  const title = await getVisibleTitle(malId, viewer);
  if (!title.ok) return title;
  if (number < 1 || number > (await countEpisodes(title.value, viewer))) return noSuchEpisode;
  const [episode] = await readEpisodes(title.value, { first: number, last: number }, viewer);
  return episode ? done(episode) : noSuchEpisode;
}

/** The fields of an episode that has no row. */
const emptyFields = { title: null, description: null, airedAt: null, imageUrl: null, durationSeconds: null };

type Span = { first: number; last: number };

async function readEpisodes({ malId }: Title, { first, last }: Span, viewer: Viewer): Promise<Episode[]> {
  if (last < first) return [];
  const inSpan = (table: typeof episodeSources | typeof episodeSubtitles | typeof skipSegments) =>
    and(eq(table.malId, malId), between(table.episode, first, last));
  const [rows, sources, subtitles, segments] = await Promise.all([
    db
      .select(episodeColumns)
      .from(episodes)
      .where(and(eq(episodes.malId, malId), between(episodes.number, first, last))),
    db
      .select({ episode: episodeSources.episode, value: sourceColumns })
      .from(episodeSources)
      .where(and(inSpan(episodeSources), isPlayableSource(viewer)))
      .orderBy(asc(episodeSources.position), asc(episodeSources.url)),
    db
      .select({ episode: episodeSubtitles.episode, value: subtitleColumns })
      .from(episodeSubtitles)
      .where(and(inSpan(episodeSubtitles), isShownFilm(viewer, episodeSubtitles.url)))
      .orderBy(asc(episodeSubtitles.position)),
    db
      .select({ episode: skipSegments.episode, value: skipColumns })
      .from(skipSegments)
      .where(inSpan(skipSegments))
      .orderBy(asc(skipSegments.start)),
  ]);
  const rowsByNumber = new Map(rows.map((row) => [row.number, row]));
  const ofEpisode = <Value>(all: readonly { episode: number; value: Value }[], number: number) =>
    all.filter(({ episode }) => episode === number).map(({ value }) => value);

  return Array.from({ length: last - first + 1 }, (_, index): Episode => {
    const number = first + index;
    const shown = ofEpisode(sources, number);
    const fields = rowsByNumber.get(number) ?? { malId, number, ...emptyFields };
    // A file has no public URL, and its path would reveal the name of the film.
    const isFile = fields.imageUrl !== null && namesFile(fields.imageUrl);
    return {
      ...fields,
      imageUrl: isFile ? null : fields.imageUrl,
      sources: shown,
      subtitles: ofEpisode(subtitles, number),
      // Skip segments reveal that a film exists, so they are shown only with one.
      skipSegments: shown.length > 0 || seesFilms(viewer) ? ofEpisode(segments, number) : [],
    };
  });
}
