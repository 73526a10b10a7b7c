import { sql } from "drizzle-orm";
import { passedOverMarks } from "#app/domain/franchises/franchises.ts";
import { type Viewer, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { preparedDb } from "#db/client.server.ts";
import { titleRelations, titles } from "#db/schema/catalog.ts";
import { franchiseTitles } from "#db/schema/franchises.ts";
import { dismissals, watchHistory, watchList } from "#db/schema/library.ts";
import type { TitleOfFranchise } from "./next-steps.server.ts";

/** Only the latest completed titles count, to keep the query fast for members with long lists. */
const maxCompleted = 500;

/** The completed titles that `part` may be the sequel of. */
const mayContinue = sql`select mal_id from seen where part.mark <> 'alternative' or seen.mark = 'alternative'`;

/**
 * For each franchise with a completed title, finds the first sequel that has aired and that the member has not
 * completed: a later part of the main line, or a title that a source calls the sequel of a completed one. After an
 * alternative version or a spin-off, the main line is no sequel, and an alternative version is one only after another. A
 * part that a completed title has told too is none either. The sequel is missed if it is neither on the list nor begun
 * or dismissed, and the member has dropped no title of the franchise. The newest sequel is first.
 */
export const listMissedSequels = (
  userId: string,
  { viewer, limit }: { viewer: Viewer; limit: number },
): Promise<TitleOfFranchise[]> =>
  preparedDb.execute<TitleOfFranchise>(sql`
    with completed as (
      select mal_id from ${watchList} where user_id = ${userId}::uuid and type = 'Completed'
      order by updated_at desc, mal_id limit ${maxCompleted}
    ),
    seen as (
      select mal_id, franchise_id, story, mark from completed join ${franchiseTitles} using (mal_id)
    ),
    begun as (
      select franchise_id, min(story) as story,
        min(story) filter (where mark not in ('alternative', 'spin_off')) as main_story
      from seen group by franchise_id
    ),
    sequels as (
      select distinct on (part.franchise_id) part.mal_id, part.franchise_id, titles.airs_from, entry.mal_id as listed_id
      from begun join ${franchiseTitles} part on part.franchise_id = begun.franchise_id and part.story > begun.story
          and part.mark not in ${passedOverMarks}
          and (part.told_by is null or part.told_by not in (select mal_id from completed))
          and (part.mark = 'main' and part.story > begun.main_story or exists (
            select from ${titleRelations} where related_id = part.mal_id and relation = 'sequel'
              and title_relations.mal_id in (${mayContinue})
          ) or exists (
            select from ${titleRelations} where title_relations.mal_id = part.mal_id and relation = 'prequel'
              and related_id in (${mayContinue})
          ))
        join ${titles} on titles.mal_id = part.mal_id and ${visibleTo(viewer)}
        left join ${watchList} entry on entry.user_id = ${userId}::uuid and entry.mal_id = part.mal_id
      where entry.type is distinct from 'Completed' and titles.airs_from <= now()
      order by part.franchise_id, part.story
    )
    select mal_id as "malId", franchise_id as franchise from sequels
    where listed_id is null
      and not exists (select from ${watchHistory} where user_id = ${userId}::uuid and mal_id = sequels.mal_id)
      and not exists (select from ${dismissals} where user_id = ${userId}::uuid and mal_id = sequels.mal_id)
      and not exists (select from ${watchList} dropped join ${franchiseTitles} part using (mal_id)
        where user_id = ${userId}::uuid and state = 'dropped' and part.franchise_id = sequels.franchise_id)
    order by airs_from desc, mal_id limit ${limit}`);
