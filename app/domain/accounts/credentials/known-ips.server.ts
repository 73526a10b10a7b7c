import { createHmac } from "node:crypto";
import { and, eq, lt, sql } from "drizzle-orm";
import { getSigningSecrets } from "#app/platform/process/secrets.server.ts";
import { days } from "#app/platform/units.ts";
import { db } from "#db/client.server.ts";
import { knownAddresses } from "#db/schema/accounts.ts";

/** `ip`: the address block that the limiter counts. */
export type ClientDevice = { ip: string; userAgent: string | null };

const maxAgeMs = days(180);

/** A keyed hash: a plain one could be reversed by hashing all IP addresses. */
export const ipHash = ({ ip }: ClientDevice) =>
  createHmac("sha256", getSigningSecrets()[0]).update(`address:${ip}`).digest("hex");

/**
 * Failed sign-ins of others never block an IP address that has signed in to the account before. Tells whether the
 * member has signed in before, and only from other ones.
 */
export async function rememberIp(userId: string, client: ClientDevice): Promise<{ isAnother: boolean }> {
  const lastSeenAt = new Date();
  const [remembered] = await db
    .insert(knownAddresses)
    .values({ userId, addressHash: ipHash(client), lastSeenAt })
    .onConflictDoUpdate({
      target: [knownAddresses.userId, knownAddresses.addressHash],
      set: { lastSeenAt },
    })
    // `xmax` is 0 in a new row. The first network of an account is not another one.
    .returning({
      isAnother: sql<boolean>`xmax = 0 and exists (select from ${knownAddresses} known
        where known.user_id = ${userId}::uuid and known.address_hash <> ${ipHash(client)})`,
    });
  const oldest = new Date(lastSeenAt.getTime() - maxAgeMs);
  await db
    .delete(knownAddresses)
    .where(and(eq(knownAddresses.userId, userId), lt(knownAddresses.lastSeenAt, oldest)));
  return { isAnother: remembered?.isAnother ?? false };
}
