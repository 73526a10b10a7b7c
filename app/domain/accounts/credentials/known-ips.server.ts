import { createHmac } from "node:crypto";
import { and, eq, lt } from "drizzle-orm";
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

/** Failed sign-ins of others never block an IP address that has signed in to the account before. */
export async function rememberIp(userId: string, client: ClientDevice) {
  const lastSeenAt = new Date();
  await db
    .insert(knownAddresses)
    .values({ userId, addressHash: ipHash(client), lastSeenAt })
    .onConflictDoUpdate({
      target: [knownAddresses.userId, knownAddresses.addressHash],
      set: { lastSeenAt },
    });
  const oldest = new Date(lastSeenAt.getTime() - maxAgeMs);
  await db
    .delete(knownAddresses)
    .where(and(eq(knownAddresses.userId, userId), lt(knownAddresses.lastSeenAt, oldest)));
}
