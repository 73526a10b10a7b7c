import { and, eq } from "drizzle-orm";
import { type Viewer, visibleTo } from "#app/domain/catalog/catalog.server.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { trackChoices } from "#db/schema/library.ts";
import type { TrackChoice } from "../library.ts";

/** The sound and subtitles that members chose for a title, which its next episodes start with. */

export async function findTrackChoice(userId: string, malId: number): Promise<TrackChoice | null> {
  const [choice] = await db
    .select({ sound: trackChoices.sound, subtitles: trackChoices.subtitles })
    .from(trackChoices)
    .where(and(eq(trackChoices.userId, userId), eq(trackChoices.malId, malId)));
  return choice ?? null;
}

type TrackChoiceChange = { malId: number; sound?: string | null; subtitles?: string | null };

/** Missing fields stay as they are. */
export async function saveTrackChoice(
  userId: string,
  { malId, ...change }: TrackChoiceChange,
  viewer: Viewer,
): Promise<Outcome<null>> {
  const [title] = await db
    .select({ malId: titles.malId })
    .from(titles)
    .where(and(eq(titles.malId, malId), visibleTo(viewer)));
  if (!title) return refuse("not_found", "This catalog has no such title");
  const chosenAt = new Date();
  await db
    .insert(trackChoices)
    .values({ userId, malId, chosenAt, ...change })
    .onConflictDoUpdate({ target: [trackChoices.userId, trackChoices.malId], set: { chosenAt, ...change } });
  return done(null);
}
