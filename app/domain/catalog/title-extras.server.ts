import { and, eq, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { detailPictures, titleDetails, titleStreams, titleTags } from "#db/schema/details.ts";

/** Details of a title that are not columns of `titles`: tags, legal streams on other sites, the next episode, and the stored banner. */

export type TitleExtras = {
  /** Without spoilers. The tags that fit best come first. */
  tags: { name: string; rank: number }[];
  /** Where the title can be watched legally. */
  streams: { site: string; url: string; language: string | null }[];
  /** The next episode that the source announced. It may have aired since the source was last asked. */
  next: { episode: number; at: Date } | null;
  /** The banner of the details, which is stored here. The title may have another one. */
  bannerCid: string | null;
};

/** Does not check who may see the title. The caller must have checked it. */
export async function listExtras(malId: number): Promise<TitleExtras> {
  const [tags, streams, [details]] = await Promise.all([
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
      .select({
        episode: titleDetails.nextEpisode,
        at: titleDetails.nextAirsAt,
        bannerCid: detailPictures.cid,
      })
      .from(titleDetails)
      .leftJoin(detailPictures, eq(detailPictures.url, titleDetails.bannerUrl))
      .where(eq(titleDetails.malId, malId)),
  ]);
  const { episode = null, at = null, bannerCid = null } = details ?? {};
  return { tags, streams, next: episode !== null && at !== null ? { episode, at } : null, bannerCid };
}
