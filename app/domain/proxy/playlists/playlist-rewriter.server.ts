import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { PoolOverloaded } from "#app/platform/limits/thread-pool.server.ts";
import { createTimeAllowance } from "#app/platform/limits/time-allowance.ts";
import { env } from "#app/platform/process/env.server.ts";
import { isTooLargeForThread, runOnThread } from "#app/platform/process/text-thread.server.ts";
import { kibibytes, seconds } from "#app/platform/units.ts";
import { type RewriteJob, type RewrittenPlaylist, rewriteBytes } from "./rewritten-playlist.server.ts";

/**
 * Rewrites small playlists at once, and large ones on a thread, because a hostile playlist of five megabytes takes most
 * of a second. The limit for each client counts time, because the costs of such playlists differ a thousandfold.
 */

/** The worst playlist of this size takes 15 ms. */
const maxInlineBytes = kibibytes(96);
const times = createTimeAllowance(seconds(env.RATE_LIMIT_PLAYLIST_SECONDS));

/** The thread's answer: the rewritten playlist, and how long the rewriting took. */
type TimedRewriting = { rewritten: RewrittenPlaylist | null; tookMs: number };

export function timedRewriting(job: RewriteJob): TimedRewriting {
  const since = performance.now();
  const rewritten = rewriteBytes(job);
  return { rewritten, tookMs: performance.now() - since };
}

const busyRefusal = refuse("overloaded", "Too many large playlists at once; try again shortly");

/** Null if the playlist grows too much. `signal` aborts when the client leaves. */
export async function rewriteFor(
  client: string,
  job: RewriteJob,
  signal: AbortSignal,
): Promise<Outcome<RewrittenPlaylist | null>> {
  const waitMs = times.waitMs(client);
  if (waitMs > 0) return { ...busyRefusal, waitMs };
  try {
    const isSmall = job.bytes.byteLength <= maxInlineBytes;
    const { rewritten, tookMs } = isSmall ? timedRewriting(job) : await onThread(job, client, signal);
    times.spend(client, tookMs);
    return done(rewritten);
  } catch (error) {
    if (error instanceof PoolOverloaded) return busyRefusal;
    if (isTooLargeForThread(error)) return done(null);
    throw error;
  }
}

async function onThread(job: RewriteJob, client: string, signal: AbortSignal): Promise<TimedRewriting> {
  const { rewritten, tookMs } = await runOnThread<TimedRewriting>(job, { client, signal });
  if (!rewritten) return { rewritten, tookMs };
  // A Buffer that comes from a thread is a plain Uint8Array.
  const { buffer, byteOffset, byteLength } = rewritten.bytes;
  return { rewritten: { ...rewritten, bytes: Buffer.from(buffer, byteOffset, byteLength) }, tookMs };
}
