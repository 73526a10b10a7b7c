import { minutes } from "../units.ts";
import { currentClient, ShareUsedUp } from "./current-client.server.ts";
import { createTimedQueue } from "./timed-queue.ts";

/** Every caller is a request, and requests are limited before they come here. */
const unlimited = { total: Number.POSITIVE_INFINITY, perClient: Number.POSITIVE_INFINITY };

type Limits = { total: number; perClient: number; perAccount: number };

/**
 * Runs at most `total` works at the same time, and at most `perClient` of one address and `perAccount` of one
 * account. Of those that wait, clients take turns.
 */
export function createTurns(running: Limits) {
  const queue = createTimedQueue({
    running,
    waiting: unlimited,
    maxWaitMs: minutes(10),
    maxTotalMs: Number.POSITIVE_INFINITY,
  });
  /** Rejects with `ShareUsedUp` if the turn does not come in time. */
  return async function inTurn<Value>(
    work: () => Promise<Value>,
    { maxWaitMs }: { maxWaitMs?: number } = {},
  ): Promise<Value> {
    const client = currentClient();
    const leave = await queue.enter(client?.address ?? "", { account: client?.account, maxWaitMs });
    if (!leave) throw new ShareUsedUp("no turn in time");
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
