import { and, eq } from "drizzle-orm";
import {
  type ClientDevice,
  deleteOldSessions,
  deviceName,
  isEnabled,
  maxSessionMs,
  recordSignIn,
} from "#app/domain/accounts/accounts.server.ts";
import { newSecret, secretHash } from "#app/platform/process/secrets.server.ts";
import type { Transaction } from "#db/client.server.ts";
import { sessions, users } from "#db/schema/accounts.ts";

type SignedInDevice = { profileId: string; signedInAt: Date };

/**
 * Creates a session for a device that a member has confirmed on another one. It acts for the member's profile. Nobody
 * has proven who they are on the device itself, so the time of the sign-in is that of the confirming session. Null if
 * the account is disabled.
 */
export async function insertDeviceSession(
  transaction: Transaction,
  { profileId, signedInAt }: SignedInDevice,
  client: ClientDevice,
): Promise<string | null> {
  const secret = newSecret();
  const now = new Date();
  const [user] = await transaction
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, profileId), isEnabled));
  if (!user) return null;
  await transaction.insert(sessions).values({
    secretHash: secretHash(secret),
    userId: profileId,
    device: deviceName(client.userAgent),
    createdAt: now,
    signedInAt,
    lastSeenAt: now,
    expiresAt: new Date(now.getTime() + maxSessionMs),
  });
  return secret;
}

/** The steps of every sign-in that follow once its session exists. */
export async function finishDeviceSignIn(accountId: string, client: ClientDevice): Promise<void> {
  await Promise.all([deleteOldSessions(accountId, new Date()), recordSignIn(accountId, client)]);
}
