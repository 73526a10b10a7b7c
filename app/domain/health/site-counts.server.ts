import { sql } from "drizzle-orm";
import { type ListedFeed, listFeeds } from "#app/domain/feeds/feeds.server.ts";
import { isUnderWay } from "#app/domain/feeds/feeds.ts";
import { countOpenWishes, takesWishes } from "#app/domain/library/library.server.ts";
import { countConversions } from "#app/domain/playback/playback.server.ts";
import { countUndecidedFilms } from "#app/domain/scanning/scanning.server.ts";
import { getFreeDiskBytes } from "#app/platform/process/free-disk.server.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { securityEvents } from "#db/schema/events.ts";
import { films } from "#db/schema/films.ts";
import { failedPlays, watchProgress } from "#db/schema/library.ts";

/** Counts that describe the state of the site. No count reveals what a member watches. */

export type SiteCounts = {
  films: number;
  filmsToDecide: number;
  /** Films that the next scan looks at. Some of them may need a decision then. */
  filmsToJudge: number;
  /** The open wishes of all members; null if members cannot wish for films. */
  wishes: number | null;
  /** The number in the last seven days. */
  failedPlays: number;
  /** Members whose player reported in the last two minutes; it reports every ten seconds. */
  watching: number;
  converting: number;
  freeDiskBytes: number;
  /** Backups before an update do not count: they have no pictures, and lie on the disk of the site. */
  lastBackupAt: Date | null;
  /** Tells how old the site is. Null without accounts. */
  firstAccountAt: Date | null;
  feeds: { all: number; failing: number };
};

export async function countSite(): Promise<SiteCounts> {
  const [rows, open, wishes, feeds, freeDiskBytes] = await Promise.all([
    countRows(),
    countUndecidedFilms(),
    takesWishes() ? countOpenWishes() : null,
    listFeeds(),
    getFreeDiskBytes(),
  ]);
  const { backupAt, accountAt, ...counts } = rows;
  return {
    ...counts,
    filmsToDecide: open.toDecide,
    filmsToJudge: open.unjudged,
    wishes,
    converting: countConversions(),
    freeDiskBytes,
    lastBackupAt: backupAt === null ? null : new Date(backupAt),
    firstAccountAt: accountAt === null ? null : new Date(accountAt),
    feeds: { all: feeds.length, failing: feeds.filter(isFailing).length },
  };
}

/**
 * A run counts as failed from its start, in case the process crashes. So while a run is under way, the feed is failing
 * only if the run before it did not succeed either.
 */
export function isFailing({ failures, runs: [last, before] }: ListedFeed): boolean {
  if (failures === 0) return false;
  if (last === undefined || !isUnderWay(last, new Date())) return true;
  return before?.outcome === "failed" || before?.outcome === "interrupted";
}

type Rows = Pick<SiteCounts, "films" | "failedPlays" | "watching"> & {
  backupAt: string | null;
  accountAt: string | null;
};

async function countRows(): Promise<Rows> {
  const [row] = await db.execute<Rows>(sql`
    select
      (select count(*)::int from ${films} where state = 'registered' and gone_at is null) as films,
      (select count(*)::int from ${failedPlays} where at > now() - interval '7 days') as "failedPlays",
      (select count(distinct user_id)::int from ${watchProgress} where at > now() - interval '2 minutes') as watching,
      (select max(at) from ${securityEvents} where kind = 'backup_made') as "backupAt",
      (select min(created_at) from ${users}) as "accountAt"`);
  if (!row) throw new Error("The database counted nothing");
  return row;
}
