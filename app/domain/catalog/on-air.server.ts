import { and, isNotNull, isNull, or, sql } from "drizzle-orm";
import { type Viewer, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import type { Title } from "./catalog.ts";
import { titleColumns } from "./catalog-rows.server.ts";

const maxWithoutSlot = 100;

/** Titles on air at some time between `from` and `until`: those with a broadcast slot, and series without one. */
export async function listTitlesOnAir(
  from: Date,
  until: Date,
  viewer: Viewer,
): Promise<{ withSlot: Title[]; withoutSlot: Title[] }> {
  const onAir = and(
    sql`${titles.airsFrom} < ${until.toISOString()}::timestamptz`,
    sql`${titles.airsUntil} > ${from.toISOString()}::timestamptz`,
    visibleTo(viewer),
  );
  const [withSlot, withoutSlot] = await Promise.all([
    db
      .select(titleColumns)
      .from(titles)
      .where(and(onAir, isNotNull(titles.broadcastDay), isNotNull(titles.broadcastTime))),
    db
      .select(titleColumns)
      .from(titles)
      .where(
        and(
          onAir,
          or(isNull(titles.broadcastDay), isNull(titles.broadcastTime)),
          isNotNull(titles.airedFrom),
          sql`${titles.type} in ('TV', 'ONA')`,
        ),
      )
      .orderBy(sql`${titles.popularity} asc nulls last`, titles.malId)
      .limit(maxWithoutSlot),
  ]);
  return { withSlot, withoutSlot };
}
