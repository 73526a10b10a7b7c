import { and, desc, eq, gt, isNull, ne, type SQL, sql } from "drizzle-orm";
import { type Outcome, refuse } from "#app/domain/errors.ts";
import { type Actor, recordEvent } from "#app/domain/events/events.server.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { newSecret, secretHash } from "#app/platform/process/secrets.server.ts";
import { days, hours } from "#app/platform/units.ts";
import { db, preparedDb, type Transaction, withTransaction } from "#db/client.server.ts";
import { credentials, sessions, users } from "#db/schema/accounts.ts";
import { deviceCodes } from "#db/schema/device-codes.ts";
import { isOfAccount, lockAccount } from "../account-rows.server.ts";
import type { AccountView, Preferences, SessionUser } from "../accounts.ts";
import { deviceName } from "./device-name.ts";
import { endFilmPasses } from "./film-passes.server.ts";
import { type ClientDevice, recordIp } from "./known-ips.server.ts";
import { isEnabled, sessionUserColumns, toSessionUser } from "./session-user.server.ts";

/** A session that was idle this long has ended, and its cookie expires at the same time. */
export const maxIdleSessionMs = days(7);
const maxSessionMs = days(30);
const seenRecordedEveryMs = hours(1);
/** In a household with a child, a browser that was idle this long may have changed hands. */
const maxIdleBesideChildMs = hours(4);
/** More sessions than a member has devices. A script that signs in all day keeps only its newest sessions. */
const maxSessions = 100;

export type FoundSession = {
  id: string;
  secretHash: string;
  user: SessionUser;
  signedInAt: Date;
  expiresAt: Date;
  /** The browser was idle, and nobody has chosen a profile since. Pages ask who is watching first. */
  asksWho: boolean;
  /** `lastSeenAt` was updated, so the cookie must be sent again with the later expiry. */
  touched: boolean;
};

/** A session with a new secret for its cookie, and the preferences of its profile. */
type CreatedSession = { secret: string; preferences: Preferences; isOneOfSeveral: boolean };

/** `isChild`: the session now acts for the profile of a child. */
export type SwitchedSession = CreatedSession & { isChild: boolean };

export type NewSession = CreatedSession & { account: AccountView };

const idleCutoff = (now: Date) => new Date(now.getTime() - maxIdleSessionMs);
const expiryOf = (lastSeenAt: Date, maxExpiry: Date) =>
  new Date(Math.min(lastSeenAt.getTime() + maxIdleSessionMs, maxExpiry.getTime()));

/**
 * Creates a session of the account, which acts for its first profile. `passwordOf` is the time at which the checked
 * password was set. Returns null if the account is disabled, or if its password has changed since that check.
 */
export async function createSession(
  accountId: string,
  client: ClientDevice,
  { passwordOf }: { passwordOf?: Date } = {},
): Promise<CreatedSession | null> {
  const hasSamePassword =
    passwordOf &&
    sql`exists (select 1 from ${credentials} where ${credentials.userId} = ${accountId}
                and ${credentials.changedAt} = ${passwordOf.toISOString()}::timestamptz)`;
  const secret = await withTransaction(async (transaction) => {
    await lockAccount(transaction, accountId);
    const condition = and(isNull(users.accountId), hasSamePassword);
    return insertSession(transaction, { userId: accountId, client, condition });
  });
  return secret === null ? null : completeSignIn(secret, accountId, client);
}

type Insertion = {
  userId: string;
  client: ClientDevice;
  /** The time of the sign-in; by default now. */
  signedInAt?: Date;
  condition?: SQL | undefined;
};

/**
 * Inserts a session and returns its secret. Lock the account before. Null if the account is disabled, or if the
 * condition does not hold.
 */
export async function insertSession(
  transaction: Transaction,
  { userId, client, signedInAt, condition = sql`true` }: Insertion,
): Promise<string | null> {
  const secret = newSecret();
  const now = new Date();
  const at = (time: Date) => sql`${time.toISOString()}::timestamptz`;
  const created = await transaction.execute(sql`
    insert into ${sessions} (secret_hash, user_id, device, created_at, signed_in_at, last_seen_at, expires_at)
    select ${secretHash(secret)}, ${users.id}, ${deviceName(client.userAgent)}, ${at(now)}, ${at(signedInAt ?? now)},
           ${at(now)}, ${at(new Date(now.getTime() + maxSessionMs))}
      from ${users} where ${users.id} = ${userId} and ${isEnabled} and ${condition}
    returning id`);
  return created.length > 0 ? secret : null;
}

