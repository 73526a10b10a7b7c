import { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
import {
  type CurrentClient,
  currentClient,
  isShareUsedUp,
  ShareUsedUp,
} from "#app/platform/limits/current-client.server.ts";
import { databaseConnections } from "#app/platform/limits/database-connections.ts";
import { createRefusalCounter } from "#app/platform/limits/refusal-counter.server.ts";
import { createTimedQueue } from "#app/platform/limits/timed-queue.ts";
import { gauge } from "#app/platform/metrics.server.ts";
import { minutes, seconds } from "#app/platform/units.ts";
import { DatabaseUnavailable } from "./database-errors.server.ts";

/**
 * Divides the pool's connections among the clients whose requests need them. Without this, one member who keeps sending
 * slow queries would take every connection, and all other requests would wait.
 */

/** Low enough to answer a request within ten seconds even if connecting to a silent database takes its full time. */
const maxWaitMs = seconds(4.5);

/** For imports, and for long responses that a client is reading: a refusal would make them start again. */
const maxLongWaitMs = minutes(1);

const turns = createTimedQueue({
  // An account gets less than an address: several members can share an address, and a hanging query lasts for seconds.
  running: { total: databaseConnections, perClient: 6, perNetwork: 8, perAccount: 3 },
  // Only admitted requests wait here, each for a few queries.
  waiting: { total: 20_000, perClient: 5000 },
  maxWaitMs,
  // A half-finished request is not refused because of an estimate. Admission refuses later requests instead.
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

/** True inside a transaction, which already has a connection. Waiting for a second turn there could be a deadlock. */
const holdsTurn = new AsyncLocalStorage<true>();

/** A working database answers at least one query within this time. */
const silenceMs = seconds(3);
let answeredAt = Number.NEGATIVE_INFINITY;

/** Runs `query` when the current client may use a connection. Background work, which has no client, runs at once. */
export async function inTurn<Value>(query: () => Promise<Value>): Promise<Value> {
  const client = currentClient();
  if (!client) return query();
  if (holdsTurn.getStore()) return withinRequest(query);
  let hasTurn = false;
  const inOwnTurn = () =>
    takeTurn(client, () => {
      hasTurn = true;
      return query();
    });
  return client.databaseWait.within(inOwnTurn, () => (hasTurn ? tooLong() : refuse()));
}

/** Rejects when the current request has used up its time. `work` then continues without a caller. */
export async function withinRequest<Value>(work: () => Promise<Value>): Promise<Value> {
  const client = currentClient();
  return client ? client.databaseWait.within(work, tooLong) : work();
}

/** One request has waited for the database for its total time. Others may still have time. */
class RequestTimeUsedUp extends DatabaseUnavailable {}
const tooLong = () => new RequestTimeUsedUp("no answer in time");

/** True if the error says nothing about the requests of other clients: only the share or the time of one was used up. */
export const isOfOneClient = (error: unknown): boolean =>
  isShareUsedUp(error) ||
  error instanceof RequestTimeUsedUp ||
  (error instanceof Error && isOfOneClient(error.cause));

/** An abandoned query keeps its turn until it ends, because it still uses its connection. */
async function takeTurn<Value>(client: CurrentClient, work: () => Promise<Value>): Promise<Value> {
  const { ipBlock, account, databaseWait } = client;
  const leftMs = databaseWait.leftMs();
  const endWait = databaseWait.begin();
  const leave = await turns
    .enter(ipBlock, {
      account,
      maxWaitMs: leftMs === Number.POSITIVE_INFINITY ? maxLongWaitMs : Math.min(leftMs, maxWaitMs),
    })
    .finally(endWait);
  if (!leave) throw refuse();
  try {
    const value = await work();
    answeredAt = performance.now();
    return value;
  } finally {
    leave();
  }
}

/** If the database has answered no client recently, it is down, and the client's share is not the cause. */
function refuse(): Error {
  if (performance.now() - answeredAt > silenceMs) return new DatabaseUnavailable("no answer in time");
  countRefusal();
  return new ShareUsedUp("this client's share of the connections is used up");
}

/**
 * Runs a transaction in a turn that lasts until it ends. `begin` calls `giveUp` when the request has used up its time:
 * the returned promise then rejects, and the transaction rolls back later. The driver calls `work` when a connection
 * becomes free, often in the context of another client's query, so `work` is bound to the current client here.
 */
export const transactionInTurn = <Value>(work: Work<Value>, begin: Begin<Value>): Promise<Value> =>
  new Promise((resolve, giveUp) => {
    const run = () => holdsTurn.run(true, () => begin(AsyncResource.bind(work), giveUp));
    const client = currentClient();
    const running = !client || holdsTurn.getStore() ? run() : takeTurn(client, run);
    running.then(resolve, giveUp);
  });

type Work<Value> = (transaction: unknown) => Promise<Value>;
type Begin<Value> = (work: Work<Value>, giveUp: (error: unknown) => void) => Promise<Value>;
