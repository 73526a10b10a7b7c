import { createHmac } from "node:crypto";
import { and, eq, lt } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { knownAddresses } from "#db/schema/accounts.ts";
import { days } from "../../platform/duration.ts";
import { signingSecrets } from "../../platform/signing-secrets.server.ts";

/** Who asks: the address as the limiter counts it, and what the browser calls itself. */
export type Caller = { address: string; userAgent: string | null };

const forgottenAfter = days(180);

/** Keyed, since the few addresses there are could all be tried against a plain hash. */
export const addressHash = ({ address }: Caller) =>
  createHmac("sha256", signingSecrets()[0]).update(`address:${address}`).digest("hex");

/** Strangers' failures never slow down an address from which the account was entered before. */
export async function rememberAddress(userId: string, caller: Caller) {
  const lastSeenAt = new Date();
  await db
    .insert(knownAddresses)
    .values({ userId, addressHash: addressHash(caller), lastSeenAt })
    .onConflictDoUpdate({
      target: [knownAddresses.userId, knownAddresses.addressHash],
      set: { lastSeenAt },
    });
  const oldest = new Date(lastSeenAt.getTime() - forgottenAfter);
  await db
    .delete(knownAddresses)
    .where(and(eq(knownAddresses.userId, userId), lt(knownAddresses.lastSeenAt, oldest)));
}
