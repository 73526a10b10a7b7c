import { and, eq, sql } from "drizzle-orm";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { recordEvent } from "#app/domain/events/events.server.ts";
import { inBackground } from "#app/platform/log.server.ts";
import { inSeconds, minutes } from "#app/platform/units.ts";
import { db } from "#db/client.server.ts";
import { credentials, knownAddresses, signInFailures, users } from "#db/schema/accounts.ts";
import { normalizeEmail } from "../accounts.ts";
import { accountColumns } from "../sessions/session-user.server.ts";
import { createSession, type NewSession } from "../sessions/sessions.server.ts";
import { type ClientDevice, ipHash } from "./known-ips.server.ts";
import { hashCost, hashPassword, turnOfMember, verifyPassword } from "./password-hashing.server.ts";

type Attempt = { email: string; password: string };

const wrongCredentialsRefusal = refuse("unauthorized", "Invalid email or password");

/**
 * Checks email and password and creates a session. An unknown email, a wrong password, a disabled account and a
 * throttled account all take one query and one comparison and give the same answer, so that neither the answer nor its
 * duration reveals which emails have an account.
 */
export async function signIn(
  { email, password }: Attempt,
  client: ClientDevice,
): Promise<Outcome<NewSession>> {
  const found = await findAccount(normalizeEmail(email), client);
  // Only at the member's own IP address does this depend on whether the account exists.
  const turn = { client: client.ip, isFirst: typeof found?.knownAddress === "string" };
  const compared = await verifyPassword(password, found?.hash ?? null, turn);
  if (!compared.ok) return compared;
  if (found && !compared.value)
    inBackground("counting a failed sign-in", countFailure(found.account.id, client));
  if (!found?.hash || !found.passwordOf || !compared.value || isThrottled(found))
    return wrongCredentialsRefusal;
  const { account, passwordOf, hash, cost } = found;
  const session = await createSession(account.id, client, { passwordOf });
  if (session === null) return wrongCredentialsRefusal;
  if (cost !== hashCost)
    inBackground("updating a password hash", rehash({ id: account.id, password, hash }, client.ip));
  return done({ account, ...session });
}

async function findAccount(email: string, client: ClientDevice) {
  const [row] = await db
    .select({
      account: accountColumns,
      hash: credentials.hash,
      cost: credentials.cost,
      passwordOf: credentials.changedAt,
      failures: signInFailures.failures,
      windowStart: signInFailures.windowStart,
      knownAddress: knownAddresses.addressHash,
    })
    .from(users)
    .leftJoin(credentials, eq(credentials.userId, users.id))
    .leftJoin(signInFailures, eq(signInFailures.userId, users.id))
    .leftJoin(
      knownAddresses,
      and(eq(knownAddresses.userId, users.id), eq(knownAddresses.addressHash, ipHash(client))),
    )
    .where(eq(users.email, email));
  return row;
}

/**
 * Limits guessing per account. Clients whose IP address has signed in to the account before are exempt, so that an
 * attacker cannot lock the member out.
 */
const maxFailures = 300;
const failureWindow = minutes(15);
const minutesOf = (milliseconds: number) => milliseconds / minutes(1);
/** Fewer are typing errors, and an event for each would let anybody fill the record. */
const recordedFailures = new Set([10, 100, maxFailures]);
/**
 * Between the clocks of instances. A window that begins later is of before the clock was set back, and would last as much
 * longer.
 */
const maxClockDifference = minutes(1);

type FailureCount = { failures: number | null; windowStart: Date | null; knownAddress: string | null };

function isThrottled({ failures, windowStart, knownAddress }: FailureCount) {
  if (knownAddress !== null || failures === null || windowStart === null) return false;
  const elapsedMs = Date.now() - windowStart.getTime();
  return failures >= maxFailures && elapsedMs >= -maxClockDifference && elapsedMs < failureWindow;
}

/**
 * Runs in the background: waiting for this write would make the answer for a known email slower than for an unknown
 * one.
 */
async function countFailure(userId: string, client: ClientDevice) {
  const now = new Date().toISOString();
  const isOver = sql`(${signInFailures.windowStart} > ${now}::timestamptz + ${inSeconds(maxClockDifference)} * interval '1 second'
    or ${signInFailures.windowStart} <= ${now}::timestamptz - ${inSeconds(failureWindow)} * interval '1 second')`;
  const [counted] = await db.execute<{ failures: number }>(sql`
    insert into ${signInFailures} (user_id, window_start, failures) values (${userId}, ${now}::timestamptz, 1)
    on conflict (user_id) do update set
      failures = case when ${isOver} then 1 else ${signInFailures.failures} + 1 end,
      window_start = case when ${isOver} then excluded.window_start else ${signInFailures.windowStart} end
    returning failures`);
  if (counted && recordedFailures.has(counted.failures))
    await recordEvent({
      kind: "sign_ins_failed",
      userId,
      actor: { kind: "member", ip: client.ip },
      detail: `${counted.failures} within ${minutesOf(failureWindow)} minutes`,
    });
}

/** `hashCost` rises over the years. A sign-in is the only time when the password is known and can be hashed again. */
async function rehash(
  { id, password, hash }: { id: string; password: string; hash: string },
  client: string,
) {
  const hashed = await hashPassword(password, turnOfMember(client));
  if (!hashed.ok) return;
  await db
    .update(credentials)
    .set({ hash: hashed.value, cost: hashCost })
    .where(and(eq(credentials.userId, id), eq(credentials.hash, hash)));
}
