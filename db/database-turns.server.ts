import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import { type CurrentClient, currentClient } from "#app/platform/limits/current-client.server.ts";
import { createRefusalCounter } from "#app/platform/limits/refusal-counter.server.ts";
import { createTimedQueue } from "#app/platform/limits/timed-queue.ts";
import { gauge } from "#app/platform/metrics.server.ts";
import { seconds } from "#app/platform/units.ts";
import { DatabaseBusy, DatabaseUnavailable } from "./database-errors.server.ts";

/**
 * Divides the pool's connections among the clients whose requests need them. Without this, one member who sends slow
 * queries without pause would take every connection, and everybody else would wait behind them.
 */

export const poolSize = 10;

const turns = createTimedQueue({
  // An account gets less than an address: several members can share an address, and a hanging query lasts for seconds.
  running: { total: poolSize, perClient: 6, perNetwork: 8, perAccount: 3 },
  // Only requests that passed admission wait here, and each waits for a few queries.
  waiting: { total: 20_000, perClient: 5000 },
  // Together with the time to connect to a silent database, a request is answered within ten seconds.
  maxWaitMs: seconds(4.5),
  // A request that is half done should not be refused because of an estimate. Admission refuses later requests instead.
  maxTotalMs: Number.POSITIVE_INFINITY,
});

gauge(
  "database_turns_waiting",
  "Queries that wait because their client uses its share of the connections",
  turns.waiting,
);
const countRefusal = createRefusalCounter(
  "database",
  "A client's queries waited too long for the client's share of the database, so its requests get 503",
);

/** True inside a transaction, which already has its connection. A second turn could wait for the transaction's own. */
const holdsTurn = new AsyncLocalStorage<true>();

/** A working database answers at least one query within this time. */
const silenceMs = seconds(3);
let answeredAt = Number.NEGATIVE_INFINITY;

/** Runs `query` when the current client may use a connection. Background work, which has no client, runs at once. */
export async function inTurn<Value>(query: () => Promise<Value>): Promise<Value> {
  const client = currentClient();
  if (!client || holdsTurn.getStore()) return query();
  const leave = await turns.enter(client.address, { account: client.account });
  if (!leave) throw refuse(client);
  try {
    const value = await query();
    answeredAt = performance.now();
    return value;
  } finally {
    leave();
  }
}

/** A database that answers no client is down, so the client's share is not the cause. */
function refuse(client: CurrentClient): Error {
  if (performance.now() - answeredAt > silenceMs) return new DatabaseUnavailable("no answer in time");
  client.wasRefused = true;
  countRefusal();
  return new DatabaseBusy("this client's share of the connections is used up");
}

/**
 * The same for a transaction, which keeps its turn until it ends. The driver calls `work` when a connection becomes
 * free, which is often when another client's query ends, so the client is bound to `work`.
 */
export const transactionInTurn = <Value>(work: Work<Value>, begin: (work: Work<Value>) => Promise<Value>) =>
  inTurn(() => holdsTurn.run(true, () => begin(AsyncResource.bind(work))));

type Work<Value> = (transaction: unknown) => Promise<Value>;
