import { isDeepStrictEqual } from "node:util";
import { desc, type SQL, sql } from "drizzle-orm";
import { foldersOf } from "#app/domain/films/films.server.ts";
import { groupBy } from "#app/platform/lists.ts";
import { textArray, uuidArray } from "#db/arrays.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { films as filmRows } from "#db/schema/films.ts";
import { filmDecisions } from "#db/schema/scanning.ts";

/** Operators' decisions about films and folders, in the form a scan needs. */

type Decision = typeof filmDecisions.$inferSelect;

type AppliedDecision =
  | { kind: "title"; malId: number; episode: number; lastEpisode: number }
  | { kind: "special"; malId: number }
  | { kind: "folder-title"; malId: number; shift: number }
  | { kind: "ignored" };

type DecidedFilm = { id: string; path: string };

export type Decisions = {
  of(film: DecidedFilm): { decided: AppliedDecision | null; notTitles: ReadonlySet<number> };
};

export const readDecisions = (): Promise<Decisions> => readDecisionsWhere(db, sql`true`);

/**
 * Locks the rows of judged films until the transaction ends, and returns the ids of those to which the same decisions
 * still apply. An operator who decides locks the rows too, so a scan cannot overwrite what was decided while it ran.
 */
export async function lockUnchangedFilms(
  transaction: Transaction,
  films: readonly DecidedFilm[],
  before: Decisions,
): Promise<ReadonlySet<string>> {
  const ids = sql`any (${uuidArray(films.map(({ id }) => id))})`;
  const folders = [...new Set(films.flatMap(({ path }) => foldersOf(path)))];
  await transaction.execute(
    sql`select from ${filmRows} where ${filmRows.id} = ${ids} order by ${filmRows.id} for no key update`,
  );
  const now = await readDecisionsWhere(
    transaction,
    sql`${filmDecisions.filmId} = ${ids} or ${filmDecisions.folder} = any (${textArray(folders)})`,
  );
  const unchanged = films.filter((film) => isDeepStrictEqual(now.of(film), before.of(film)));
  return new Set(unchanged.map(({ id }) => id));
}

async function readDecisionsWhere(from: Pick<Transaction, "select">, where: SQL): Promise<Decisions> {
  const rows = await from.select().from(filmDecisions).where(where).orderBy(desc(filmDecisions.decidedAt));
  const about = groupBy(rows, ({ filmId, folder }) => filmId ?? `/${folder}`);
  return {
    of({ id, path }) {
      const nearest = [id, ...foldersOf(path).map((folder) => `/${folder}`)].flatMap(
        (key) => about.get(key) ?? [],
      );
      const deciding = nearest.find(({ kind }) => kind !== "not_title");
      const notTitles = nearest.filter(({ kind }) => kind === "not_title").map(({ malId }) => malId);
      return {
        decided: deciding ? toDecided(deciding) : null,
        notTitles: new Set(notTitles.filter((malId) => malId !== null)),
      };
    },
  };
}

function toDecided({ kind, malId, filmId, episode, lastEpisode, shift }: Decision): AppliedDecision {
  if (kind === "ignored" || malId === null) return { kind: "ignored" };
  if (filmId === null) return { kind: "folder-title", malId, shift: shift ?? 0 };
  if (episode === null) return { kind: "special", malId };
  return { kind: "title", malId, episode, lastEpisode: lastEpisode ?? episode };
}
