import { randomInt } from "node:crypto";
import { and, count, eq, gt, lt, sql } from "drizzle-orm";
import {
  accountColumns,
  type ClientDevice,
  completeSignIn,
  deviceName,
  insertSession,
  isEnabled,
  lockAccount,
  type NewSession,
} from "#app/domain/accounts/accounts.server.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { networkHash } from "#app/domain/events/events.server.ts";
import { createRefusalCounter } from "#app/platform/limits/refusal-counter.server.ts";
import { createTurns } from "#app/platform/limits/turns.server.ts";
import { keyedHash } from "#app/platform/process/encryption.server.ts";
import { getSigningSecrets, newSecret, secretHash } from "#app/platform/process/secrets.server.ts";
import { days, inSeconds, minutes, seconds } from "#app/platform/units.ts";
import { db, withTransaction } from "#db/client.server.ts";
import { sessions, users } from "#db/schema/accounts.ts";
import { deviceCodes } from "#db/schema/device-codes.ts";
import { formatUserCode, userCodeLength, userCodeLetters } from "./user-code.ts";

/**
 * Signs in a device without a keyboard by the rules of RFC 8628: the device shows a code, a member types the code on
 * another device and confirms, and the first device, which polls every few seconds, gets a session. All state is in the
 * database, because the requests may reach different instances.
 */

const lifetimeMs = minutes(10);
const retentionMs = days(1);
/** The numbers of devices that may wait at the same time, for one network and for all networks. */
const maxWaitingOfNetwork = 10;
const maxWaiting = 5000;
/** RFC 8628, section 3.5: a device that asks too early waits five seconds longer from then on. */
const slowDownSeconds = 5;
/** Tolerates polls that come slightly early, because clocks and networks are not exact. */
const toleranceMs = seconds(0.5);
const maxIntervalSeconds = inSeconds(lifetimeMs);

type DeviceRequest = { secret: string; userCode: string; expiresAt: Date; intervalMs: number };

/** Keyed, because a plain hash of so short a code could be reversed. */
export const userCodeHash = (letters: string) =>
  keyedHash(getSigningSecrets()[0], "codes of devices", letters).digest("hex");

const newUserCode = () =>
  Array.from({ length: userCodeLength }, () => userCodeLetters[randomInt(userCodeLetters.length)]).join("");

export const isWaiting = (now: Date) => and(eq(deviceCodes.state, "pending"), gt(deviceCodes.expiresAt, now));

/** Each code costs queries. Turns keep requests for them from many addresses from delaying everybody else. */
const startTurn = createTurns(
  { total: 2, perClient: 1, perAccount: 1 },
  createRefusalCounter(
    "devices",
    "Devices ask for codes faster than the site can make them, so some get 503",
  ),
);

/** Starts the sign-in. The device keeps the secret and shows the code. */
export const startDeviceSignIn = (client: ClientDevice): Promise<Outcome<DeviceRequest>> =>
  startTurn(() => createCode(client));

async function createCode(client: ClientDevice): Promise<Outcome<DeviceRequest>> {
  const now = new Date();
  const network = networkHash(client.ip);
  const isOfNetwork = eq(deviceCodes.networkHash, network);
  const [waiting] = await db
    .select({ ofAll: count(), ofNetwork: sql`count(*) filter (where ${isOfNetwork})`.mapWith(Number) })
    .from(deviceCodes)
    .where(isWaiting(now));
  if (waiting && (waiting.ofNetwork >= maxWaitingOfNetwork || waiting.ofAll >= maxWaiting))
    return {
      ...refuse("overloaded", "Too many devices are asking to be signed in. Try again in a few minutes."),
      waitMs: minutes(1),
    };
  const secret = newSecret();
  const letters = newUserCode();
  const expiresAt = new Date(now.getTime() + lifetimeMs);
  const [created] = await db
    .insert(deviceCodes)
    .values({
      secretHash: secretHash(secret),
      userCodeHash: userCodeHash(letters),
      device: deviceName(client.userAgent),
      networkHash: network,
      createdAt: now,
      expiresAt,
    })
    .onConflictDoNothing({ target: deviceCodes.userCodeHash })
    .returning({ intervalSeconds: deviceCodes.intervalSeconds });
  // Another device already has this code, one of 25 billion.
  if (!created) return createCode(client);
  const intervalMs = seconds(created.intervalSeconds);
  return done({ secret, userCode: formatUserCode(letters), expiresAt, intervalMs });
}

