import { and, eq, sql } from "drizzle-orm";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { inBackground } from "#app/platform/log.server.ts";
import { inSeconds, minutes } from "#app/platform/units.ts";
import { db } from "#db/client.server.ts";
import { credentials, knownAddresses, signInFailures, users } from "#db/schema/accounts.ts";
import { normalizeEmail } from "../accounts.ts";
import { accountColumns } from "../sessions/session-user.server.ts";
import { createSession, type NewSession } from "../sessions/sessions.server.ts";
import { type ClientDevice, ipHash } from "./known-ips.server.ts";
import { hashCost, hashPassword, verifyPassword } from "./password-hashing.server.ts";

type Attempt = { email: string; password: string };

const wrongPair = refuse("unauthorized", "Invalid email or password");

/**
 * Checks the pair and starts a session. Unknown address, wrong password, disabled account and an account that is held
 * back take the same way and give the same answer: one query, one comparison.
 */
export async function signIn(
  { email, password }: Attempt,
  caller: ClientDevice,
): Promise<Outcome<NewSession>> {
  const found = await findAccount(normalizeEmail(email), caller);
  const compared = await verifyPassword(password, found?.hash ?? null);
  if (!compared.ok) return compared;
  if (found && !compared.value) inBackground("counting a failed sign-in", countFailure(found.account.id));
  if (!found?.hash || !found.passwordOf || !compared.value || isHeldBack(found)) return wrongPair;
  const { account, passwordOf, hash, cost } = found;
  const session = await createSession(account.id, caller, { passwordOf });
  if (session === null) return wrongPair;
  if (cost !== hashCost) inBackground("hashing anew", rehash({ id: account.id, password, hash }));
  return done({ account, ...session });
}

async function findAccount(email: string, caller: ClientDevice) {
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
      and(eq(knownAddresses.userId, users.id), eq(knownAddresses.addressHash, ipHash(caller))),
    )
    .where(eq(users.email, email));
  return row;
}

/** Guessing is slowed down an account, but never for those who were in it before: a stranger cannot lock its owner out. */
const failuresAllowed = 300;
const failureWindow = minutes(15);

type Counted = { failures: number | null; windowStart: Date | null; knownAddress: string | null };

function isHeldBack({ failures, windowStart, knownAddress }: Counted) {
  if (knownAddress !== null || failures === null || windowStart === null) return false;
  return failures >= failuresAllowed && Date.now() - windowStart.getTime() < failureWindow;
}

/** Not waited for: an unknown address has no row to write, and must not answer faster for it. */
async function countFailure(userId: string) {
  const now = new Date().toISOString();
  const isOver = sql`${signInFailures.windowStart} <= ${now}::timestamptz - ${inSeconds(failureWindow)} * interval '1 second'`;
  await db.execute(sql`
    insert into ${signInFailures} (user_id, window_start, failures) values (${userId}, ${now}::timestamptz, 1)
    on conflict (user_id) do update set
      failures = case when ${isOver} then 1 else ${signInFailures.failures} + 1 end,
      window_start = case when ${isOver} then excluded.window_start else ${signInFailures.windowStart} end`);
}

/** The work a hash costs grows with the years: an old one is made anew while its password is at hand. */
async function rehash({ id, password, hash }: { id: string; password: string; hash: string }) {
  const hashed = await hashPassword(password);
  if (!hashed.ok) return;
  await db
    .update(credentials)
    .set({ hash: hashed.value, cost: hashCost })
    .where(and(eq(credentials.userId, id), eq(credentials.hash, hash)));
}
