import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { errorFields, log } from "#app/platform/log.server.ts";
import { counter, gauge } from "#app/platform/metrics.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { inSeconds, seconds } from "#app/platform/units.ts";
import { driverArguments } from "./address.ts";
import { type EmbeddedDatabase, startEmbedded } from "./embedded/embedded.server.ts";
import { DatabaseUnavailable, isConnectionError } from "./trouble.server.ts";

/**
 * The only place that opens a connection to the product's database. The first query opens it, not the import.
 * DATABASE_URL and the embedded server are used alike; only their addresses come from different places.
 */

const statementTimeout = seconds(7);
/** A network that swallows packets never answers. After this time the wait ends and a new pool replaces the old. */
const deadline = seconds(8);
const connectTimeout = seconds(5);
const poolSize = 10;

const base = {
  connect_timeout: inSeconds(connectTimeout),
  onnotice: () => {},
  /** The driver's own delay grows to 20 s, but docs/operating.md promises recovery within 10 s. */
  backoff: () => 0.2,
} satisfies postgres.Options<Record<string, never>>;

let embedded: Promise<EmbeddedDatabase> | undefined;
let pool: Promise<postgres.Sql> | undefined;

/** Opens a connection without a time limit, for migrations, backups and vacuum. The caller ends it. */
export async function connectAlone(name: string, address = env.DATABASE_URL): Promise<postgres.Sql> {
  return connect({ ...base, max: 1, connection: { application_name: `engawa ${name}` } }, address);
}

/** Calls `onNotice` at every notice on a channel and reconnects as often as it must. The returned function ends it. */
export async function listenToChannel(channel: string, onNotice: () => void): Promise<() => Promise<void>> {
  const sql = await connectAlone("listener");
  // `onNotice` also runs after each connect, since notices are lost while there is no connection.
  let isEnded = false;
  const listening = sql.listen(channel, onNotice, onNotice).catch((error) => {
    if (isEnded) return;
    log.warnOnce("listener", "changes by other processes are seen late", errorFields(error));
  });
  return async () => {
    isEnded = true;
    await Promise.race([listening, sql.end({ timeout: 1 })]);
    await sql.end({ timeout: 1 });
  };
}

type DriverOptions = postgres.Options<Record<string, postgres.PostgresType>>;

async function connect(options: DriverOptions, address = env.DATABASE_URL) {
  if (address !== undefined) return postgres(...driverArguments(address, options));
  embedded ??= startEmbedded({ dataDir: env.DATA_DIR });
  return postgres({ ...(await embedded).connection, ...options });
}

/** drizzle sets its own parsers for times and dates here. Each new pool copies them, or its dates read differently. */
const drizzleTypes = { parsers: {}, serializers: {} };

/** The indexes lie in memory or on flash, and no query runs long enough to be worth a second process. */
const planning = { random_page_cost: 1.1, max_parallel_workers_per_gather: 0 };

async function openPool() {
  // `max_pipeline` is missing in the driver's types.
  const options = {
    ...base,
    max: poolSize,
    max_pipeline: 1,
    connection: { application_name: "engawa", statement_timeout: statementTimeout, ...planning },
  };
  const sql = await connect(options);
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

const replaced = counter("database_pools_replaced_total", "Pools given up because a query never came back");

function retire(silent: postgres.Sql) {
  void pool?.then((current) => {
    if (current !== silent) return;
    pool = undefined;
    replaced.inc();
    log.warn("the database does not answer; connecting anew");
    void silent.end({ timeout: 5 });
  });
}

let waiting = 0;
gauge("database_queries_waiting", "Queries sent or waiting for a connection", () => waiting);

/** Rejects when the deadline passes. The driver itself would wait for ever. */
async function within<Value>(sql: postgres.Sql, work: PromiseLike<Value>): Promise<Value> {
  waiting += 1;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      retire(sql);
      reject(new DatabaseUnavailable("no answer in time"));
    }, deadline);
  });
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    throw asDatabaseDown(error);
  } finally {
    waiting -= 1;
    clearTimeout(timer);
  }
}

