import { and, eq, sql } from "drizzle-orm";
import { maxMalId, noSuchTitle } from "#app/domain/catalog/catalog.ts";
import { currentIdOf } from "#app/domain/catalog-editing/catalog-editing.server.ts";
import { done, type Outcome } from "#app/domain/errors.ts";
import { type Viewer, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { db, withTransaction } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { trackChoices } from "#db/schema/library.ts";
import type { TrackChoice } from "../library.ts";
import { recordsWatching } from "./watch-history.server.ts";

/** The sound and subtitles that members chose for a title, which its next episodes start with. */

export async function findTrackChoice(userId: string, malId: number): Promise<TrackChoice | null> {
  const [choice] = await db
    .select({ sound: trackChoices.sound, subtitles: trackChoices.subtitles })
    .from(trackChoices)
    .where(and(eq(trackChoices.userId, userId), eq(trackChoices.malId, malId)));
  return choice ?? null;
}

type TrackChoiceChange = { malId: number; sound?: string | null; subtitles?: string | null };

/**
 * Missing fields stay as they are. Nothing is stored if the profile's watching is not recorded, because a choice
 * reveals that the title was watched.
 */
export async function saveTrackChoice(
  userId: string,
  { malId: namedId, sound, subtitles }: TrackChoiceChange,
  viewer: Viewer,
): Promise<Outcome<null>> {
  if (namedId > maxMalId) return noSuchTitle;
  const malId = await currentIdOf(namedId);
  return withTransaction(async (transaction) => {
    // Waits while the title is being replaced.
    const [title] = await transaction
      .select({ malId: titles.malId })
      .from(titles)
      .where(and(eq(titles.malId, malId), visibleTo(viewer)))
      .for("key share");
    if (!title) return noSuchTitle;
    await transaction.execute(sql`
      insert into ${trackChoices} as own (user_id, mal_id, sound, subtitles, chosen_at)
      select ${userId}::uuid, ${malId}::int, ${sound ?? null}::text, ${subtitles ?? null}::text, ${new Date().toISOString()}::timestamptz
      where ${recordsWatching(userId)}
      on conflict (user_id, mal_id) do update set chosen_at = excluded.chosen_at,
        sound = case when ${sound !== undefined}::boolean then excluded.sound else own.sound end,
        subtitles = case when ${subtitles !== undefined}::boolean then excluded.subtitles else own.subtitles end`);
    return done(null);
  });
}
