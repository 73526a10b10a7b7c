import { and, eq, sql } from "drizzle-orm";
import { getTitleNames } from "#app/domain/catalog/catalog.server.ts";
import { noSuchTitle, type TitleNames } from "#app/domain/catalog/catalog.ts";
import { currentIdOf } from "#app/domain/catalog-editing/catalog-editing.server.ts";
import type { Outcome } from "#app/domain/errors.ts";
import type { Viewer } from "#app/domain/visibility/visibility.server.ts";
import { db, withTransaction } from "#db/client.server.ts";
import { dismissals } from "#db/schema/library.ts";
import type { DismissalPlace } from "../library.ts";
import { lockExistingTitles } from "./list-rows.server.ts";

/** Titles that members dismissed from suggestions, or from Continue watching. */

type Dismissal = { malId: number; place: DismissalPlace };

/** Returns the names of the title, for the confirmation. */
export async function dismissTitle(
  userId: string,
  { malId: namedId, place }: Dismissal,
  viewer: Viewer,
): Promise<Outcome<TitleNames>> {
  const malId = await currentIdOf(namedId);
  const names = await getTitleNames(malId, viewer);
  if (!names.ok) return names;
  return withTransaction(async (transaction) => {
    const existing = await lockExistingTitles(transaction, [malId]);
    if (!existing.has(malId)) return noSuchTitle;
    await transaction
      .insert(dismissals)
      .values({ userId, malId, place })
      .onConflictDoUpdate({
        target: [dismissals.userId, dismissals.malId, dismissals.place],
        set: { dismissedAt: sql`now()` },
      });
    return names;
  });
}

/** Shows a dismissed title again. Does nothing if the title was not dismissed. */
export async function undismissTitle(userId: string, { malId: namedId, place }: Dismissal): Promise<void> {
  const malId = await currentIdOf(namedId);
  await db
    .delete(dismissals)
    .where(and(eq(dismissals.userId, userId), eq(dismissals.malId, malId), eq(dismissals.place, place)));
}
