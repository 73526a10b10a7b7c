import { and, eq, sql } from "drizzle-orm";
import { cachePerVersion } from "#app/domain/catalog-version/catalog-version.server.ts";
import { type Viewer, viewerKey, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { hours } from "#app/platform/units.ts";
import { db } from "#db/client.server.ts";
import { titles } from "#db/schema/catalog.ts";
import { titleEdits } from "#db/schema/edits.ts";

/** Title id to a version mark of its newest picture. */
type NewPictures = Record<number, string>;

const pictureMarks = cachePerVersion<NewPictures>(20, hours(1));

/**
 * The titles whose picture an operator changed in the last two days. Browsers cache a poster for a day by its URL, so
 * the URLs of these posters must change.
 */
export const listNewPictures = (viewer: Viewer): Promise<NewPictures> =>
  pictureMarks(viewerKey(viewer), async () => {
    const mark = sql<string>`to_hex((extract(epoch from max(${titleEdits.at})) * 1000)::bigint)`;
    const rows = await db
      .select({ malId: titleEdits.malId, mark })
      .from(titleEdits)
      .innerJoin(titles, eq(titles.malId, titleEdits.malId))
      .where(
        and(
          eq(titleEdits.field, "picture"),
          sql`${titleEdits.at} > now() - interval '2 days'`,
          visibleTo(viewer),
        ),
      )
      .groupBy(titleEdits.malId);
    return Object.fromEntries(rows.map((row) => [row.malId, row.mark]));
  });
