import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.server.ts";
import { episodeSources, episodeSubtitles, episodes, skipSegments } from "#db/schema/episodes.ts";
import { failedPlays } from "#db/schema/library.ts";
import { filmDecisions } from "#db/schema/scanning.ts";

/** Moves the films of one title to another title. They come after the sources that the target already has. */
export async function moveSourcesToTitle(
  transaction: Transaction,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await transaction.execute(sql`
    insert into ${episodes} (mal_id, number) select ${to}, number from ${episodes} where mal_id = ${from}
    order by number on conflict do nothing`);
  for (const table of [episodeSources, episodeSubtitles])
    await transaction.execute(sql`
      update ${table} own set mal_id = ${to}, position = own.position + (
        select coalesce(max(position) + 1, 0) from ${table} known
        where known.mal_id = ${to} and known.episode = own.episode)
      where mal_id = ${from} and not exists (select from ${table} known
        where known.mal_id = ${to} and known.episode = own.episode and known.url = own.url)`);
  await transaction.execute(sql`
    insert into ${skipSegments} (mal_id, episode, kind, start, "end")
    select ${to}, episode, kind, start, "end" from ${skipSegments} where mal_id = ${from} on conflict do nothing`);
  // Films that are not of the local title may be of the other one: an undone decision refuses only the former.
  await transaction.execute(
    sql`update ${filmDecisions} set mal_id = ${to} where mal_id = ${from} and kind <> 'not_title'`,
  );
  await transaction.execute(sql`update ${failedPlays} set mal_id = ${to} where mal_id = ${from}`);
}