/** Records the sign-in of a new session, and reads what its browser gets. Null if the session has ended already. */
export async function completeSignIn(
  secret: string,
  accountId: string,
  client: ClientDevice,
): Promise<CreatedSession | null> {
  const [session] = await Promise.all([
    findSession(secret),
    deleteOldSessions(accountId),
    recordSignIn(accountId, client),
  ]);
  if (!session) return null;
  const { preferences, isOneOfSeveral } = session.user;
  return { secret, preferences, isOneOfSeveral };
}

async function recordSignIn(userId: string, client: ClientDevice) {
  const { isAnother } = await recordIp(userId, client);
  await recordEvent({
    kind: isAnother ? "sign_in_new_network" : "sign_in",
    userId,
    actor: { kind: "member", ip: client.ip },
    detail: deviceName(client.userAgent),
  });
}

/**
 * Deletes expired and idle sessions, and the oldest beyond the maximum. If one of these was still valid, the time is
 * stored, so that the list of sessions can say so.
 */
async function deleteOldSessions(accountId: string) {
  const now = new Date();
  const isOwn = isOfAccount(sessions.userId, accountId);
  await withTransaction(async (transaction) => {
    await lockAccount(transaction, accountId);
    await transaction.execute(sql`
      with ended as (
        delete from ${sessions} where ${isOwn} and (
          ${sessions.expiresAt} <= ${now.toISOString()}::timestamptz
          or ${sessions.lastSeenAt} <= ${idleCutoff(now).toISOString()}::timestamptz
          or ${sessions.id} in (select id from ${sessions} where ${isOwn}
                                order by last_seen_at desc, id offset ${maxSessions}))
        returning expires_at > ${now.toISOString()}::timestamptz
          and last_seen_at > ${idleCutoff(now).toISOString()}::timestamptz as was_valid)
      update ${users} set sessions_ended_at = ${now.toISOString()}::timestamptz
       where ${users.id} = ${accountId} and exists (select 1 from ended where was_valid)`);
  });
}

/** Null if no sign-in has ended a session in the last 30 days. Earlier ones would have expired by now anyway. */
export async function findEndedSessionsText(accountId: string): Promise<string | null> {
  const [user] = await db
    .select({ endedAt: users.sessionsEndedAt })
    .from(users)
    .where(and(eq(users.id, accountId), gt(users.sessionsEndedAt, new Date(Date.now() - maxSessionMs))));
  if (!user) return null;
  return `The oldest sessions were ended, because an account has at most ${maxSessions}. A program that signs in often should use an access token.`;
}

/**
 * Prepared once, because building the query takes longer than running it. Times are passed as text. The name is not
 * used.
 */
const sessionOf = preparedDb
  .select({
    id: sessions.id,
    secretHash: sessions.secretHash,
    signedInAt: sessions.signedInAt,
    lastSeenAt: sessions.lastSeenAt,
    maxExpiry: sessions.expiresAt,
    asksWho: sessions.asksWho,
    ...sessionUserColumns,
  })
  .from(sessions)
  .innerJoin(users, eq(users.id, sessions.userId))
  .where(
    and(
      eq(sessions.secretHash, sql.placeholder("hash")),
      gt(sessions.expiresAt, sql.placeholder("now")),
      gt(sessions.lastSeenAt, sql.placeholder("idleCutoff")),
      isEnabled,
    ),
  )
  .prepare("session");

/** Runs for every request with a cookie, so it is one query, and `lastSeenAt` is written at most hourly. */
export async function findSession(secret: string): Promise<FoundSession | null> {
  const now = new Date();
  const [row] = await sessionOf.execute({
    hash: secretHash(secret),
    now: now.toISOString(),
    idleCutoff: idleCutoff(now).toISOString(),
  });
  if (!row) return null;
  const idleMs = now.getTime() - row.lastSeenAt.getTime();
  const asksWho = row.isBesideChild && (row.asksWho || idleMs >= maxIdleBesideChildMs);
  const touched = idleMs >= seenRecordedEveryMs && (await updateLastSeen(row.id, { at: now, asksWho }));
  return {
    id: row.id,
    secretHash: row.secretHash,
    user: toSessionUser(row),
    signedInAt: row.signedInAt,
    asksWho,
    expiresAt: expiryOf(touched ? now : row.lastSeenAt, row.maxExpiry),
    touched,
  };
}

/** Compares the secret too: a password change gives the session a new one, and a copied cookie must not pass. */
export const isSessionValid = async (on: Pick<Transaction, "$count">, session: FoundSession) =>
  (await on.$count(sessions, and(eq(sessions.id, session.id), eq(sessions.secretHash, session.secretHash)))) >
  0;

