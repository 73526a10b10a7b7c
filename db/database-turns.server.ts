import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import { type CurrentClient, currentClient } from "#app/platform/limits/current-client.server.ts";
import { createRefusalCounter } from "#app/platform/limits/refusal-counter.server.ts";
import { createTimedQueue } from "#app/platform/limits/timed-queue.ts";
import { gauge } from "#app/platform/metrics.server.ts";
import { seconds } from "#app/platform/units.ts";
import { DatabaseBusy, DatabaseUnavailable } from "./database-errors.server.ts";

/**
 * Divides the connections of the pool among the clients whose requests need them. Without this, one member who sends slow
 * queries as fast as they are answered would take every connection, and everybody else would wait behind those queries.
 */

export const poolSize = 10;

const turns = createTimedQueue({
  // An account has less than an address: several members can share an address, and a hanging query lasts for seconds.
  running: { total: poolSize, perClient: 6, perNetwork: 8, perAccount: 3 },
  // Only what admission has let in can wait here, and each request waits for a few queries.
  waiting: { total: 20_000, perClient: 5000 },
  // With the time that a new connection to a silent database takes, a request is answered within ten seconds.
  maxWaitMs: seconds(4.5),
  // A request that is half done should not be refused because of an estimate. Admission refuses the next ones.
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

/** True inside a transaction, which has its connection. Waiting for a second turn there could wait for itself. */
const holdsTurn = new AsyncLocalStorage<true>();

/** Within this time a working database answers somebody. */
const silenceMs = seconds(3);
let answeredAt = Number.NEGATIVE_INFINITY;

/** Runs `query` when the current client may use a connection. Work that no request waits for runs at once. */
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

/** A database that answers nobody is down, whoever waits for it. */
function refuse(client: CurrentClient): Error {
  if (performance.now() - answeredAt > silenceMs) return new DatabaseUnavailable("no answer in time");
  client.wasRefused = true;
  countRefusal();
  return new DatabaseBusy("this client's share of the connections is used up");
}

/**
 * The same for a transaction, which keeps its turn until it ends. The driver calls `work` when a connection is free, which is
 * often when the query of another client ends, so the client has to be bound to it.
 */
export const transactionInTurn = <Value>(work: Work<Value>, begin: (work: Work<Value>) => Promise<Value>) =>
  inTurn(() => holdsTurn.run(true, () => begin(AsyncResource.bind(work))));

type Work<Value> = (transaction: unknown) => Promise<Value>;