/** The answers of RFC 8628, section 3.5, while the device is not signed in. */
export const deviceAnswers = [
  "authorization_pending",
  "slow_down",
  "expired_token",
  "access_denied",
  "invalid_grant",
] as const;
type DeviceAnswer = (typeof deviceAnswers)[number];
export type Poll = { state: "signed_in"; session: NewSession } | { state: DeviceAnswer };

/**
 * Answers a poll of the device. Only one of several concurrent polls gets the session. `isOwnPage`: the poll comes from
 * our page, which polls at its own pace and can be reloaded at any time.
 */
export async function pollDeviceSignIn(
  secret: string,
  client: ClientDevice,
  { isOwnPage = false } = {},
): Promise<Poll> {
  const now = new Date();
  const deviceRequest = isOwnPage ? await findRequest(secret) : await notePoll(secret, now);
  if (!deviceRequest || deviceRequest.state === "used") return { state: "invalid_grant" };
  if (deviceRequest.expiresAt <= now) return { state: "expired_token" };
  if (deviceRequest.state === "denied") return { state: "access_denied" };
  if (deviceRequest.isTooEarly) return { state: "slow_down" };
  if (deviceRequest.state === "pending" || deviceRequest.userId === null)
    return { state: "authorization_pending" };
  const session = await signInDevice({ secret, profileId: deviceRequest.userId, now }, client);
  return session ? { state: "signed_in", session } : { state: "invalid_grant" };
}

async function findRequest(secret: string) {
  const [row] = await db
    .select()
    .from(deviceCodes)
    .where(eq(deviceCodes.secretHash, secretHash(secret)));
  return row && { ...row, isTooEarly: false };
}

/** Stores the time of the poll, and lengthens the interval if the poll came too early. */
const notePoll = (secret: string, now: Date) =>
  withTransaction(async (transaction) => {
    const isOurs = eq(deviceCodes.secretHash, secretHash(secret));
    const [row] = await transaction.select().from(deviceCodes).where(isOurs).for("update");
    if (!row) return null;
    const sinceMs = now.getTime() - (row.lastPolledAt?.getTime() ?? 0);
    const isTooEarly = sinceMs >= 0 && sinceMs < seconds(row.intervalSeconds) - toleranceMs;
    const intervalSeconds = Math.min(
      row.intervalSeconds + (isTooEarly ? slowDownSeconds : 0),
      maxIntervalSeconds,
    );
    await transaction.update(deviceCodes).set({ lastPolledAt: now, intervalSeconds }).where(isOurs);
    return { ...row, isTooEarly };
  });

type Confirmed = { secret: string; profileId: string; now: Date };

/**
 * Creates a session for a device that a member has confirmed on another one. It acts for the member's profile. Nobody
 * has proven who they are on the device itself, so the time of the sign-in is that of the confirming session. Null if
 * the account is disabled.
 */
async function signInDevice(
  { secret, profileId, now }: Confirmed,
  client: ClientDevice,
): Promise<NewSession | null> {
  const [account] = await db
    .select({ id: sql<string>`coalesce(${users.accountId}, ${users.id})`, view: accountColumns })
    .from(users)
    .where(and(eq(users.id, profileId), isEnabled));
  if (!account) return null;
  const sessionSecret = await withTransaction(async (transaction) => {
    await lockAccount(transaction, account.id);
    const [used] = await transaction
      .update(deviceCodes)
      .set({ state: "used" })
      .from(sessions)
      .where(
        and(
          eq(deviceCodes.secretHash, secretHash(secret)),
          eq(deviceCodes.state, "confirmed"),
          gt(deviceCodes.expiresAt, now),
          eq(sessions.id, deviceCodes.sessionId),
          // The browser that confirmed may have changed to another profile since.
          eq(sessions.userId, deviceCodes.userId),
        ),
      )
      .returning({ signedInAt: sessions.signedInAt });
    return used ? insertSession(transaction, { userId: profileId, client, ...used }) : null;
  });
  if (sessionSecret === null) return null;
  const session = await completeSignIn(sessionSecret, account.id, client);
  return session && { ...session, account: account.view };
}

/** Deletes codes a day after they were made. */
export async function deleteOldDeviceCodes(): Promise<void> {
  await db.delete(deviceCodes).where(lt(deviceCodes.createdAt, new Date(Date.now() - retentionMs)));
}
