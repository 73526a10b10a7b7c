import { seconds } from "../units.ts";
import { currentClient, ShareUsedUp } from "./current-client.server.ts";
import { unlimitedShare } from "./fair-share.ts";
import { createTimedQueue, type TimedQueueOptions } from "./timed-queue.ts";

type Limits = { total: number; perClient: number; perAccount: number } & Pick<
  TimedQueueOptions,
  "leavesTime"
>;

/**
 * Runs at most `total` jobs at the same time, at most `perClient` of one address and `perAccount` of one account.
 * Clients with waiting jobs take turns. Calls `countRefusal` for each job that is refused.
 */
export function createTurns({ leavesTime, ...running }: Limits, countRefusal: () => void) {
  const queue = createTimedQueue({
    running,
    // Every caller is a request, and requests are limited earlier.
    waiting: unlimitedShare,
    maxWaitMs: seconds(5),
    ...(leavesTime && { leavesTime }),
  });
  /** Rejects with `ShareUsedUp` if the turn does not come within `maxWaitMs`, or if the client leaves before. */
  return async function inTurn<Value>(
    work: () => Promise<Value>,
    { maxWaitMs }: { maxWaitMs?: number } = {},
  ): Promise<Value> {
    const client = currentClient();
    const signal = client?.signal?.();
    const leave = await queue.enter(client?.ipBlock ?? "", {
      account: client?.account,
      maxWaitMs,
      ...(signal && { signal }),
    });
    if (!leave) {
      if (!signal?.aborted) countRefusal();
      throw new ShareUsedUp("no turn in time");
    }
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
