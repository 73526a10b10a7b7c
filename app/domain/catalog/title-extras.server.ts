import { and, eq, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { titleDetails, titleStreams, titleTags } from "#db/schema/details.ts";

/** Details of a title that are not columns of `titles`: tags, legal streams on other sites, and the next episode. */

export type TitleExtras = {
  /** Without spoilers. The tags that fit best come first. */
  tags: { name: string; rank: number }[];
  /** Where the title can be watched legally. */
  streams: { site: string; url: string; language: string | null }[];
  /** The next episode that the source announced. It may have aired since the source was last asked. */
  next: { episode: number; at: Date } | null;
};

/** Does not check who may see the title. The caller must have checked it. */
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
