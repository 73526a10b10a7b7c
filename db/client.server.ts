import { AsyncResource } from "node:async_hooks";
import { sql as drizzleSql } from "drizzle-orm";
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { databaseConnections } from "#app/platform/limits/database-connections.ts";
import { withTimeLimit } from "#app/platform/limits/time-limit.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { counter, gauge } from "#app/platform/metrics.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { inSeconds, seconds } from "#app/platform/units.ts";
import { asDatabaseFailure, DatabaseUnavailable, explainDatabaseError } from "./database-errors.server.ts";
import { inTurn, transactionInTurn, withinRequest } from "./database-turns.server.ts";
import { type DriverOptions, driverArguments } from "./driver-arguments.ts";
import { hasCluster } from "./embedded/cluster-folders.server.ts";
import { type EmbeddedDatabase, startEmbedded } from "./embedded/embedded.server.ts";

/**
 * The only module that opens connections to the site's database, which is DATABASE_URL or the embedded server. The
 * first query opens them, not the import.
 */

const statementTimeout = seconds(7);
/**
 * If the network drops packets, a query never gets an answer. After this time the query fails and a new pool replaces
 * the old one.
 */
const deadline = seconds(8);
const connectTimeout = seconds(5);

/**
 * PostgreSQL ends the session of a transaction that sends no statement for this long. Without this limit, a transaction
 * whose connection was lost in the network would keep its row locks, and those rows could not be written.
 */
const maxIdleInTransaction = seconds(5);
/**
 * Shorter than the idle time. A statement of a lost connection that waits for a locked row gives up before the row is
 * free. Otherwise it would lock the row next and keep it for another five seconds.
 */
const lockTimeout = seconds(4);
/** Sent in one message with BEGIN, because poolers refuse connections with session settings. */
const transactionLimits = `; ${[
  `set local idle_in_transaction_session_timeout = ${maxIdleInTransaction}`,
  `set local lock_timeout = ${lockTimeout}`,
].join("; ")}`;

const baseOptions = {
  connect_timeout: inSeconds(connectTimeout),
  prepare: false,
  onnotice: () => {},
  /** The driver's own delay grows to 20 s, but docs/operating.md promises recovery within 10 s. */
  backoff: () => 0.2,
} satisfies postgres.Options<Record<string, never>>;

let embedded: Promise<EmbeddedDatabase> | undefined;
let pool: Promise<postgres.Sql> | undefined;

/** Session features (locks, notices) do not work through a pooler that gives each transaction another connection. */
const directUrl = env.DATABASE_DIRECT_URL ?? env.DATABASE_URL;

/**
 * Both ends probe an idle connection and close it after about 15 seconds without an answer. PostgreSQL also closes a
 * connection whose site does not acknowledge data. The embedded server is on this machine and needs none of this.
 */
const keepAlive = {
  keep_alive: 5,
  settings:
    directUrl === undefined
      ? {}
      : {
          tcp_keepalives_idle: 5,
          tcp_keepalives_interval: 2,
          tcp_keepalives_count: 3,
          tcp_user_timeout: seconds(10),
        },
};

/**
 * Opens a connection without a time limit, for migrations, backups and vacuum. It survives network silence as long as
 * TCP does. The caller ends it. The driver would otherwise replace it after 30 to 60 minutes, and a lock of its session
 * would be lost, such as the one of a migration that waits for a long backup.
 */
export async function connectAlone(name: string, databaseUrl = directUrl): Promise<postgres.Sql> {
  const connection = { application_name: `engawa ${name}` };
  return connect({ ...baseOptions, max: 1, max_lifetime: null, connection }, databaseUrl);
}

/**
 * Opens a connection that holds a lock or listens. PostgreSQL ends its session soon after the network has lost the
 * connection.
 */
export async function connectToHold(
  name: string,
  options: Pick<DriverOptions, "max_lifetime" | "onclose"> = {},
): Promise<postgres.Sql> {
  const connection = { application_name: `engawa ${name}`, ...keepAlive.settings };
  return connect(
    { ...baseOptions, ...options, max: 1, keep_alive: keepAlive.keep_alive, connection },
    directUrl,
  );
}

/** Calls `onNotice` for each notice on a channel and reconnects when needed. The returned function stops listening. */
export async function listenToChannel(channel: string, onNotice: () => void): Promise<() => Promise<void>> {
  const sql = await connectToHold("listener");
  // `onNotice` also runs after each connect, since notices are lost while disconnected.
  let isEnded = false;
  const listening = sql.listen(channel, onNotice, onNotice).catch((error) => {
    if (isEnded) return;
    log.warnOnce(
      "listener",
      "cannot listen for changes by other processes; they will show late",
      errorFields(error),
    );
  });
  return async () => {
    isEnded = true;
    await Promise.race([listening, sql.end({ timeout: 1 })]);
    await sql.end({ timeout: 1 });
  };
}

