import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { type FoundFile, isDamagedFilm, isDemonstrationFilm } from "#app/domain/films/films.server.ts";
import { isPlaylistPath } from "#app/platform/media-types.ts";
import { uuidArray } from "#db/arrays.ts";
import { db, type Transaction, withTransaction } from "#db/client.server.ts";
import { insertRows } from "#db/insert-rows.ts";
import { titleChanges } from "#db/schema/catalog-state.ts";
import type { filmStates } from "#db/schema/enumerations.ts";
import { episodeSources, episodeSubtitles } from "#db/schema/episodes.ts";
import { films } from "#db/schema/films.ts";
import { filmDecisions } from "#db/schema/scanning.ts";
import { type Decisions, lockUnchangedFilms } from "../decisions.server.ts";

/** Reads and writes the rows of the files in MEDIA_DIR. */

export type FilmState = (typeof filmStates)[number];

export type KnownFilm = Pick<
  typeof films.$inferSelect,
  "id" | "path" | "size" | "seenSize" | "seenModifiedMs" | "fingerprint" | "state" | "judgedAt" | "linkTarget"
> & {
  isGone: boolean;
  isSource: boolean;
  /** True if nothing in the film's file can be read. */
  isDamaged: boolean;
};

const isSourceOfEpisode = sql<boolean>`exists (select from ${episodeSources} where film_id = films.id)`;

/** A large collection is read in batches, because a query may take only seconds. */
const rowsAtOnce = 20_000;

export async function listKnownFilms(): Promise<KnownFilm[]> {
  const known: KnownFilm[] = [];
  const damaged = new Set(
    (await db.select({ id: films.id }).from(films).where(isDamagedFilm)).map(({ id }) => id),
  );
  for (let after = ""; ; ) {
    const rows = await db
      .select({
        id: films.id,
        path: films.path,
        size: films.size,
        seenSize: films.seenSize,
        seenModifiedMs: films.seenModifiedMs,
        fingerprint: films.fingerprint,
        state: films.state,
        judgedAt: films.judgedAt,
        linkTarget: films.linkTarget,
        isGone: sql<boolean>`${films.goneAt} is not null`,
        isSource: isSourceOfEpisode,
      })
      .from(films)
      .where(sql`${films.path} collate "C" > ${after}`)
      .orderBy(sql`${films.path} collate "C"`)
      .limit(rowsAtOnce);
    for (const film of rows)
      if (!isDemonstrationFilm(film.path)) known.push({ ...film, isDamaged: damaged.has(film.id) });
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsAtOnce) return known;
    after = last.path;
  }
}

/** The films that were found through links: their paths, by their real paths. */
export async function listLinkedFilms(): Promise<Map<string, string>> {
  const rows = await db
    .select({ path: films.path, target: films.linkTarget })
    .from(films)
    .where(and(isNotNull(films.linkTarget), isNull(films.goneAt)));
  return new Map(rows.map(({ path, target }) => [target ?? "", path]));
}

/** The version of the last title change. A proposal made before it may be outdated. */
export async function lastTitleChange(): Promise<number> {
  const [row] = await db
    .select({ last: sql<string | null>`max(${titleChanges.version})` })
    .from(titleChanges);
  return Number(row?.last ?? 0);
}

const columnsOf = ({ path, size, modifiedMs, linkTarget }: FoundFile) => ({
  path,
  size,
  modified_ms: modifiedMs,
  link_target: linkTarget,
});

export async function addFilms(files: readonly FoundFile[]): Promise<void> {
  if (files.length === 0) return;
  const seenAt = new Date();
  const rows = files.map(({ path, size, modifiedMs, linkTarget }) => ({
    path,
    linkTarget,
    seenSize: size,
    seenModifiedMs: modifiedMs,
    seenAt,
    arrivedAt: seenAt,
    id: crypto.randomUUID(),
  }));
  await db.execute(insertRows(films, rows, sql`on conflict (path) do nothing`));
}

