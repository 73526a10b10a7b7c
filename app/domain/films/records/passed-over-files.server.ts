import { and, asc, isNotNull, isNull, sql } from "drizzle-orm";
import { filmFormats } from "#app/platform/media-types.ts";
import { db, withTransaction } from "#db/client.server.ts";
import { insertRows } from "#db/insert-rows.ts";
import { episodeSources } from "#db/schema/episodes.ts";
import { films, passedOver } from "#db/schema/films.ts";
import type { SearchedFolder } from "../folder/film-folder.server.ts";
import { firstRoot, joinRoot } from "../folder/folders.ts";
import { type PassedOver, type ReadFile, unreadableOf } from "../folder/passed-over.ts";

/** The files that scans did not take as films, and those in which nothing could be read. */

type FolderSearch = {
  folder: string;
  found: SearchedFolder;
  /** The numbers of the roots that could not be read. */
  silent: readonly number[];
};

/** Replaces the files that an earlier scan passed over in the same folder. */
export async function savePassedOver({ folder, found, silent }: FolderSearch): Promise<void> {
  const rows = [...new Map(found.passedOver.map((one) => [one.path, one])).values()];
  const isBelow = (one: string) => sql`starts_with(path, ${`${one}/`})`;
  const isOfSilent = silent.map((number) =>
    number === firstRoot ? sql`path !~ '^[.][0-9]+/'` : isBelow(joinRoot(number, "")),
  );
  const isSearched =
    folder === "" ? sql`not (${sql.join([sql`false`, ...isOfSilent], sql` or `)})` : isBelow(folder);
  await withTransaction(async (transaction) => {
    await transaction.execute(sql`delete from ${passedOver} where ${isSearched}`);
    if (rows.length > 0)
      await transaction.execute(
        insertRows(passedOver, rows, sql`on conflict (path) do update set reason = excluded.reason`),
      );
  });
}

/** True for a film of which `unreadableOf` says that nothing in it can be read. */
export const isDamagedFilm = sql<boolean>`(films.size is not null and films.inspection ->> 'container' = 'other'
  and films.path ~* ${`[.](${[...filmFormats.keys()].join("|")})$`})`;

const isDamaged = and(isDamagedFilm, isNull(films.goneAt), isNotNull(films.seenSize));

/** `withoutTitle`: the damaged files that belong to no title and wait for no decision. Scans count them as found. */
export async function countPassedOver(): Promise<{ all: number; withoutTitle: number }> {
  const isOfNoTitle = sql`not exists (select from ${episodeSources} where film_id = films.id)`;
  const [passed, damaged, withoutTitle] = await Promise.all([
    db.$count(passedOver),
    db.$count(films, isDamaged),
    db.$count(films, and(isDamaged, isNull(films.state), isOfNoTitle)),
  ]);
  return { all: passed + damaged, withoutTitle };
}

export async function listPassedOver(limit: number): Promise<{ files: PassedOver[]; more: number }> {
  const [rows, damaged, { all }] = await Promise.all([
    db.select().from(passedOver).orderBy(asc(passedOver.path)).limit(limit),
    db
      .select({
        path: films.path,
        size: sql<number>`${films.size}`.mapWith(Number),
        inspection: sql<ReadFile["inspection"]>`${films.inspection}`,
      })
      .from(films)
      .where(isDamaged)
      .orderBy(asc(films.path))
      .limit(limit),
    countPassedOver(),
  ]);
  const unreadable = damaged.map((film) => ({ path: film.path, reason: unreadableOf(film) ?? "damaged" }));
  const files = [...rows, ...unreadable]
    .sort((one, other) => (one.path < other.path ? -1 : 1))
    .slice(0, limit);
  return { files, more: all - files.length };
}