const asDatabaseDown = (error: unknown) =>
  isConnectionError(error) ? new DatabaseUnavailable("no connection", { cause: error }) : error;

type Bound = postgres.ParameterOrJSON<never>[];
type Statements = Pick<postgres.ISql, "unsafe">;
type Handlers = Parameters<Promise<unknown>["then"]>;

/** A query as drizzle uses it: drizzle either awaits it for objects or calls `.values()`, and only then it runs. */
const lazily = (run: (asValues: boolean) => Promise<unknown>) => ({
  // biome-ignore lint/suspicious/noThenProperty: the driver's queries are lazy promises, and drizzle awaits them
  then: (...handlers: Handlers) => run(false).then(...handlers),
  values: () => run(true),
});

const send = (statements: Statements, text: string, bound: Bound, asValues: boolean) => {
  const sent = statements.unsafe(text, bound);
  return asValues ? sent.values() : sent;
};

/** Gives BEGIN and COMMIT a deadline each. Each statement between them has its own, see `inTransaction`. */
async function begin<Value>(work: (transaction: unknown) => Promise<Value>): Promise<Value> {
  const sql = await currentPool();
  return new Promise<Value>((resolve, reject) => {
    /** Starts a deadline; the returned function ends it. */
    const startDeadline = () => {
      let endDeadline = () => {};
      within(sql, new Promise<void>((done) => (endDeadline = done))).catch(reject);
      return endDeadline;
    };
    let endDeadline = startDeadline();
    sql
      .begin(async (transaction) => {
        endDeadline();
        const value = await work(inTransaction(sql, transaction, reject));
        endDeadline = startDeadline();
        return value;
      })
      .then(
        (value) => resolve(value as Value),
        (error) => reject(asDatabaseDown(error)),
      )
      .finally(() => endDeadline());
  });
}

/** A statement past its deadline fails the whole transaction at once, since its rollback would hang too. */
const inTransaction = (
  sql: postgres.Sql,
  transaction: postgres.TransactionSql,
  abandon: (error: unknown) => void,
): unknown => ({
  options: drizzleTypes,
  unsafe: (text: string, bound: Bound) =>
    lazily((asValues) =>
      within(sql, send(transaction, text, bound, asValues)).catch((error) => {
        if (error instanceof DatabaseUnavailable) abandon(error);
        throw error;
      }),
    ),
  savepoint: (work: (inner: unknown) => Promise<unknown>) =>
    transaction.savepoint((inner) => work(inTransaction(sql, inner, abandon))),
});

/** The part of the driver that drizzle calls. drizzle keeps it for ever, so each call takes the current pool. */
const driver = {
  options: drizzleTypes,
  unsafe: (text: string, bound: Bound) =>
    lazily(async (asValues) => {
      const sql = await currentPool();
      return within(sql, send(sql, text, bound, asValues));
    }),
  begin,
};

export const db: PostgresJsDatabase = drizzle({ client: driver as unknown as postgres.Sql });

/** The `db` of a transaction. A function that runs both in a transaction and alone accepts either. */
export type Transaction = Parameters<Parameters<typeof db.transaction>[0]>[0];

/** Commits when `work` returns, rolls back when it throws. */
export const withTransaction = <Value>(work: (transaction: Transaction) => Promise<Value>): Promise<Value> =>
  db.transaction(work);

/** Answers `/readyz` within two seconds, whatever the network does. */
export async function isDatabaseUp(): Promise<boolean> {
  const late = new Promise<false>((resolve) => setTimeout(resolve, seconds(2), false).unref());
  const asked = db.execute("select 1").then(
    () => true,
    () => false,
  );
  return Promise.race([asked, late]);
}

/** Lets running queries finish and closes the connections. The last process to leave stops the embedded server. */
export async function closeDatabase(): Promise<void> {
  const closing = { pool, embedded };
  pool = undefined;
  await closing.pool?.then((sql) => sql.end({ timeout: 5 })).catch(() => {});
  await closing.embedded?.then((server) => server.stop()).catch(() => {});
  // Not earlier: a query that still tries to connect would start the server again.
  embedded = undefined;
}