/** For tools that need the data of a site: why there is none. The first query would create an embedded database. */
export const missingDatabaseText = () =>
  directUrl !== undefined || hasCluster(env.DATA_DIR)
    ? null
    : `There is no database in ${env.DATA_DIR}. Run this with the settings of the site, above all DATA_DIR and DATABASE_URL`;

/**
 * Queries turn dates into times in the session's zone, and PostgreSQL sends times in it. By default, that is the zone of
 * the host, or one that the operator has set. PgBouncer passes this setting on.
 */
const timeZone = { TimeZone: "UTC" };

async function connect(chosen: DriverOptions, databaseUrl: string | undefined) {
  const options = { ...chosen, connection: { ...chosen.connection, ...timeZone } };
  if (databaseUrl !== undefined) return postgres(...driverArguments(databaseUrl, options));
  embedded ??= startEmbedded(env.DATA_DIR);
  return postgres({ ...(await embedded).connection, ...options });
}

/**
 * drizzle puts its parsers for times and dates here. Each new pool copies them; without them it would return other
 * dates.
 */
const drizzleTypes = { parsers: {}, serializers: {} };

/**
 * Indexes are in memory or on flash, so random reads are cheap. Queries are too short to gain from a second process.
 * PgBouncer refuses connections with session settings, so `connect_query` of ops/pgbouncer.ini sets the same ones.
 */
const settings =
  env.DATABASE_DIRECT_URL === undefined
    ? {
        statement_timeout: statementTimeout,
        random_page_cost: 1.1,
        // A text, because the driver leaves out values that are false in JavaScript.
        max_parallel_workers_per_gather: "0",
        ...keepAlive.settings,
      }
    : {};

async function openPool() {
  // `max_pipeline` is missing in the driver's types.
  const options = {
    ...baseOptions,
    /** Behind a pooler the next query may run on another connection, which does not have the prepared statement. */
    prepare: env.DATABASE_DIRECT_URL === undefined,
    max: databaseConnections,
    max_pipeline: 1,
    keep_alive: keepAlive.keep_alive,
    connection: { application_name: "engawa", ...settings },
  };
  const sql = await connect(options, env.DATABASE_URL);
  Object.assign(sql.options.parsers, drizzleTypes.parsers);
  Object.assign(sql.options.serializers, drizzleTypes.serializers);
  return sql;
}

function currentPool() {
  pool ??= openPool();
  const opening = pool;
  opening.catch(() => {
    if (pool === opening) pool = undefined;
  });
  return opening;
}

const replaced = counter(
  "database_pools_replaced_total",
  "Connection pools replaced because a query got no answer",
);

function replacePool(unresponsive: postgres.Sql) {
  void pool?.then((current) => {
    if (current !== unresponsive) return;
    pool = undefined;
    replaced.inc();
    log.warn("the database does not answer; opening new connections");
    void unresponsive.end({ timeout: 5 });
  });
}

let waiting = 0;
gauge("database_queries_waiting", "Queries sent or waiting for a connection", () => waiting);

/** Rejects at the deadline. The driver itself has no time limit. */
async function withDeadline<Value>(sql: postgres.Sql, work: PromiseLike<Value>): Promise<Value> {
  waiting += 1;
  try {
    return await withTimeLimit(work, deadline, () => {
      replacePool(sql);
      return new DatabaseUnavailable("no answer in time");
    });
  } catch (error) {
    throw asDatabaseFailure(error);
  } finally {
    waiting -= 1;
  }
}

type Bound = postgres.ParameterOrJSON<never>[];
type Statements = Pick<postgres.ISql, "unsafe">;
type Handlers = Parameters<Promise<unknown>["then"]>;

/** A query that runs when drizzle awaits it (for rows as objects) or calls `.values()` (for rows as arrays). */
const lazyQuery = (run: (asValues: boolean) => Promise<unknown>) => ({
  // biome-ignore lint/suspicious/noThenProperty: the driver's queries are lazy promises, and drizzle awaits them
  then: (...handlers: Handlers) => run(false).then(...handlers),
  values: () => run(true),
});

type SendOptions = { asValues: boolean; prepare?: boolean };

const send = (
  statements: Statements,
  text: string,
  bound: Bound,
  { asValues, prepare = false }: SendOptions,
) => {
  const sent = statements.unsafe(text, bound, { prepare });
  return asValues ? sent.values() : sent;
};

/**
 * Gives BEGIN, and COMMIT or ROLLBACK, a deadline each. `inTransaction` gives one to each statement between them.
 * `giveUp` is called when the request has used up its time. The transaction then rolls back by itself, unless its
 * COMMIT was already sent.
 */
