import { and, asc, count, desc, eq, inArray, isNotNull, isNull, notInArray, sql } from "drizzle-orm";
import { changeCatalog, unrestricted, visibleTo } from "#app/domain/catalog/catalog.server.ts";
import { type Inspection, inspectionFormat } from "#app/media/film/inspection.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { episodeSources } from "#db/schema/episodes.ts";
import { films } from "#db/schema/films.ts";
import { isOwnFilm } from "../folder/film-address.ts";
import type { FilmFile } from "../folder/media-folder.server.ts";

/** What the database keeps of the operator's films. */

export type Film = {
  id: string;
  path: string;
  size: number | null;
  modifiedMs: number | null;
  inspection: Inspection | null;
};

export const filmColumns = {
  id: films.id,
  path: films.path,
  size: films.size,
  modifiedMs: films.modifiedMs,
  inspection: sql<Inspection | null>`${films.inspection}`,
};

/** The path in MEDIA_DIR that a source names, or that of a film that comes with the site; null if it names another address. */
const filmPathOf = (url: string) => (isOwnFilm(url) ? url : (/^media:\/*([^/].*)$/is.exec(url)?.[1] ?? null));

/** The film of a source, which is made if it is new. Null: the source is no such file. */
export async function registerFilm(transaction: Transaction, url: string): Promise<string | null> {
  const path = filmPathOf(url);
  if (path === null) return null;
  const [film] = await transaction
    .insert(films)
    .values({ path })
    // Without a change, nothing would be returned for a film that is known.
    .onConflictDoUpdate({ target: films.path, set: { path } })
    .returning({ id: films.id });
  return film?.id ?? null;
}

/** Makes the films of sources that came with an import of the catalog. What is kept of all films is then out of date. */
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
      ...{ episode: episodeSources.episode, url: episodeSources.url, position: episodeSources.position },
      size: sql<number | null>`coalesce(${films.size}, ${films.seenSize})::float8`,
      film: filmColumns,
    })
    .from(episodeSources)
    .innerJoin(films, eq(films.id, episodeSources.filmId))
    .where(and(eq(episodeSources.malId, malId), inArray(episodeSources.episode, [...episodes])))
    .orderBy(episodeSources.position, episodeSources.url);

/** The films of all episodes, those that came last first. */
export const listNewestFilms = (most: number) =>
  db
    .select({
      ...{ malId: episodeSources.malId, title: titles.title, episode: episodeSources.episode },
      ...{ url: episodeSources.url, film: filmColumns },
    })
    .from(episodeSources)
    .innerJoin(films, eq(films.id, episodeSources.filmId))
    .innerJoin(titles, eq(titles.malId, episodeSources.malId))
    .orderBy(desc(films.arrivedAt), desc(episodeSources.malId), desc(episodeSources.episode))
    .limit(most);

// Not those that come with the site.
const isOfOperator = sql`${episodeSources.url} ilike 'media:%'`;

/** How many films of MEDIA_DIR have a title and are there. */
export async function countRegisteredFilms(): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(distinct ${films.id})::int` })
    .from(films)
    .innerJoin(episodeSources, eq(episodeSources.filmId, films.id))
    .where(and(isNull(films.goneAt), isOfOperator));
  return row?.count ?? 0;
}

/** The films that were read and are there, those that came first at the top. */
export const listFirstFilms = (most: number) =>
  db
    .select({
      ...{ malId: episodeSources.malId, title: titles.title, episode: episodeSources.episode },
      ...{ url: episodeSources.url, film: filmColumns },
    })
    .from(episodeSources)
    .innerJoin(films, eq(films.id, episodeSources.filmId))
    .innerJoin(titles, eq(titles.malId, episodeSources.malId))
    .where(and(isNull(films.goneAt), isNotNull(films.size), visibleTo(unrestricted), isOfOperator))
    .orderBy(asc(films.arrivedAt), asc(episodeSources.malId), asc(episodeSources.episode))
    .limit(most);

const isSource = sql`exists (select 1 from ${episodeSources} where ${episodeSources.filmId} = ${films.id})`;

export async function countFilms(): Promise<{ all: number; unread: number }> {
  const unread = count(sql`case when ${films.size} is null then 1 end`);
  const [row] = await db.select({ all: count(), unread }).from(films).where(isSource);
  return row ?? { all: 0, unread: 0 };
}

/** `never`: those that were never read; `before`: those that an older version of the site has read. */
export function listUnreadFilms(read: "never" | "before", without: readonly string[], most: number) {
  const isOlder = sql`(${films.inspection} ->> 'format')::int <> ${inspectionFormat}`;
  return (
    db
      .select(filmColumns)
      .from(films)
      .where(
        and(
          read === "never" ? isNull(films.size) : isOlder,
          isNull(films.goneAt),
          // It still grows.
          sql`${films.state} is distinct from 'waiting'`,
          notInArray(films.id, [...without]),
        ),
      )
      // Several instances do not read the same films at the same time.
      .orderBy(desc(isSource), sql`random()`)
      .limit(most)
  );
}

type Read = FilmFile & { fingerprint: string; inspection: Inspection; keyFrames: Buffer | null };

export async function saveInspection(id: string, read: Omit<Read, "file">): Promise<void> {
  await db
    .update(films)
    .set({ ...read, goneAt: null })
    .where(eq(films.id, id));
}

/** The index of a film that has none. Ignored if the film was read again meanwhile. */
export async function saveIndex(
  { id, size, modifiedMs }: Film,
  made: { inspection: Inspection; keyFrames: Buffer },
): Promise<void> {
  const isSame = and(eq(films.id, id), sql`size = ${size} and modified_ms = ${modifiedMs}`);
  await db.update(films).set(made).where(isSame);
}
