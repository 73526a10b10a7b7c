import { and, type Column, eq, gte, isNotNull, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import { type Viewer, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { titleDetails } from "#db/schema/details.ts";
import type { Title } from "./catalog.ts";
import { titleColumns } from "./catalog-rows.server.ts";
import { type AnnouncedEpisode, announcedColumns, toAnnounced } from "./title-extras.server.ts";

type Period = { from: Date; until: Date };

/** A title that may be broadcast, and its next episode as the source of its details announced it. */
export type TitleOnAir = { title: Title; announced: AnnouncedEpisode | null };

async function readTitlesOnAir(condition: SQL | undefined, viewer: Viewer): Promise<TitleOnAir[]> {
  const rows = await db
    .select({ title: titleColumns, announced: announcedColumns })
    .from(titles)
    .leftJoin(titleDetails, eq(titleDetails.malId, titles.malId))
    .where(and(condition, visibleTo(viewer)));
  return rows.map(({ title, announced }) => ({ title, announced: toAnnounced(announced) }));
}

const runsWithin = ({ from, until }: Period, airsUntil: SQL | Column = titles.airsUntil): SQL =>
  sql`(${titles.airsFrom} < ${until.toISOString()}::timestamptz and ${airsUntil} > ${from.toISOString()}::timestamptz)`;

/** The end of a run that its announced episode may postpone. `greatest` ignores null. */
const postponedUntil = sql`greatest(${titles.airsUntil},
  ${titleDetails.nextAirsAt} + interval '7 days' * (${titles.episodes} - ${titleDetails.nextEpisode}))`;

/** Titles with a broadcast slot that run at some time of the period. */
export const listTitlesWithSlot = (period: Period, viewer: Viewer): Promise<TitleOnAir[]> =>
  readTitlesOnAir(
    and(runsWithin(period, postponedUntil), isNotNull(titles.broadcastDay), isNotNull(titles.broadcastTime)),
    viewer,
  );

/** Titles with an episode that is announced for the period. Their dates may say that they do not air then. */
export const listAnnouncedTitles = ({ from, until }: Period, viewer: Viewer): Promise<TitleOnAir[]> =>
  readTitlesOnAir(and(gte(titleDetails.nextAirsAt, from), lt(titleDetails.nextAirsAt, until)), viewer);

const maxWithoutSlot = 100;

/** Series without a broadcast slot that run at some time of the period, the most popular first. */
export const listSeriesWithoutSlot = (period: Period, viewer: Viewer): Promise<Title[]> =>
  db
    .select(titleColumns)
    .from(titles)
    .where(
      and(
        runsWithin(period),
        or(isNull(titles.broadcastDay), isNull(titles.broadcastTime)),
        isNotNull(titles.airedFrom),
        sql`${titles.type} in ('TV', 'ONA')`,
        visibleTo(viewer),
      ),
    )
    .orderBy(sql`${titles.popularity} asc nulls last`, titles.malId)
    .limit(maxWithoutSlot);