/**
 * A transaction that changes the account only if this session is still valid: the request may have been authenticated
 * before a password change that ended it.
 */
export const whileSessionValid = <Value>(
  session: FoundSession,
  work: (transaction: Transaction) => Promise<Outcome<Value>>,
): Promise<Outcome<Value>> =>
  withTransaction(async (transaction) => {
    await lockAccount(transaction, session.user.accountId);
    return (await isSessionValid(transaction, session)) ? work(transaction) : refuse("unauthorized");
  });

/** A failed write is only logged: the session is valid all the same. */
async function updateLastSeen(
  id: string,
  { at: lastSeenAt, asksWho }: { at: Date; asksWho: boolean },
): Promise<boolean> {
  try {
    await db.update(sessions).set({ lastSeenAt, asksWho }).where(eq(sessions.id, id));
    return true;
  } catch (error) {
    log.warn("could not update the last-seen time of a session", errorFields(error));
    return false;
  }
}

export async function deleteSession(secret: string) {
  await db.delete(sessions).where(eq(sessions.secretHash, secretHash(secret)));
}

/**
 * Makes a session act for another profile of its account. It gets a new secret, so that a copy of the old cookie cannot
 * act for the new profile. The time of the sign-in stays, because switching proves nothing about who the person is.
 * Returns null if the session has ended meanwhile.
 */
export async function moveSession(
  session: FoundSession,
  profileId: string,
  on: Pick<Transaction, "update">,
): Promise<string | null> {
  const secret = newSecret();
  const moved = await on
    .update(sessions)
    .set({ userId: profileId, secretHash: secretHash(secret), lastSeenAt: new Date(), asksWho: false })
    .where(and(eq(sessions.id, session.id), eq(sessions.secretHash, session.secretHash)))
    .returning({ id: sessions.id });
  return moved.length > 0 ? secret : null;
}

/** Gives a session a new secret. The member has just proven who they are, so this counts as a sign-in. */
export async function replaceSessionSecret(id: string, on: Pick<Transaction, "update">): Promise<string> {
  const secret = newSecret();
  const now = new Date();
  await on
    .update(sessions)
    .set({ secretHash: secretHash(secret), signedInAt: now, lastSeenAt: now })
    .where(eq(sessions.id, id));
  return secret;
}

/** All sessions of the account, each with the name of the profile that it acts for. */
export async function listSessions(accountId: string) {
  const now = new Date();
  return db
    .select({
      id: sessions.id,
      device: sessions.device,
      profileName: users.name,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        isOfAccount(sessions.userId, accountId),
        gt(sessions.expiresAt, now),
        gt(sessions.lastSeenAt, idleCutoff(now)),
      ),
    )
    .orderBy(desc(sessions.lastSeenAt), sessions.id);
}

export async function deleteSessionById(accountId: string, id: string, actor: Actor) {
  await withTransaction(async (transaction) => {
    await lockAccount(transaction, accountId);
    const [ended] = await transaction
      .delete(sessions)
      .where(and(isOfAccount(sessions.userId, accountId), eq(sessions.id, id)))
      .returning({ device: sessions.device });
    if (ended)
      await recordEvent(
        { kind: "session_ended", userId: accountId, actor, detail: ended.device },
        transaction,
      );
  });
}

export async function deleteOtherSessions(accountId: string, sessionId: string, actor: Actor) {
  await withTransaction(async (transaction) => {
    await lockAccount(transaction, accountId);
    const ended = await deleteSessions(accountId, { except: sessionId }, transaction);
    if (ended > 0) await recordEvent({ kind: "sessions_ended", userId: accountId, actor }, transaction);
  });
}

/**
 * Ends the sessions of all profiles of the account, their signed addresses of films, and confirmations for devices that
 * have not signed in yet. Returns the number of sessions and confirmations.
 */
export async function deleteSessions(
  accountId: string,
  { except }: { except?: string },
  on: Pick<Transaction, "delete" | "update">,
): Promise<number> {
  await endFilmPasses(accountId, on);
  const confirmed = await on
    .delete(deviceCodes)
    .where(isOfAccount(deviceCodes.userId, accountId))
    .returning({ id: deviceCodes.userId });
  const ended = await on
    .delete(sessions)
    .where(
      and(
        isOfAccount(sessions.userId, accountId),
        except === undefined ? undefined : ne(sessions.id, except),
      ),
    )
    .returning({ id: sessions.id });
  return ended.length + confirmed.length;
}
