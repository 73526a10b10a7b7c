import { and, asc, count, desc, eq, inArray, isNotNull, isNull, notInArray, sql } from "drizzle-orm";
import { changeCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import { unrestricted, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { type Inspection, inspectionFormat } from "#app/media/film/inspection.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { episodeSources } from "#db/schema/episodes.ts";
import { films } from "#db/schema/films.ts";
import { isDemonstrationFilm, mediaPathIn } from "../folder/film-address.ts";
import type { FilmFile } from "../folder/media-folder.server.ts";

/** The records of the operator's films in the database. */

export type Film = Pick<typeof films.$inferSelect, "id" | "path" | "size" | "modifiedMs"> & {
  inspection: Inspection | null;
};

export const filmColumns = {
  id: films.id,
  path: films.path,
  size: films.size,
  modifiedMs: films.modifiedMs,
  inspection: sql<Inspection | null>`${films.inspection}`,
};

/**
 * The path of a source's film, in MEDIA_DIR or among the films that come with the site; null if the source is another
 * address.
 */
const filmPathOf = (url: string) => (isDemonstrationFilm(url) ? url : mediaPathIn(url));

/** Returns the id of a source's film, and creates its record if it is new. Null if the source is not a film. */
export async function registerFilm(transaction: Transaction, url: string): Promise<string | null> {
  const path = filmPathOf(url);
  if (path === null) return null;
  const [film] = await transaction
    .insert(films)
    .values({ path })
    // An update, because a conflict that does nothing would return no row for a known film.
    .onConflictDoUpdate({ target: films.path, set: { path } })
    .returning({ id: films.id });
  return film?.id ?? null;
}

/**
 * Creates records for the films of sources from an import of the catalog. Raises the catalog's version, because cached
 * facts of films are then stale.
 */
export async function registerImportedFilms(): Promise<void> {
  const unlinked = sql`${episodeSources.filmId} is null and ${episodeSources.url} ~* '^(media:/*[^/]|/film/[^?#]+[.]mkv$)'`;
  if ((await db.$count(episodeSources, unlinked)) === 0) return;
  const path = sql`regexp_replace(${episodeSources.url}, '^media:/*', '', 'i')`;
  await changeCatalog([], async (transaction) => {
    await transaction.execute(sql`
      insert into ${films} (path) select distinct ${path} from ${episodeSources} where ${unlinked}
      on conflict do nothing`);
    await transaction.execute(sql`
      update ${episodeSources} set film_id = ${films.id} from ${films} where ${unlinked} and ${films.path} = ${path}`);
  });
}

export async function findFilm(id: string): Promise<Film | null> {
  const [film] = await db.select(filmColumns).from(films).where(eq(films.id, id));
  return film ?? null;
}

export async function readKeyFrames(id: string): Promise<Buffer | null> {
  const [film] = await db.select({ keyFrames: films.keyFrames }).from(films).where(eq(films.id, id));
  return film?.keyFrames ?? null;
}

/** The films that are sources of these episodes of one title. */
export const listFilmsOf = (malId: number, episodes: readonly number[]) =>
  db
    .select({
      episode: episodeSources.episode,
      url: episodeSources.url,
      position: episodeSources.position,
      size: sql<number | null>`coalesce(${films.size}, ${films.seenSize})::float8`,
      film: filmColumns,
    })
    .from(episodeSources)
    .innerJoin(films, eq(films.id, episodeSources.filmId))
    .where(and(eq(episodeSources.malId, malId), inArray(episodeSources.episode, [...episodes])))
    .orderBy(episodeSources.position, episodeSources.url);

/** The films that have one of these ids, by which other Matroska files refer to them. */
export const listPathsOfSegments = (segmentIds: readonly string[]) => {
  const segmentId = sql<string>`${films.inspection} ->> 'segmentId'`;
  return db
    .select({ segmentId, path: films.path })
    .from(films)
    .where(and(inArray(segmentId, [...segmentIds]), isNull(films.goneAt)));
};

const filmsOfEpisodes = () =>
  db
    .select({
      malId: episodeSources.malId,
      title: titles.title,
      episode: episodeSources.episode,
      url: episodeSources.url,
      film: filmColumns,
    })
    .from(episodeSources)
    .innerJoin(films, eq(films.id, episodeSources.filmId))
    .innerJoin(titles, eq(titles.malId, episodeSources.malId));

/** The films of all episodes, newest arrival first. */
export const listNewestFilms = (limit: number) =>
  filmsOfEpisodes()
    .orderBy(desc(films.arrivedAt), desc(episodeSources.malId), desc(episodeSources.episode))
    .limit(limit);

// Leaves out the films that come with the site.
const isOfOperator = sql`${episodeSources.url} ilike 'media:%'`;

/** Counts the films of MEDIA_DIR that are present and have a title. */
export async function countRegisteredFilms(): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(distinct ${films.id})::int` })
    .from(films)
    .innerJoin(episodeSources, eq(episodeSources.filmId, films.id))
    .where(and(isNull(films.goneAt), isOfOperator));
  return row?.count ?? 0;
}

/** The films that are present and were read, oldest arrival first. */
export const listFirstFilms = (limit: number) =>
  filmsOfEpisodes()
    .where(and(isNull(films.goneAt), isNotNull(films.size), visibleTo(unrestricted), isOfOperator))
    .orderBy(asc(films.arrivedAt), asc(episodeSources.malId), asc(episodeSources.episode))
    .limit(limit);

const isSource = sql`exists (select 1 from ${episodeSources} where ${episodeSources.filmId} = ${films.id})`;

export async function countFilms(): Promise<{ all: number; unread: number }> {
  const unread = count(sql`case when ${films.size} is null then 1 end`);
  const [row] = await db.select({ all: count(), unread }).from(films).where(isSource);
  return row ?? { all: 0, unread: 0 };
}

const maxUnread = 100;

/** `never`: films that were never read; `before`: films that an older version of the site has read. */
export function listUnreadFilms(read: "never" | "before", without: readonly string[]) {
  const isOlder = sql`(${films.inspection} ->> 'format')::int <> ${inspectionFormat}`;
  return (
    db
      .select(filmColumns)
      .from(films)
      .where(
        and(
          read === "never" ? isNull(films.size) : isOlder,
          isNull(films.goneAt),
          // A waiting file is still growing.
          sql`${films.state} is distinct from 'waiting'`,
          notInArray(films.id, [...without]),
        ),
      )
      // Random, so that several instances rarely read the same films at the same time.
      .orderBy(desc(isSource), sql`random()`)
      .limit(maxUnread)
  );
}

type InspectedFile = FilmFile & { fingerprint: string; inspection: Inspection; keyFrames: Buffer | null };

export async function saveInspection(
  id: string,
  read: Omit<InspectedFile, "file" | "id">,
  on: Pick<Transaction, "update"> = db,
): Promise<void> {
  await on
    .update(films)
    .set({ ...read, goneAt: null })
    .where(eq(films.id, id));
}

/**
 * Stores what was found in a film after its inspection, and the index that was made for it. Ignored if the film was read
 * again meanwhile. Raises the catalog's version, because cached public answers say that the film cannot be packaged.
 */
export async function saveIndex(
  { id, size, modifiedMs }: Film,
  made: { inspection: Inspection; keyFrames: Buffer | null },
): Promise<void> {
  const isSame = and(eq(films.id, id), sql`size = ${size} and modified_ms = ${modifiedMs}`);
  await changeCatalog([], (transaction) => transaction.update(films).set(made).where(isSame));
}
