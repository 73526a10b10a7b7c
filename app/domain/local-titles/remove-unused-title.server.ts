import { sql } from "drizzle-orm";
import { lockTitles } from "#app/domain/catalog-editing/catalog-editing.server.ts";
import { changeCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import { done, type Outcome } from "#app/domain/errors.ts";
import { type Actor, recordEvent } from "#app/domain/events/events.server.ts";
import { listMembersOf } from "#app/domain/library/library.server.ts";
import { undoDecision } from "#app/domain/scanning/scanning.server.ts";
import type { Transaction } from "#db/client.server.ts";
import { titleRecords, titleRelations, titles } from "#db/schema/catalog.ts";
import { titleEdits } from "#db/schema/edits.ts";
import { episodeSources } from "#db/schema/episodes.ts";
import { localTitles } from "#db/schema/local-titles.ts";
import { filmDecisions } from "#db/schema/scanning.ts";

/** Undoes a decision about films. If that leaves a local title without any use, the title is removed too. */
export async function undoFilmDecision(id: string, actor: Actor): Promise<Outcome<null>> {
  const undone = await undoDecision(id);
  if (!undone.ok) return undone;
  const { localTitle } = undone.value;
  if (localTitle !== null)
    await changeCatalog([], async (transaction) => {
      // With the lock, no member can add the title between the check and the deletion.
      const name = (await lockTitles(transaction, [localTitle])).get(localTitle);
      if (name === undefined || !(await isUnused(transaction, localTitle))) return;
      await transaction.execute(sql`delete from ${titles} where mal_id = ${localTitle}`);
      const detail = `${name.slice(0, 100)} (${localTitle}): the local title is removed with its decision`;
      await recordEvent({ kind: "title_edited", actor, detail }, transaction);
    });
  return done(null);
}

/** True for a local title that has only a name and what the files beside its videos say, and that nobody has used. */
async function isUnused(transaction: Transaction, malId: number): Promise<boolean> {
  const [row] = await transaction.execute<{ isBare: boolean }>(sql`
    select exists (select from ${localTitles} where mal_id = ${malId} and external_ids = '{}')
      and not exists (select from ${episodeSources} where mal_id = ${malId})
      and not exists (select from ${filmDecisions} where mal_id = ${malId} and kind = 'title')
      and not exists (select from ${titleEdits} where mal_id = ${malId})
      and not exists (select from ${titleRelations} where mal_id = ${malId} or related_id = ${malId})
      and not exists (select from ${titleRecords} where mal_id = ${malId} and source <> 'folder'
        and (source <> 'operator' or fields - 'title' <> '{}')) as "isBare"`);
  return row?.isBare === true && (await listMembersOf(transaction, malId)).length === 0;
}
