import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { lockAccount } from "#app/domain/accounts/accounts.server.ts";
import { isOwner, type SessionUser, type TitleVerdict } from "#app/domain/accounts/accounts.ts";
import { noSuchTitle } from "#app/domain/catalog/catalog.ts";
import { currentIdOf } from "#app/domain/catalog-editing/catalog-editing.server.ts";
import { done, type Outcome } from "#app/domain/errors.ts";
import { listFranchiseTitles } from "#app/domain/franchises/franchises.server.ts";
import { malIdsOf } from "#app/domain/mal-ids.ts";
import { isPlayableSource, type Viewer, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { db, type Transaction, withTransaction } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { titles } from "#db/schema/catalog.ts";
import { episodeSources } from "#db/schema/episodes.ts";
import { householdTitles } from "#db/schema/library.ts";
import { ownerOnlyRefusal } from "./profiles.server.ts";

/** The titles that the owner of a household allows or blocks for all of its children. `visibleTo` reads them. */

type Choice = {
  malId: number;
  /** Null: neither allowed nor blocked, so that the ceilings decide. */
  verdict: TitleVerdict | null;
  /** The decision also covers the sequels, side stories and other versions of the title. */
  withFranchise: boolean;
};

/** Returns the number of titles that the decision covers. */
export async function chooseTitle(
  owner: SessionUser,
  { malId: namedId, verdict, withFranchise }: Choice,
  viewer: Viewer,
): Promise<Outcome<{ titles: number }>> {
  if (!isOwner(owner)) return ownerOnlyRefusal;
  const malId = await currentIdOf(namedId);
  const malIds = withFranchise ? await listFranchiseTitles(malId) : [malId];
  return withTransaction(async (transaction) => {
    await lockAccount(transaction, owner.accountId);
    // Waits while one of the titles is being replaced.
    const rows = await transaction
      .select({ malId: titles.malId })
      .from(titles)
      .where(and(inArray(titles.malId, malIds), visibleTo(viewer)))
      .orderBy(titles.malId)
      .for("key share");
    const ids = malIdsOf(rows);
    if (!ids.includes(malId)) return noSuchTitle;
    await transaction
      .delete(householdTitles)
      .where(and(eq(householdTitles.userId, owner.accountId), inArray(householdTitles.malId, ids)));
    if (verdict !== null)
      await transaction
        .insert(householdTitles)
        .values(ids.map((id) => ({ userId: owner.accountId, malId: id, verdict })));
    await markTitlesChosen(transaction, owner.accountId);
    return done({ titles: ids.length });
  });
}

/**
 * Records the time of the change. The time is part of cache keys, so it always becomes a later one, even for two
 * changes within one millisecond.
 */
export async function markTitlesChosen(transaction: Transaction, accountId: string): Promise<void> {
  const now = sql`greatest(clock_timestamp(), ${users.titlesChosenAt} + interval '1 millisecond')`;
  await transaction.update(users).set({ titlesChosenAt: now }).where(eq(users.id, accountId));
}

export async function findTitleVerdict(accountId: string, malId: number): Promise<TitleVerdict | null> {
  const [row] = await db
    .select({ verdict: householdTitles.verdict })
    .from(householdTitles)
    .where(and(eq(householdTitles.userId, accountId), eq(householdTitles.malId, malId)));
  return row?.verdict ?? null;
}

/** The ids of the titles that the household allowed and that this child can watch, the last allowed first. */
export async function listAllowedToWatch(child: Viewer, limit: number): Promise<number[]> {
  if (child.ceiling === undefined) return [];
  const canWatch = db
    .select({ malId: episodeSources.malId })
    .from(episodeSources)
    .where(isPlayableSource(child));
  const rows = await db
    .select({ malId: titles.malId })
    .from(householdTitles)
    .innerJoin(titles, eq(titles.malId, householdTitles.malId))
    .where(
      and(
        eq(householdTitles.userId, child.ceiling.accountId),
        eq(householdTitles.verdict, "allowed"),
        inArray(titles.malId, canWatch),
        visibleTo(child),
      ),
    )
    .orderBy(desc(householdTitles.chosenAt), titles.malId)
    .limit(limit);
  return malIdsOf(rows);
}

const maxListed = 1000;

/** The household's decisions, newest first. */
export const listHouseholdTitles = (accountId: string) =>
  db
    .select({ malId: householdTitles.malId, verdict: householdTitles.verdict })
    .from(householdTitles)
    .where(eq(householdTitles.userId, accountId))
    .orderBy(desc(householdTitles.chosenAt), householdTitles.malId)
    .limit(maxListed);
