import { existsSync } from "node:fs";
import { truncates } from "bcryptjs";
import { normalizePassword } from "#app/domain/accounts/accounts.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
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

/** The place of a request in the queue. Clients take turns by IP address, because one person can have many accounts. */
type Turn = { client: string; who: keyof typeof pools };

/** The turn of a signed-in member, who is never queued with strangers. */
export const turnOfMember = (client: string): Turn => ({ client, who: "member" });

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
  { client, who }: Turn,
): Promise<Outcome<Answer>> {
  try {
    return done((await pools[who].run(job, { client })) as Answer);
  } catch (error) {
    if (error instanceof PoolOverloaded) return refuse("overloaded");
    throw error;
  }
}
