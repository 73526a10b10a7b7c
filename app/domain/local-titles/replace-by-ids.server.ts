import { sql } from "drizzle-orm";
import { commandLine } from "#app/domain/events/events.server.ts";
import { firstLocalMalId } from "#app/domain/visibility/visibility.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { textArray } from "#db/arrays.ts";
import { db } from "#db/client.server.ts";
import { titleIds, titles } from "#db/schema/catalog.ts";
import { oneToOneSites } from "#db/schema/enumerations.ts";
import { localTitles } from "#db/schema/local-titles.ts";
import { replaceLocalTitle } from "./replace-local-title.server.ts";

/**
 * Runs after an import. Replaces each local title by the catalog title that its ids identify. If they identify more
 * than one title, an operator has to decide. Returns the number of replaced titles. A title whose replacement fails, as
 * while a member's list is imported, waits for the next import.
 */
export async function replaceLocalTitlesByIds(): Promise<number> {
  let count = 0;
  for (const move of await listReplacements()) {
    try {
      if ((await replaceLocalTitle(move, commandLine)).ok) count++;
    } catch (error) {
      log.warn("a local title could not be replaced by that of the catalog", {
        ...move,
        ...errorFields(error),
      });
    }
  }
  return count;
}

/** Uses only ids of sites that have exactly one id for each title. */
const listReplacements = () =>
  db.execute<{ from: number; to: number }>(sql`
    select local.mal_id as "from", min(known.mal_id) as "to"
    from ${localTitles} local
    cross join unnest(local.external_ids) as id
    join lateral (
      select mal_id from ${titles} where id = 'mal:' || mal_id and mal_id < ${firstLocalMalId}
      union
      select mal_id from ${titleIds}
      where site = split_part(id, ':', 1) and external_id = split_part(id, ':', 2)
        and site = any (${textArray(oneToOneSites)}) and mal_id < ${firstLocalMalId}
    ) known on true
    group by local.mal_id having count(distinct known.mal_id) = 1 order by 1`);
