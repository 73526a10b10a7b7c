import { eq } from "drizzle-orm";
import { firstLocalMalId } from "#app/domain/visibility/visibility.ts";
import { db } from "#db/client.server.ts";
import { titleRedirects } from "#db/schema/local-titles.ts";

/** The title that replaced a local title. Null if it was not replaced. */
export async function findReplacement(malId: number): Promise<number | null> {
  if (malId < firstLocalMalId) return null;
  const [row] = await db
    .select({ toId: titleRedirects.toId })
    .from(titleRedirects)
    .where(eq(titleRedirects.fromId, malId));
  return row?.toId ?? null;
}
