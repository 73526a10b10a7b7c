import { and, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import { type Viewer, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import type { Title } from "./catalog.ts";
import { titleColumns } from "./catalog-rows.server.ts";

type Period = { from: Date; until: Date };

const runsWithin = ({ from, until }: Period): SQL =>
  sql`(${titles.airsFrom} < ${until.toISOString()}::timestamptz and ${titles.airsUntil} > ${from.toISOString()}::timestamptz)`;

/** Titles with a broadcast slot that run at some time of the period. */
export const listTitlesWithSlot = (period: Period, viewer: Viewer): Promise<Title[]> =>
  db
    .select(titleColumns)
    .from(titles)
    .where(
      and(
        runsWithin(period),
        isNotNull(titles.broadcastDay),
        isNotNull(titles.broadcastTime),
        visibleTo(viewer),
      ),
    );

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