/** Updates files whose size or modification time changed. Their contents will be read again. */
export async function renewFilms(files: readonly FoundFile[]): Promise<void> {
  if (files.length === 0) return;
  const rows = JSON.stringify(files.map(columnsOf));
  await db.execute(sql`
    update ${films} set seen_size = file.size, seen_modified_ms = file.modified_ms, seen_at = now(),
      link_target = file.link_target,
      size = case when films.size = file.size and films.modified_ms = file.modified_ms then films.size end
    from json_to_recordset(${rows}::text::json) as file(path text, size bigint, modified_ms bigint, link_target text)
    where films.path = file.path
      and (seen_size, seen_modified_ms, films.link_target)
        is distinct from (file.size, file.modified_ms, file.link_target)`);
}

export type Judged = {
  id: string;
  path: string;
  state: FilmState | null;
  proposal: object | null;
};

/** The decisions and the last title change from which films were judged. */
export type JudgementBasis = { decisions: Decisions; titleChange: number };

/** Skips films about which an operator has decided meanwhile. The scan that the decision requests judges them. */
export async function saveJudgements(
  judged: readonly Judged[],
  { decisions, titleChange }: JudgementBasis,
): Promise<void> {
  if (judged.length === 0) return;
  await withTransaction(async (transaction) => {
    const unchanged = await lockUnchangedFilms(transaction, judged, decisions);
    const rows = judged
      .filter(({ id }) => unchanged.has(id))
      .map(({ id, state, proposal }) => ({ id, state, proposal }));
    await transaction.execute(sql`
      update ${films} set state = judged.state, proposal = judged.proposal, judged_at = ${titleChange}
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as judged(id uuid, state text, proposal jsonb)
      where films.id = judged.id`);
  });
}

export async function markFilms(
  transaction: Transaction,
  { gone, back }: { gone: readonly string[]; back: readonly string[] },
): Promise<void> {
  await transaction.execute(
    sql`update ${films} set gone_at = now() where id = any (${uuidArray(gone)}) and gone_at is null`,
  );
  await transaction.execute(sql`update ${films} set gone_at = null where id = any (${uuidArray(back)})`);
}

export type Move = { id: string; from: string; to: FoundFile };

/**
 * Two files can swap names, so all films first move to a temporary path. If another film already has the new path, its
 * sources and decisions go to the moved film.
 */
export async function moveFilms(transaction: Transaction, moves: readonly Move[]): Promise<void> {
  const rows = JSON.stringify(moves.map(({ id, to }) => ({ id, ...columnsOf(to) })));
  const moved = sql`json_to_recordset(${rows}::text::json)
    as moved(id uuid, path text, size bigint, modified_ms bigint, link_target text)`;
  const replaced = await transaction.execute<{ from: string; to: string }>(sql`
    select films.id as "from", moved.id as "to" from ${films} join ${moved} on moved.path = films.path
    where films.id not in (select id from ${moved})`);
  for (const one of replaced) await mergeFilms(transaction, one);
  await transaction.execute(
    sql`update ${films} set path = '/moving/' || films.id from ${moved} where films.id = moved.id`,
  );
  await transaction.execute(sql`
    update ${films} set path = moved.path, link_target = moved.link_target, gone_at = null,
      seen_size = moved.size, seen_modified_ms = moved.modified_ms, seen_at = now(),
      size = case when films.size = moved.size then films.size end,
      modified_ms = case when films.size = moved.size then moved.modified_ms end
    from ${moved} where films.id = moved.id`);
  for (const url of [sql`'media:/moving/' || moved.id`, sql`'media:' || moved.path`])
    await transaction.execute(
      sql`update ${episodeSources} set url = ${url} from ${moved} where film_id = moved.id`,
    );
}

