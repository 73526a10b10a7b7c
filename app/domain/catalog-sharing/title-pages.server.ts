import { type SQL, sql } from "drizzle-orm";
import { kibibytes } from "#app/platform/units.ts";
import { rowsWithin } from "#db/rows-within.ts";
import { titleIds, titleRecords, titleRelations, titles } from "#db/schema/catalog.ts";
import { episodeRecords } from "#db/schema/edits.ts";
import { episodeSources, episodeSubtitles, episodes, skipSegments } from "#db/schema/episodes.ts";

/**
 * Splits titles into pages by their size in bytes. A number of titles would not limit a page, because an imported title
 * can have thousands of episodes, and texts of up to 100,000 characters from each source.
 */

const pageBytes = kibibytes(512);
const maxTitlesOfPage = 100;

const ofTitle = [
  titleIds,
  titleRecords,
  titleRelations,
  episodes,
  episodeRecords,
  episodeSources,
  episodeSubtitles,
  skipSegments,
];

/** The bytes of a title and its other rows, measured as text, because `pg_column_size` is the compressed size. */
const titleBytes = sql.join(
  [
    sql`octet_length(${titles}::text)`,
    ...ofTitle.map(
      (table) =>
        sql`coalesce((select sum(octet_length(part::text)) from ${table} as part where part.mal_id = ${titles.malId}), 0)`,
    ),
  ],
  sql` + `,
);

/**
 * The condition that selects one page of titles. `wanted` selects `mal_id` and `place` of the candidates. The page gets
 * the first candidates by place, as many as fit into `pageBytes`, but at least one.
 */
export const titlesOfPage = (wanted: SQL): SQL => {
  const sized = sql`
    select ${titles.malId} as id, place, ${titleBytes} as bytes
    from (${wanted} order by place limit ${sql.raw(`${maxTitlesOfPage}`)}) as wanted (mal_id, place)
    join ${titles} on ${titles.malId} = wanted.mal_id`;
  return sql`${titles.malId} in (select id from ${rowsWithin(sized, pageBytes)} as page)`;
};
