import { eq, sql } from "drizzle-orm";
import {
  pictureNames,
  type TitleSource,
  termsOf,
  textNames,
} from "#app/domain/catalog-import/catalog-import.server.ts";
import type { FieldName } from "#app/domain/catalog-import/catalog-import.ts";
import { cachePerVersion } from "#app/domain/catalog-version/catalog-version.server.ts";
import { anybody, type Viewer, viewerKey, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { db } from "#db/client.server.ts";
import { titleRecords, titles } from "#db/schema/catalog.ts";
import { titleSources } from "#db/schema/enumerations.ts";

/** Counts the titles, texts and pictures that the catalog has from each source. */

type Counts = { titles: number; texts: number; pictures: number };
export type DataSource = Counts & {
  source: TitleSource;
  label: string;
  license: string;
  url: string | null;
  /** True if exports may include the source's texts and picture URLs, and its ids of other sites. */
  mayShareTexts: boolean;
  mayShareIds: boolean;
};

/** The sources with data about publicly visible titles, the highest-ranked first. */
export async function listDataSources(viewer: Viewer = anybody): Promise<DataSource[]> {
  const counts = new Map((await countRecords(viewer)).map(({ source, ...row }) => [source, row]));
  return titleSources.flatMap((source) => {
    const counted = counts.get(source);
    const { label, license, url = null, mayShareTexts, mayShareIds } = termsOf[source];
    return counted ? { source, label, license, url, mayShareTexts, mayShareIds, ...counted } : [];
  });
}

const sourceLists = cachePerVersion<DataSource[]>(20);

/** The cached list for visitors' pages, because counting reads every record. */
export const listCachedDataSources = (viewer: Viewer = anybody) =>
  sourceLists(viewerKey(viewer), () => listDataSources(viewer));

/** Counts the titles with a value in one of these fields. */
const having = (names: readonly FieldName[]) =>
  sql<number>`(count(*) filter (where ${sql.join(
    names.map((name) => sql`${titleRecords.fields} ->> ${name} is not null`),
    sql` or `,
  )}))::int`;

/** A title without records counts for `before`, the time before records existed. */
const countRecords = (viewer: Viewer) =>
  db
    .select({
      source: sql<TitleSource>`coalesce(${titleRecords.source}, 'before')`,
      titles: sql<number>`count(*)::int`,
      texts: having(textNames),
      pictures: having(pictureNames),
    })
    .from(titles)
    .leftJoin(titleRecords, eq(titleRecords.malId, titles.malId))
    .where(visibleTo(viewer))
    .groupBy(sql`1`);