async function begin<Value>(
  work: (transaction: unknown) => Promise<Value>,
  giveUp: (error: unknown) => void,
): Promise<Value> {
  // The driver calls back when another client's query ends, in the context of that client.
  const withinOwnRequest = AsyncResource.bind(withinRequest);
  const sql = await currentPool();
  return new Promise<Value>((resolve, reject) => {
    /** Starts a deadline; the returned function ends it. */
    const startDeadline = () => {
      let endDeadline = () => {};
      const answered = new Promise<void>((done) => (endDeadline = done));
      withDeadline(sql, answered).catch(reject);
      withinOwnRequest(() => answered).catch(giveUp);
      return endDeadline;
    };
    const abandons = { reject, giveUp };
    let endDeadline = startDeadline();
    sql
      .begin(transactionLimits, async (transaction) => {
        endDeadline();
        try {
          const value = await work(inTransaction(sql, transaction, abandons));
          // An abandoned request must not commit, even if it was abandoned while `work` computed.
          await withinOwnRequest(async () => {});
          return value;
        } finally {
          endDeadline = startDeadline();
        }
      })
      .then(
        (value) => resolve(value as Value),
        (error) => reject(asDatabaseFailure(error)),
      )
      .finally(() => endDeadline());
  });
}

type Abandons = {
  /**
   * Ends a transaction at once after one of its statements missed its deadline. A rollback would also wait without end.
   */
  reject(error: unknown): void;
  /** Answers a request that has used up its time. The transaction keeps its connection until its rollback has ended. */
  giveUp(error: unknown): void;
};

const inTransaction = (
  sql: postgres.Sql,
  transaction: postgres.TransactionSql,
  abandons: Abandons,
): unknown => ({
  options: drizzleTypes,
  unsafe: (text: string, bound: Bound) =>
    lazyQuery((asValues) => {
      const sent = () =>
        withDeadline(sql, send(transaction, text, bound, { asValues })).catch((error) => {
          if (error instanceof DatabaseUnavailable) abandons.reject(error);
          throw error;
        });
      return withinRequest(sent).catch((error) => {
        if (error instanceof DatabaseUnavailable) abandons.giveUp(error);
        throw error;
      });
    }),
  savepoint: (work: (inner: unknown) => Promise<unknown>) =>
    transaction.savepoint((inner) => work(inTransaction(sql, inner, abandons))),
});

/** The part of the driver that drizzle calls. drizzle keeps this object, so each call looks up the current pool. */
const driver = (prepare: boolean) => ({
  options: drizzleTypes,
  unsafe: (text: string, bound: Bound) =>
    lazyQuery((asValues) =>
      inTurn(async () => {
        const sql = await currentPool();
        return withDeadline(sql, send(sql, text, bound, { asValues, prepare }));
      }),
    ),
  begin: <Value>(work: (transaction: unknown) => Promise<Value>) => transactionInTurn<Value>(work, begin),
});

const drizzleOver = (prepare: boolean): PostgresJsDatabase =>
  drizzle({ client: driver(prepare) as unknown as postgres.Sql });

export const db = drizzleOver(false);

/**
 * For the queries of every member page. PostgreSQL caches their plans, and planning takes ten times as long as running.
 * Each connection caches one plan for each query text, so the text must not vary with the number of values.
 */
export const preparedDb = drizzleOver(true);

/** The `db` of a transaction. A function that runs both inside and outside a transaction accepts either. */
export type Transaction = Parameters<Parameters<typeof db.transaction>[0]>[0];

/**
 * Commits when `work` returns, rolls back when it throws. PostgreSQL ends the transaction if `work` sends no statement
 * for five seconds. That is enough to compute, or to read the next piece of an import from a file, but not to wait for
 * another server: such work passes `maxIdleMs`, and must lock nothing that other requests need.
 */
export const withTransaction = <Value>(
  work: (transaction: Transaction) => Promise<Value>,
  { maxIdleMs }: { maxIdleMs?: number } = {},
): Promise<Value> =>
  db.transaction(async (transaction) => {
    if (maxIdleMs !== undefined)
      await transaction.execute(
        drizzleSql.raw(`set local idle_in_transaction_session_timeout = ${maxIdleMs}`),
      );
    return work(transaction);
  });

/** Lets running queries finish and closes the connections. The last process to disconnect stops the embedded server. */
export async function closeDatabase({ maxWaitMs = seconds(5) } = {}): Promise<void> {
  const closing = { pool, embedded };
  pool = undefined;
  await closing.pool?.then((sql) => sql.end({ timeout: inSeconds(maxWaitMs) })).catch(() => {});
  await closing.embedded?.then((server) => server.stop()).catch(() => {});
  // Reset last: a query that is still connecting would otherwise start the server again.
  embedded = undefined;
}

/** Turns an error that the operator can fix into a CannotStart. Returns every other error unchanged. */
export async function explainFailure(error: unknown): Promise<unknown> {
  const explained = explainDatabaseError(error);
  if (explained === error) return error;
  const trouble = await embedded?.then((server) => server.findTrouble()).catch(() => undefined);
  return trouble ?? explained;
}

/** How a command-line tool that uses the database closes it and explains its errors. Every such tool declares this. */
export const usesDatabase = { close: () => closeDatabase(), explain: explainFailure };
