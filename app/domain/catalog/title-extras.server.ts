import { and, eq, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { titleDetails, titleStreams, titleTags } from "#db/schema/details.ts";

/** The details of a title that are no fields of it: tags, legal offers of other sites, and the next episode. */

export type TitleExtras = {
  /** The best fitting first, without those that give the story away. */
  tags: { name: string; rank: number }[];
  /** Where the title can be watched legally. */
  streams: { site: string; url: string; language: string | null }[];
  /** The next episode that the source announced. It can be past. */
  next: { episode: number; at: Date } | null;
};

/** The caller must know that the viewer sees the title. */
export async function listExtras(malId: number): Promise<TitleExtras> {
  const [tags, streams, [next]] = await Promise.all([
    db
      .select({ name: titleTags.name, rank: titleTags.rank })
      .from(titleTags)
      .where(and(eq(titleTags.malId, malId), eq(titleTags.isSpoiler, false)))
      .orderBy(sql`${titleTags.rank} desc`, titleTags.name),
    db
      .select({ site: titleStreams.site, url: titleStreams.url, language: titleStreams.language })
      .from(titleStreams)
      .where(eq(titleStreams.malId, malId))
      .orderBy(titleStreams.position, titleStreams.url),
    db
      .select({ episode: titleDetails.nextEpisode, at: titleDetails.nextAirsAt })
      .from(titleDetails)
      .where(eq(titleDetails.malId, malId)),
  ]);
  const { episode = null, at = null } = next ?? {};
  return { tags, streams, next: episode !== null && at !== null ? { episode, at } : null };
}
