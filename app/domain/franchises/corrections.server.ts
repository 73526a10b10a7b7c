import { and, eq, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { db, type Transaction } from "#db/client.server.ts";
import { franchiseCorrections, franchiseTitles } from "#db/schema/franchises.ts";
import type { FranchiseCorrection } from "./order/links.ts";

/** Stores operators' corrections of franchises. `renewFranchises` applies them. */

type CorrectionKind = FranchiseCorrection["correction"];

const isCorrection = (malId: number, correction: CorrectionKind) =>
  and(eq(franchiseCorrections.malId, malId), eq(franchiseCorrections.correction, correction));

/** Null if the operator corrected nothing of this kind. */
export async function findCorrection(
  transaction: Transaction,
  malId: number,
  correction: CorrectionKind,
): Promise<{ relatedId: number | null } | null> {
  const [row] = await transaction
    .select({ relatedId: franchiseCorrections.relatedId })
    .from(franchiseCorrections)
    .where(isCorrection(malId, correction));
  return row ?? null;
}

/** Replaces the correction by `correct`, or removes it if that is null. */
export async function replaceCorrection(
  transaction: Transaction,
  { malId, correction }: Pick<FranchiseCorrection, "malId" | "correction">,
  correct: { relatedId: number | null } | null,
): Promise<void> {
  await transaction.delete(franchiseCorrections).where(isCorrection(malId, correction));
  if (correct) await transaction.insert(franchiseCorrections).values({ malId, correction, ...correct });
}

/** Without effect: the other title is gone or in another franchise, or another correction says the contrary. */
export type ListedCorrection = FranchiseCorrection & { hasEffect: boolean };

export async function listCorrections(malId: number): Promise<ListedCorrection[]> {
  const { correction, relatedId } = franchiseCorrections;
  const [own, other] = [alias(franchiseTitles, "own"), alias(franchiseTitles, "other")];
  const isTogether = sql`coalesce(own.franchise_id = other.franchise_id, false)`;
  return await db
    .select({
      malId: franchiseCorrections.malId,
      correction,
      relatedId,
      hasEffect: sql<boolean>`case
        when ${correction} = 'after' and ${relatedId} is null then coalesce(own.story = 1, false)
        when ${correction} = 'after' then ${isTogether} and own.story > other.story
        else ${relatedId} is null or ${isTogether} end`,
    })
    .from(franchiseCorrections)
    .leftJoin(own, eq(own.malId, franchiseCorrections.malId))
    .leftJoin(other, eq(other.malId, relatedId))
    .where(eq(franchiseCorrections.malId, malId))
    .orderBy(correction);
}

/**
 * Moves the corrections of a title, and those that refer to it, to the title that replaces it. That title's own stay.
 */
export async function moveCorrections(
  transaction: Transaction,
  { from, to }: { from: number; to: number },
): Promise<void> {
  await transaction.execute(sql`
    insert into ${franchiseCorrections} (mal_id, correction, related_id)
    select ${to}::int, correction, related_id from ${franchiseCorrections}
      where mal_id = ${from} and related_id is distinct from ${to}
    on conflict do nothing`);
  await transaction.delete(franchiseCorrections).where(eq(franchiseCorrections.malId, from));
  await transaction.execute(sql`
    delete from ${franchiseCorrections} where related_id = ${from} and mal_id = ${to}`);
  await transaction
    .update(franchiseCorrections)
    .set({ relatedId: to })
    .where(eq(franchiseCorrections.relatedId, from));
}
