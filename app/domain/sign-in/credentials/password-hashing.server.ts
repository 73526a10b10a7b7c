import { existsSync } from "node:fs";
import { truncates } from "bcryptjs";
import { normalizePassword } from "#app/domain/accounts/accounts.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { ipBlockOf } from "#app/platform/limits/client-block.ts";
import { createFairShare } from "#app/platform/limits/fair-share.ts";
import { PoolOverloaded, ThreadPool } from "#app/platform/limits/thread-pool.server.ts";
import { memoryPlan } from "#app/platform/process/memory.server.ts";
import { seconds } from "#app/platform/units.ts";

/** bcrypt's cost: each step doubles the work. Hashes of another cost are replaced at the member's next sign-in. */
export const hashCost = 11;

/** A hash that no password matches. Comparing with it takes as long as with a real hash of the same cost. */
const dummyHash = `$2b$${hashCost}$${"C6UzMDM.H6dfI/f/IKcEe".padEnd(22, ".")}${"x".repeat(31)}`;

type Job = { password: string; hash: string } | { password: string; cost: number };

/** The build puts the worker beside this chunk or one folder above it; the source tree keeps it in app/workers. */
const workerFile =
  ["./hash-worker.js", "../hash-worker.js"]
    .map((path) => new URL(path, import.meta.url))
    .find((file) => existsSync(file)) ?? new URL("../../../workers/hash-worker.js", import.meta.url);

const poolOf = (data: { isForStrangers: boolean }) =>
  new ThreadPool<Job, string | boolean>({
    file: workerFile,
    data,
    threads: memoryPlan.hashThreads,
    queueLimit: 512,
    clientLimit: 32,
    maxWaitMs: seconds(5),
    expectedJobMs: 100,
  });

/** Strangers' passwords have their own threads with a lower priority, so that no number of them makes a member wait. */
const pools = { member: poolOf({ isForStrangers: false }), stranger: poolOf({ isForStrangers: true }) };

/**
 * The place of a request in the queue. Strangers take turns by IP address. Members take turns by account, because one
 * account can know many addresses.
 */
type Turn = { client: string; account?: string };

/** The turn of a member, who is not queued with strangers. `owner` is the account, or the profile whose PIN it is. */
export const turnOfMember = (client: string, owner: string): Turn => ({ client, account: owner });

/** One person can have many accounts, so more checks from one address at once are queued with those of strangers. */
const memberPlaces = createFairShare({ total: Number.POSITIVE_INFINITY, perClient: 8 });

export async function hashPassword(password: string, turn: Turn): Promise<Outcome<string>> {
  const text = normalizePassword(password);
  if (truncates(text)) return refuse("invalid", "The password is too long");
  return onPool<string>({ password: text, cost: hashCost }, turn);
}

/**
 * Compares the password with the hash. Without one (the email is unknown, or the account has no password) it compares
 * with a dummy hash, so that the duration does not reveal whether there is an account.
 */
export async function verifyPassword(
  password: string,
  hash: string | null,
  turn: Turn,
): Promise<Outcome<boolean>> {
  const text = normalizePassword(password);
  // bcrypt ignores the end of a longer password, so such a password could match with only its beginning.
  const against = hash === null || truncates(text) ? dummyHash : hash;
  const compared = await onPool<boolean>({ password: text, hash: against }, turn);
  return compared.ok ? done(compared.value && against === hash) : compared;
}

async function onPool<Answer extends string | boolean>(
  job: Job,
  { client, account }: Turn,
): Promise<Outcome<Answer>> {
  const block = ipBlockOf(client);
  const giveBack = account === undefined ? null : memberPlaces.take(block);
  try {
    const answer = await (account !== undefined && giveBack
      ? pools.member.run(job, { client: account })
      : pools.stranger.run(job, { client: block }));
    return done(answer as Answer);
  } catch (error) {
    if (error instanceof PoolOverloaded) return refuse("overloaded");
    throw error;
  } finally {
    giveBack?.();
  }
}
