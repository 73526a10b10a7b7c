import { and, desc, eq, gt, ne, sql } from "drizzle-orm";
import { db, type Transaction } from "#db/client.server.ts";
import { credentials, sessions, users } from "#db/schema/accounts.ts";
import { days, hours } from "../../platform/duration.ts";
import { errorFields, log } from "../../platform/log.server.ts";
import { newSecret, secretHash } from "../../platform/secrets.server.ts";
import type { AccountView, SessionUser } from "./accounts.ts";
import { deviceName } from "./device-name.ts";
import { type Caller, rememberAddress } from "./known-addresses.server.ts";
import { asSessionUser, sessionUserColumns } from "./session-user.server.ts";

const idleLimit = days(7);
const absoluteLimit = days(30);
const touchedAfter = hours(1);
/** Nobody has more devices; whoever signs in by script all day long keeps the newest. */
const sessionsKept = 100;

export type FoundSession = {
  id: string;
  user: SessionUser;
  signedInAt: Date;
  expiresAt: Date;
  /** The idle limit has moved: the cookie should be sent again. */
  touched: boolean;
};

/** Somebody who has just proven who they are, and the secret for their cookie. */
export type SignedIn = { account: AccountView; secret: string };

const idleSince = (now: Date) => new Date(now.getTime() - idleLimit);
const nearerLimit = (lastSeenAt: Date, absoluteEnd: Date) =>
  new Date(Math.min(lastSeenAt.getTime() + idleLimit, absoluteEnd.getTime()));

/**
 * Starts a session and gives the secret for its cookie, or null when the account was disabled or its password changed
 * since it was checked: `passwordOf` is the moment at which the checked password had been set.
 */
export async function startSession(
  userId: string,
  caller: Caller,
  { passwordOf }: { passwordOf?: Date } = {},
): Promise<string | null> {
  const secret = newSecret();
  const now = new Date();
  const stillProven = passwordOf
    ? sql`exists (select 1 from ${credentials} where ${credentials.userId} = ${userId}
                  and ${credentials.changedAt} = ${passwordOf.toISOString()}::timestamptz)`
    : sql`true`;
  const started = await db.execute(sql`
    insert into ${sessions} (secret_hash, user_id, device, created_at, signed_in_at, last_seen_at, expires_at)
    select ${secretHash(secret)}, ${users.id}, ${deviceName(caller.userAgent)}, ${now.toISOString()}::timestamptz,
           ${now.toISOString()}::timestamptz, ${now.toISOString()}::timestamptz,
           ${new Date(now.getTime() + absoluteLimit).toISOString()}::timestamptz
      from ${users} where ${users.id} = ${userId} and not ${users.disabled} and ${stillProven}
    returning id`);
  if (started.length === 0) return null;
  await Promise.all([sweepSessions(userId, now), rememberAddress(userId, caller)]);
  return secret;
}

async function sweepSessions(userId: string, now: Date) {
  await db.execute(sql`
    delete from ${sessions} where ${sessions.userId} = ${userId} and (
      ${sessions.expiresAt} <= ${now.toISOString()}::timestamptz
      or ${sessions.lastSeenAt} <= ${idleSince(now).toISOString()}::timestamptz
      or ${sessions.id} in (select id from ${sessions} where user_id = ${userId}
                            order by last_seen_at desc, id offset ${sessionsKept}))`);
}

/** One query for whoever sends a cookie; the row is written at most hourly. */
export async function findSession(secret: string): Promise<FoundSession | null> {
  const now = new Date();
  const [row] = await db
    .select({
      id: sessions.id,
      signedInAt: sessions.signedInAt,
      lastSeenAt: sessions.lastSeenAt,
      absoluteEnd: sessions.expiresAt,
      ...sessionUserColumns,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        eq(sessions.secretHash, secretHash(secret)),
        gt(sessions.expiresAt, now),
        gt(sessions.lastSeenAt, idleSince(now)),
        eq(users.disabled, false),
      ),
    );
  if (!row) return null;
  const touched = now.getTime() - row.lastSeenAt.getTime() >= touchedAfter && (await touch(row.id, now));
  return {
    id: row.id,
    user: asSessionUser(row),
    signedInAt: row.signedInAt,
    expiresAt: nearerLimit(touched ? now : row.lastSeenAt, row.absoluteEnd),
    touched,
  };
}

/** A session that was found stays good although its row could not be written just now. */
async function touch(id: string, now: Date): Promise<boolean> {
  try {
    await db.update(sessions).set({ lastSeenAt: now }).where(eq(sessions.id, id));
    return true;
  } catch (error) {
    log.warn("a session could not be touched", errorFields(error));
    return false;
  }
}

export async function endSession(secret: string) {
  await db.delete(sessions).where(eq(sessions.secretHash, secretHash(secret)));
}

/** The same session under a new secret, its owner proven just now. */
export async function renewSession(id: string, on: Pick<Transaction, "update">): Promise<string> {
  const secret = newSecret();
  const now = new Date();
  await on
    .update(sessions)
    .set({ secretHash: secretHash(secret), signedInAt: now, lastSeenAt: now })
    .where(eq(sessions.id, id));
  return secret;
}

export async function listSessions(userId: string) {
  const now = new Date();
  return db
    .select({
      id: sessions.id,
      device: sessions.device,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
    })
    .from(sessions)
    .where(
      and(eq(sessions.userId, userId), gt(sessions.expiresAt, now), gt(sessions.lastSeenAt, idleSince(now))),
    )
    .orderBy(desc(sessions.lastSeenAt), sessions.id);
}

export async function endSessionOf(userId: string, id: string) {
  await db.delete(sessions).where(and(eq(sessions.userId, userId), eq(sessions.id, id)));
}

/** Ends every session of an account, but for the one named. */
export async function endSessions(
  userId: string,
  options: { except?: string } = {},
  on: Pick<Transaction, "delete"> = db,
) {
  await on
    .delete(sessions)
    .where(
      options.except
        ? and(eq(sessions.userId, userId), ne(sessions.id, options.except))
        : eq(sessions.userId, userId),
    );
}
