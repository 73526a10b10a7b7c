import { createByteBudget } from "../limits/byte-budget.ts";
import { ThreadPool, type Turn } from "../limits/thread-pool.server.ts";
import { seconds } from "../units.ts";
import { memoryPlan, shareOfMemory } from "./memory.server.ts";
import { ownFilePath } from "./own-files.server.ts";

/** The thread that rewrites texts too large for the main thread. Clients take turns. */

/**
 * An upstream can stall in the middle of a playlist while its bytes stay in memory, so all texts being read share one
 * budget.
 */
export const rewritingBudget = createByteBudget(shareOfMemory(memoryPlan.playlists));

const pool = new ThreadPool<object, unknown>({
  file: ownFilePath("build/server/text-rewriter.js"),
  threads: 1,
  queueLimit: 64,
  clientLimit: 16,
  heapMebibytes: memoryPlan.rewritingHeap,
  // The largest texts and pictures take seconds. A job that takes longer than this is made to.
  maxJobMs: seconds(30),
});

export const runOnThread = <Answer>(job: object, turn: Turn) => pool.run(job, turn) as Promise<Answer>;
