import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { isTooLargeForThread, PoolOverloaded } from "#app/platform/limits/thread-pool.server.ts";
import { createTimeAllowance } from "#app/platform/limits/time-allowance.ts";
import { env } from "#app/platform/process/env.server.ts";
import { runOnThread } from "#app/platform/process/text-thread.server.ts";
import { kibibytes, mebibytes, seconds } from "#app/platform/units.ts";
import { type RewriteJob, type RewrittenPlaylist, rewriteBytes } from "./rewritten-playlist.server.ts";

/**
 * Rewrites small playlists at once, and large or costly ones on a thread, because a hostile playlist of five megabytes
 * takes most of a second. The limit for each client counts time, because the costs of such playlists differ a thousandfold.
 */

const maxInlineBytes = kibibytes(96);
/**
 * The cost of 3,000 signed addresses, or of 30,000 plain file names. A hostile playlist costs far more for its size: each
 * of its lines is an address of one character.
 */
const maxInlineCharacters = mebibytes(2);
const times = createTimeAllowance(seconds(env.RATE_LIMIT_PLAYLIST_SECONDS));

/** The thread's answer: the rewritten playlist, and how long the rewriting took. */
type TimedRewriting = { rewritten: RewrittenPlaylist | null; tookMs: number };

export function timedRewriting(job: RewriteJob, maxCharacters?: number): TimedRewriting {
  const since = performance.now();
  const rewritten = rewriteBytes(job, maxCharacters);
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
    const inline = isSmall ? timedRewriting(job, maxInlineCharacters) : null;
    times.spend(client, inline?.tookMs ?? 0);
    if (inline?.rewritten) return done(inline.rewritten);
    const { rewritten, tookMs } = await onThread(job, client, signal);
    times.spend(client, tookMs);
    return done(rewritten);
  } catch (error) {
    if (error instanceof PoolOverloaded) return busyRefusal;
    if (!isTooLargeForThread(error)) throw error;
    times.spend(client, error.ranMs);
    return done(null);
  }
}

async function onThread(job: RewriteJob, client: string, signal: AbortSignal): Promise<TimedRewriting> {
  const { rewritten, tookMs } = await runOnThread<TimedRewriting>(job, { client, signal });
  if (!rewritten) return { rewritten, tookMs };
  // A Buffer that comes from a thread is a plain Uint8Array.
  const { buffer, byteOffset, byteLength } = rewritten.bytes;
  return { rewritten: { ...rewritten, bytes: Buffer.from(buffer, byteOffset, byteLength) }, tookMs };
}
