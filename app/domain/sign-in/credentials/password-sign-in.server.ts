import { and, eq } from "drizzle-orm";
import {
  accountColumns,
  type ClientDevice,
  createSession,
  ipHash,
  type NewSession,
} from "#app/domain/accounts/accounts.server.ts";
import { normalizeEmail } from "#app/domain/accounts/accounts.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { inBackground } from "#app/platform/log.server.ts";
import { db } from "#db/client.server.ts";
import { credentials, knownAddresses, signInFailures, users } from "#db/schema/accounts.ts";
import { countFailure, isThrottled } from "./password-failures.server.ts";
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
  const record = await findAccount(normalizeEmail(email), client);
  // Only a client whose IP address has signed in to this account before gets the faster queue, so the duration tells
  // strangers nothing.
  const isKnown = typeof record?.knownAddress === "string";
  const turn = isKnown ? turnOfMember(client.ip, record.account.id) : { client: client.ip };
  const compared = await verifyPassword(password, record?.hash ?? null, turn);
  if (!compared.ok) return compared;
  if (record && !compared.value)
    inBackground("counting a failed sign-in", countFailure(record.account.id, client.ip));
  if (!record?.hash || !record.passwordOf || !compared.value || isThrottled(record))
    return wrongCredentialsRefusal;
  const { account, passwordOf, hash, cost } = record;
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

/** `hashCost` rises over the years. A sign-in is the only time when the password is known and can be hashed again. */
async function rehash(
  { id, password, hash }: { id: string; password: string; hash: string },
  client: string,
) {
  const hashed = await hashPassword(password, turnOfMember(client, id));
  if (!hashed.ok) return;
  await db
    .update(credentials)
    .set({ hash: hashed.value, cost: hashCost })
    .where(and(eq(credentials.userId, id), eq(credentials.hash, hash)));
}
