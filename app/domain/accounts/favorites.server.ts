import { and, eq, sql } from "drizzle-orm";
import { type Viewer, visibleTo } from "#app/domain/catalog/catalog.server.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { titles } from "#db/schema/catalog.ts";
import { maxFavoriteTitles } from "./accounts.ts";

/** One title of a profile's favorites. Each change is one statement, so that two devices never undo each other's. */

const holds = (malId: number) => sql<boolean>`${malId} = any(${users.favoriteAnimes})`;

export async function isFavorite(userId: string, malId: number): Promise<boolean> {
  const [row] = await db
    .select({ isFavorite: holds(malId) })
    .from(users)
    .where(eq(users.id, userId));
  return row?.isFavorite ?? false;
}

/** Puts the title behind the other favorites. Returns its name. */
export async function addFavorite(userId: string, malId: number, viewer: Viewer): Promise<Outcome<string>> {
  const [title] = await db
    .select({ name: titles.title })
    .from(titles)
    .where(and(eq(titles.malId, malId), visibleTo(viewer)));
  if (!title) return refuse("not_found", "This catalog has no such title");
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
  if (added.length > 0 || (await isFavorite(userId, malId))) return done(title.name);
  const max = maxFavoriteTitles.toLocaleString("en");
  return refuse("invalid", `You have ${max} favorites, and no more fit. Remove one first.`);
}

/** Nothing happens if the title is no favorite. */
export async function removeFavorite(userId: string, malId: number): Promise<void> {
  await db
    .update(users)
    .set({
      favoriteAnimes: sql`array_remove(${users.favoriteAnimes}, ${malId}::int)`,
      profileUpdatedAt: new Date(),
    })
    .where(and(eq(users.id, userId), holds(malId)));
}
