import { createHmac } from "node:crypto";
import { and, eq, lt } from "drizzle-orm";
import { getSigningSecrets } from "#app/platform/process/secrets.server.ts";
import { days } from "#app/platform/units.ts";
import { db } from "#db/client.server.ts";
import { knownAddresses } from "#db/schema/accounts.ts";

/** Who asks: the address as the limiter counts it, and what the browser calls itself. */
export type ClientDevice = { address: string; userAgent: string | null };

const forgottenAfter = days(180);

/** Keyed, since the few addresses there are could all be tried against a plain hash. */
export const ipHash = ({ address }: ClientDevice) =>
  createHmac("sha256", getSigningSecrets()[0]).update(`address:${address}`).digest("hex");

/** Strangers' failures never slow down an address from which the account was entered before. */
export async function rememberIp(userId: string, caller: ClientDevice) {
  const lastSeenAt = new Date();
  await db
    .insert(knownAddresses)
    .values({ userId, addressHash: ipHash(caller), lastSeenAt })
    .onConflictDoUpdate({
      target: [knownAddresses.userId, knownAddresses.addressHash],
      set: { lastSeenAt },
    });
  const oldest = new Date(lastSeenAt.getTime() - forgottenAfter);
  await db
    .delete(knownAddresses)
    .where(and(eq(knownAddresses.userId, userId), lt(knownAddresses.lastSeenAt, oldest)));
}
