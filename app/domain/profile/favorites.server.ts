import { and, eq, sql } from "drizzle-orm";
import { getTitleNames, listShownIds } from "#app/domain/catalog/catalog.server.ts";
import type { TitleNames } from "#app/domain/catalog/catalog.ts";
import { currentIdOf } from "#app/domain/catalog-editing/catalog-editing.server.ts";
import { type Outcome, refuse } from "#app/domain/errors.ts";
import type { Viewer } from "#app/domain/visibility/visibility.server.ts";
import { db, preparedDb, withTransaction } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { favoritesPerPage, maxFavoriteTitles } from "./profile.ts";

/**
 * Changes single favorites of a profile. Each change locks the list before reading it, so two devices never undo each
 * other's change.
 */

const holds = (malId: number) => sql<boolean>`${malId} = any(${users.favoriteAnimes})`;

const maxFavoritesText = maxFavoriteTitles.toLocaleString("en");
export const tooManyFavoritesRefusal = refuse(
  "invalid",
  `You have ${maxFavoritesText} favorites, and no more fit. Remove one first.`,
);

export async function isFavorite(userId: string, malId: number): Promise<boolean> {
  const [row] = await preparedDb
    .select({ isFavorite: holds(malId) })
    .from(users)
    .where(eq(users.id, userId));
  return row?.isFavorite ?? false;
}

/** Appends the title to the favorites. Returns its names. */
export async function addFavorite(
  userId: string,
  namedId: number,
  viewer: Viewer,
): Promise<Outcome<TitleNames>> {
  const malId = await currentIdOf(namedId);
  const names = await getTitleNames(malId, viewer);
  if (!names.ok) return names;
  const added = await db
    .update(users)
    .set({
      favoriteAnimes: sql`array_append(${users.favoriteAnimes}, ${malId}::int)`,
      profileUpdatedAt: new Date(),
    })
    .where(
      and(
        eq(users.id, userId),
        sql`not ${holds(malId)}`,
        sql`cardinality(${users.favoriteAnimes}) < ${maxFavoriteTitles}`,
      ),
    )
    .returning({ id: users.id });
  return added.length > 0 || (await isFavorite(userId, malId)) ? names : tooManyFavoritesRefusal;
}

/** Does nothing if the title is not a favorite. */
export async function removeFavorite(userId: string, namedId: number): Promise<void> {
  const malId = await currentIdOf(namedId);
  await db
    .update(users)
    .set({
      favoriteAnimes: sql`array_remove(${users.favoriteAnimes}, ${malId}::int)`,
      profileUpdatedAt: new Date(),
    })
    .where(and(eq(users.id, userId), holds(malId)));
}

export type FavoriteMove = { malId: number; to: "first" | "earlier" | "later" };

/**
 * Moves the title to the front, or past the next favorite that the member can see. If it moved past a hidden one, it
 * would appear to stay in place. Returns the page of the favorites that shows it then, or null if it is no favorite.
 */
export async function moveFavorite(
  userId: string,
  { malId: namedId, to }: FavoriteMove,
  viewer: Viewer,
): Promise<number | null> {
  const move = { malId: await currentIdOf(namedId), to };
  return withTransaction(async (transaction) => {
    const [row] = await transaction
      .select({ ids: users.favoriteAnimes })
      .from(users)
      .where(eq(users.id, userId))
      .for("no key update");
    if (!row?.ids.includes(move.malId)) return null;
    const shownIds = new Set(await listShownIds(row.ids, viewer, transaction));
    const favoriteAnimes = moved(row.ids, move, shownIds);
    await transaction
      .update(users)
      .set({ favoriteAnimes, profileUpdatedAt: new Date() })
      .where(eq(users.id, userId));
    const place = favoriteAnimes.filter((malId) => shownIds.has(malId)).indexOf(move.malId);
    return 1 + Math.floor(Math.max(0, place) / favoritesPerPage);
  });
}

function moved(ids: readonly number[], { malId, to }: FavoriteMove, shown: ReadonlySet<number>): number[] {
  const from = ids.indexOf(malId);
  const step = to === "later" ? 1 : -1;
  const others = ids.toSpliced(from, 1);
  if (to === "first") return [malId, ...others];
  let index = from + step;
  while (index >= 0 && index < ids.length && !shown.has(ids[index] ?? 0)) index += step;
  return index < 0 || index >= ids.length ? [...ids] : others.toSpliced(index, 0, malId);
}
