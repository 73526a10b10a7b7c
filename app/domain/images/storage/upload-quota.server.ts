import { sql } from "drizzle-orm";
import { type Refusal, refuse } from "#app/domain/errors.ts";
import { env } from "#app/platform/process/env.server.ts";
import { mebibytes, sizeText } from "#app/platform/units.ts";
import type { db, Transaction } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { imageUses, storedImages } from "#db/schema/images.ts";

/** UPLOAD_QUOTA: the limit for the stored pictures of one account. */

const maxBytes = mebibytes(env.UPLOAD_QUOTA);

/** The profiles of one account share its quota. */
const accountOf = (userId: string) =>
  sql`(select coalesce(profile.account_id, profile.id) from users as profile where profile.id = ${userId}::uuid)`;

/** Concurrent uploads of one account wait for each other, so that together they cannot exceed the quota. */
export const lockUploads = (transaction: Transaction, userId: string) =>
  transaction
    .select({ id: users.id })
    .from(users)
    .where(sql`${users.id} = ${accountOf(userId)}`)
    .for("no key update");

/** The refusal if one more picture would exceed the quota, otherwise null. */
export async function findQuotaRefusal(
  database: typeof db | Transaction,
  userId: string,
  added: { cid: string; bytes: number },
): Promise<Refusal | null> {
  const used = await countBytes(database, userId, added);
  if (used <= maxBytes) return null;
  return refuse(
    "too_large",
    `With this picture, the pictures of your account would be larger than ${sizeText(maxBytes)} together. Pictures that your profile does not use are deleted after a day; try again then.`,
  );
}

/**
 * The bytes that count for the account once it has the added picture. A picture used by several accounts counts for the
 * one with the lowest id. If it counted for none, two accounts that upload the same pictures could store any amount.
 */
async function countBytes(
  database: typeof db | Transaction,
  userId: string,
  added: { cid: string; bytes: number },
) {
  const uses = (cid: unknown, condition: unknown) =>
    sql`exists (select from ${imageUses} join ${users} on ${users.id} = ${imageUses.userId}
      where ${imageUses.cid} = ${cid} and ${condition})`;
  const holder = sql`coalesce(${users.accountId}, ${users.id})`;
  const isOwn = sql`${holder} = ${accountOf(userId)}`;
  const before = sql`${holder} < ${accountOf(userId)}`;
  const [row] = await database.execute<{ bytes: string }>(sql`
    select (
      select coalesce(sum(${storedImages.bytes}), 0) from ${storedImages}
      where ${storedImages.cid} <> ${added.cid}
        and ${uses(storedImages.cid, isOwn)} and not ${uses(storedImages.cid, before)}
    ) + case when ${uses(sql`${added.cid}`, before)} then 0 else ${added.bytes}::int end as bytes`);
  return Number(row?.bytes ?? 0);
}
