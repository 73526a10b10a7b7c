import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { inSeconds, seconds } from "#app/platform/duration.ts";
import { env } from "#app/platform/env.server.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { counter, gauge } from "#app/platform/metrics.server.ts";
import { driverArguments } from "./address.ts";
import { type EmbeddedDatabase, startEmbedded } from "./embedded.server.ts";
import { DatabaseDown, isConnectionTrouble } from "./trouble.server.ts";

/**
 * The only place where a connection to the product's database opens. Importing this connects to nothing; the
 * first query does. DATABASE_URL and the embedded server differ in where they are found, and in nothing else.
 */

const statementTimeout = seconds(7);
/** A network that swallows packets never answers: past this, the wait ends and the pool is replaced. */
const deadline = seconds(8);
const connectTimeout = seconds(5);
const poolSize = 10;

const base = {
  connect_timeout: inSeconds(connectTimeout),
  onnotice: () => {},
  /** The driver's own delay grows to 20 s; recovery is promised within 10. */
  backoff: () => 0.2,
} satisfies postgres.Options<Record<string, never>>;

let embedded: Promise<EmbeddedDatabase> | undefined;
let pool: Promise<postgres.Sql> | undefined;

/** A connection of its own without a limit on time: migrations, backups, vacuum. The caller ends it. */
export async function connectAlone(name: string, address = env.DATABASE_URL): Promise<postgres.Sql> {
  return connect({ ...base, max: 1, connection: { application_name: `engawa ${name}` } }, address);
}

/** Calls back at every notice on a channel, reconnecting as often as it must; the answer ends it. */
export async function listenTo(channel: string, onNotice: () => void): Promise<() => Promise<void>> {
  const sql = await connectAlone("listener");
  // A notice may have been missed while there was no connection, so each new one counts as one.
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

/** drizzle gives times and dates its own reading; a replaced pool must have the same. */
const drizzleTypes = { parsers: {}, serializers: {} };

/** The listing's indexes are in memory or on flash, and no query is long enough to be worth a second process. */
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

/** Ends a wait that the driver would never end. */
async function within<Value>(sql: postgres.Sql, work: PromiseLike<Value>): Promise<Value> {
  waiting += 1;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      retire(sql);
      reject(new DatabaseDown("no answer in time"));
    }, deadline);
  });
  try {
    return await Promise.race([work, late]);
  } catch (error) {
    throw inOurWords(error);
  } finally {
    waiting -= 1;
    clearTimeout(timer);
  }
}

const inOurWords = (error: unknown) =>
  isConnectionTrouble(error) ? new DatabaseDown("no connection", { cause: error }) : error;

type Bound = postgres.ParameterOrJSON<never>[];
type Statements = Pick<postgres.Sql, "unsafe">;
type Hands = Parameters<Promise<unknown>["then"]>;

/** A query as drizzle uses one: awaited for objects, or asked for `.values()`. It runs once it is. */
const lazily = (run: (asValues: boolean) => Promise<unknown>) => ({
  // biome-ignore lint/suspicious/noThenProperty: the driver's queries are lazy promises, and drizzle awaits them
  then: (...hands: Hands) => run(false).then(...hands),
  values: () => run(true),
});

const send = (statements: Statements, text: string, bound: Bound, asValues: boolean) => {
  const sent = statements.unsafe(text, bound);
  return asValues ? sent.values() : sent;
};

/** Waits for one step of a transaction after another, since the driver itself would wait for ever. */
async function begin<Value>(work: (transaction: unknown) => Promise<Value>): Promise<Value> {
  const sql = await currentPool();
  return new Promise<Value>((resolve, reject) => {
    const watch = () => {
      let arrived = () => {};
      within(sql, new Promise<void>((done) => (arrived = done))).catch(reject);
      return arrived;
    };
    let arrived = watch();
    sql
      .begin(async (transaction) => {
        arrived();
        const value = await work(inTransaction(sql, transaction, reject));
        arrived = watch();
        return value;
      })
      .then(
        (value) => resolve(value as Value),
        (error) => reject(inOurWords(error)),
      )
      .finally(() => arrived());
  });
}

/** A statement that nobody answers ends the whole transaction for the caller: its rollback would hang too. */
const inTransaction = (
  sql: postgres.Sql,
  transaction: postgres.TransactionSql,
  abandon: (error: unknown) => void,
): unknown => ({
  options: drizzleTypes,
  unsafe: (text: string, bound: Bound) =>
    lazily((asValues) =>
      within(sql, send(transaction as unknown as Statements, text, bound, asValues)).catch((error) => {
        if (error instanceof DatabaseDown) abandon(error);
        throw error;
      }),
    ),
  savepoint: (work: (inner: unknown) => Promise<unknown>) =>
    transaction.savepoint((inner) => work(inTransaction(sql, inner, abandon))),
});

/** What drizzle sees in the driver's place: the calls it makes, each with its deadline. */
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

/** What drizzle hands to the work of a transaction; functions that may run in one or alone take it for `db`. */
export type Transaction = Parameters<Parameters<typeof db.transaction>[0]>[0];

/** Committed when `work` returns, rolled back when it throws. */
export const withTransaction = <Value>(work: (transaction: Transaction) => Promise<Value>): Promise<Value> =>
  db.transaction(work);

/** For `/readyz`: an answer within two seconds, whatever the network does. */
export async function isDatabaseUp(): Promise<boolean> {
  const late = new Promise<false>((resolve) => setTimeout(resolve, seconds(2), false).unref());
  const asked = db.execute("select 1").then(
    () => true,
    () => false,
  );
  return Promise.race([asked, late]);
}

/** Answers under way finish, connections close, and the last process out stops the embedded server. */
export async function closeDatabase(): Promise<void> {
  const closing = { pool, embedded };
  pool = undefined;
  await closing.pool?.then((sql) => sql.end({ timeout: 5 })).catch(() => {});
  await closing.embedded?.then((server) => server.stop()).catch(() => {});
  // Not before: whoever still tries to connect would start the server anew.
  embedded = undefined;
}
