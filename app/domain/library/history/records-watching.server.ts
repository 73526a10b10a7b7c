import { type SQL, sql } from "drizzle-orm";
import { users } from "#db/schema/accounts.ts";
import { titles } from "#db/schema/catalog.ts";
import { episodes } from "#db/schema/episodes.ts";

/**
 * The SQL condition that this profile's watching is recorded. Each insert contains it, so that no caller can forget it.
 */
export const recordsWatching = (userId: string): SQL =>
  sql`exists (select from ${users} where id = ${userId}::uuid and not forgets_watched)`;

/** The SQL condition that the title of the query may have this episode. A title without a known number may have any. */
export const mayHaveEpisode = (
  episode: SQL,
): SQL => sql`(${titles.episodes} is null or ${episode} <= ${titles.episodes}
  or exists (select from ${episodes} where ${episodes.malId} = ${titles.malId} and ${episodes.number} = ${episode}))`;
