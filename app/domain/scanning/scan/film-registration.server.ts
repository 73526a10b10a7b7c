import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { maxEpisodeNumber } from "#app/domain/catalog/catalog.ts";
import { changeCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import { isSubtitleFile, readSubtitleName, subtitleLabel } from "#app/media/subtitles/subtitle-names.ts";
import { seconds } from "#app/platform/units.ts";
import { uuidArray } from "#db/arrays.ts";
import type { Transaction } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { episodeSources, episodeSubtitles, episodes } from "#db/schema/episodes.ts";
import { films } from "#db/schema/films.ts";
import { type Decisions, lockUnchangedFilms } from "../decisions.server.ts";
import { maxEpisodesOfFilm } from "../names/episode-numbers.ts";
import type { EpisodeSpan } from "./judge-films.server.ts";
import { withdrawFilms } from "./withdrawn-films.server.ts";

/**
 * Registers films as episode sources, and withdraws those that are no longer sure. Every catalog change clears the cached
 * public pages on all instances, so a scan writes its results at most once a second.
 */

type JudgedFilm = { id: string; path: string };
type NewFilmSource = JudgedFilm & EpisodeSpan & { type: string };
type NewFilmSubtitles = EpisodeSpan & {
  path: string;
  language: string;
  /** The film that the file lies beside, if any. */
  film: JudgedFilm | null;
};

const intervalMs = seconds(1);
const maxWaiting = 2_000;

/** A film with several episodes becomes a source of each. */
const episodesOf = ({ first, last }: EpisodeSpan) =>
  Array.from({ length: Math.min(maxEpisodesOfFilm, last - first + 1) }, (_, index) => first + index).filter(
    (episode) => episode >= 1 && episode <= maxEpisodeNumber,
  );

/** Skips films about which an operator has decided differently since `decisions` was read. */
export function createRegistration(decisions: Decisions) {
  let sources: NewFilmSource[] = [];
  let subtitles: NewFilmSubtitles[] = [];
  let withdrawn: JudgedFilm[] = [];
  /** The time of the last write and the earliest time of the next one. */
  let lastAt = Number.NEGATIVE_INFINITY;
  let dueAt = performance.now() + intervalMs;

  /** Writes the pending changes if the interval has passed or many are waiting. `isLast` writes them at once. */
  async function flush({ isLast = false } = {}): Promise<void> {
    if (sources.length + subtitles.length + withdrawn.length === 0) return;
    if (performance.now() < dueAt && !isLast && sources.length + subtitles.length < maxWaiting) return;
    const waitMs = lastAt + intervalMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    const [newSources, newSubtitles, lost] = [sources, subtitles, withdrawn];
    sources = [];
    subtitles = [];
    withdrawn = [];
    await changeCatalog([], async (transaction) => {
      const judged = [...newSources, ...newSubtitles.flatMap(({ film }) => film ?? []), ...lost];
      const unchanged = await lockUnchangedFilms(transaction, judged, decisions);
      await withdrawFilms(
        transaction,
        lost.filter(({ id }) => unchanged.has(id)),
      );
      await addSources(
        transaction,
        newSources.filter(({ id }) => unchanged.has(id)),
      );
      await addSubtitles(
        transaction,
        newSubtitles.filter(({ film }) => film === null || unchanged.has(film.id)),
      );
    });
    lastAt = performance.now();
    dueAt = lastAt + intervalMs;
  }

  return {
    addSource: (source: NewFilmSource) => void sources.push(source),
    addSubtitles: (one: NewFilmSubtitles) => void subtitles.push(one),
    withdraw: (films: readonly JudgedFilm[]) => void withdrawn.push(...films),
    flush,
  };
}

export type Registration = ReturnType<typeof createRegistration>;

async function addSources(transaction: Transaction, sources: readonly NewFilmSource[]): Promise<void> {
  const rows = sources.flatMap((source) =>
    episodesOf(source).map((episode) => ({
      film_id: source.id,
      mal_id: source.malId,
      type: source.type,
      episode,
      url: `media:${source.path}`,
    })),
  );
  if (rows.length === 0) return;
  const validRows = sql`(select * from json_to_recordset(${JSON.stringify(rows)}::text::json)
    as row(film_id uuid, mal_id int, episode int, url text, type text)
    where mal_id in (select mal_id from ${titles}) and film_id in (select id from ${films})) as found`;
  await addEpisodes(transaction, validRows);
  await transaction.execute(sql`
    insert into ${episodeSources} (mal_id, episode, url, type, film_id, position)
    select mal_id, episode, url, type, film_id, ${sharedPosition} from ${validRows}
    on conflict (mal_id, episode, url) do update set film_id = excluded.film_id`);
  const ids = uuidArray(sources.map(({ id }) => id));
  await transaction.execute(sql`
    update ${films} set state = 'registered' where id = any (${ids})
      and id in (select film_id from ${episodeSources})`);
}

async function addSubtitles(transaction: Transaction, subtitles: readonly NewFilmSubtitles[]): Promise<void> {
  const rows = subtitles.flatMap((one) =>
    episodesOf(one).map((episode) => ({
      mal_id: one.malId,
      episode,
      url: `media:${one.path}`,
      language: one.language,
      label: labelOf(one),
    })),
  );
  if (rows.length === 0) return;
  const validRows = sql`(select * from json_to_recordset(${JSON.stringify(rows)}::text::json)
    as row(mal_id int, episode int, url text, language text, label text)
    where mal_id in (select mal_id from ${titles})) as found`;
  await addEpisodes(transaction, validRows);
  await transaction.execute(sql`
    insert into ${episodeSubtitles} (mal_id, episode, url, language, label, position)
    select mal_id, episode, url, language, label, ${nextPosition} from ${validRows}
    on conflict (mal_id, episode, url) do nothing`);
}

const addEpisodes = (transaction: Transaction, found: ReturnType<typeof sql>) =>
  transaction.execute(sql`
    insert into ${episodes} (mal_id, number) select distinct mal_id, episode from ${found}
    order by 1, 2 on conflict do nothing`);

/** All scanned sources of an episode share one position, so that the best of them is offered first. */
const sharedPosition = sql`
  least(32767, coalesce(
    (select min(known.position) from ${episodeSources} known join ${films} on films.id = known.film_id
      where known.mal_id = found.mal_id and known.episode = found.episode and films.state = 'registered'),
    (select max(known.position) + 1 from ${episodeSources} known
      where known.mal_id = found.mal_id and known.episode = found.episode), 0))`;

/** After the episode's existing subtitles, in the order of the paths. */
const nextPosition = sql`
  least(32767, row_number() over (partition by mal_id, episode order by url) - 1 + coalesce(
    (select max(position) + 1 from ${episodeSubtitles} known where known.mal_id = found.mal_id and known.episode = found.episode), 0))`;

const labelOf = ({ path, language }: NewFilmSubtitles): string | null =>
  isSubtitleFile(path)
    ? subtitleLabel({ ...readSubtitleName(path), language: language === "und" ? null : language })
    : null;