/** Updates the paths of moved subtitles. Subtitles that the episode already has at the new path stay. */
export async function moveSubtitles(
  transaction: Transaction,
  moved: readonly { from: string; to: string }[],
): Promise<void> {
  if (moved.length === 0) return;
  const rows = sql`json_to_recordset(${JSON.stringify(moved)}::text::json) as moved("from" text, "to" text)`;
  await transaction.execute(sql`
    delete from ${episodeSubtitles} own using ${rows} where own.url = 'media:' || moved."from" and exists (
      select from ${episodeSubtitles} other where other.url = 'media:' || moved."to"
        and other.mal_id = own.mal_id and other.episode = own.episode)`);
  await transaction.execute(sql`
    update ${episodeSubtitles} set url = 'media:' || moved."to" from ${rows} where url = 'media:' || moved."from"`);
}

/**
 * Playlists of different episodes are often identical bytes that refer to files beside them, so content does not
 * identify them.
 */
export const isKnownByContent = (path: string) => !isPlaylistPath(path);

type TwinFiles = {
  gone: string;
  from: string;
  here: string;
  to: string;
  size: number;
  modifiedMs: number;
  linkTarget: string | null;
};

/**
 * Finds the same file twice: as a missing film and as a new one. The missing film's row is kept and gets the new path.
 * Pairs are skipped if another present film has the same content, or if the new film has episodes that the missing one
 * lacks. A file that went missing before it was read is matched by size and modification time.
 */
export async function listTwins(): Promise<TwinFiles[]> {
  const rows = await db.execute<TwinFiles>(sql`
    with alone as (
      select fingerprint from ${films} where fingerprint is not null and seen_size > 0
      group by fingerprint having count(*) filter (where gone_at is null) = 1),
    unread as (
      select seen_size, seen_modified_ms from ${films}
      where (seen_size, seen_modified_ms) in (
        select seen_size, seen_modified_ms from ${films} where gone_at is not null and fingerprint is null)
      group by seen_size, seen_modified_ms having count(*) filter (where gone_at is null) = 1),
    pairs as (
      select gone.id as gone, here.id as here from ${films} gone
        join alone using (fingerprint) join ${films} here using (fingerprint)
      union all
      select gone.id, here.id from ${films} gone
        join unread using (seen_size, seen_modified_ms) join ${films} here using (seen_size, seen_modified_ms)
        where gone.fingerprint is null)
    select distinct on (here.id) gone.id as gone, gone.path as "from", here.id as here, here.path as "to",
      here.seen_size::float8 as size, here.seen_modified_ms::float8 as "modifiedMs",
      here.link_target as "linkTarget"
    from pairs join ${films} gone on gone.id = pairs.gone join ${films} here on here.id = pairs.here
    where gone.gone_at is not null and here.gone_at is null and here.arrived_at >= gone.arrived_at
      and here.seen_size > 0 and here.seen_modified_ms is not null
      and not exists (
        select mal_id, episode from ${episodeSources} where film_id = here.id
        except select mal_id, episode from ${episodeSources} where film_id = gone.id)
    order by here.id, gone.arrived_at`);
  return rows.filter(({ from, to }) => isKnownByContent(from) && isKnownByContent(to));
}

/** Moves the decisions of one film to another, and its sources unless the other has some. Deletes the first film. */
export async function mergeFilms(
  transaction: Transaction,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await transaction.execute(sql`
    delete from ${episodeSources} where film_id = ${from}
      and exists (select from ${episodeSources} own where own.film_id = ${to})`);
  await transaction.update(episodeSources).set({ filmId: to }).where(eq(episodeSources.filmId, from));
  await transaction.update(filmDecisions).set({ filmId: to }).where(eq(filmDecisions.filmId, from));
  await transaction.delete(films).where(eq(films.id, from));
}

/** The URLs of all subtitles stored in MEDIA_DIR. */
export async function listKnownSubtitles(): Promise<Set<string>> {
  const rows = await db
    .selectDistinct({ url: episodeSubtitles.url })
    .from(episodeSubtitles)
    .where(sql`${episodeSubtitles.url} ~* '^media:'`);
  return new Set(rows.map(({ url }) => url));
}
