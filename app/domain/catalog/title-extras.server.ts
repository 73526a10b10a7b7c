import { and, eq, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { detailPictures, titleDetails, titleStreams, titleTags } from "#db/schema/details.ts";

/** Details of a title that are not columns of `titles`: tags, legal streams on other sites, the next episode, and the stored banner. */

/**
 * The next episode as the source announced it, and when the source first answered with it. Later answers may have moved
 * it. It may have aired since.
 */
export type AnnouncedEpisode = { episode: number; at: Date; answeredAt: Date };

export const announcedColumns = {
  episode: titleDetails.nextEpisode,
  at: titleDetails.nextAirsAt,
  answeredAt: titleDetails.answeredAt,
};

export function toAnnounced(
  row: { episode: number | null; at: Date | null; answeredAt: Date | null } | null | undefined,
): AnnouncedEpisode | null {
  const { episode = null, at = null, answeredAt = null } = row ?? {};
  return episode !== null && at !== null && answeredAt !== null ? { episode, at, answeredAt } : null;
}

export type TitleExtras = {
  /** Without spoilers. The tags that fit best come first. */
  tags: { name: string; rank: number }[];
  /** Where the title can be watched legally. */
  streams: { site: string; url: string; language: string | null }[];
  next: AnnouncedEpisode | null;
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
      .select({ ...announcedColumns, bannerCid: detailPictures.cid })
      .from(titleDetails)
      .leftJoin(detailPictures, eq(detailPictures.url, titleDetails.bannerUrl))
      .where(eq(titleDetails.malId, malId)),
  ]);
  return { tags, streams, next: toAnnounced(details), bannerCid: details?.bannerCid ?? null };
}
