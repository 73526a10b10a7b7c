import { createHash, randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { workForEverybody } from "#app/platform/limits/current-client.server.ts";
import { seconds } from "#app/platform/units.ts";
import { db, listenToChannel, type Transaction, withTransaction } from "#db/client.server.ts";
import { isOfOneClient, withinRequest } from "#db/database-turns.server.ts";
import { catalogState, titleChanges } from "#db/schema/catalog-state.ts";

/** The door of the catalog's version, a number that grows with each change. Cached results are keyed by it. */

const channel = "engawa_catalog";
/** A connection pooler can drop LISTEN notifications, so each instance also polls the version. */
const pollIntervalMs = seconds(30);

let cached: { version: Promise<number>; at: number } | undefined;
const cacheMs = seconds(1);

export const catalogVersion = (): Promise<number> => withinRequest(sharedVersion);

function sharedVersion(): Promise<number> {
  if (cached && performance.now() - cached.at < cacheMs) return cached.version;
  const version = workForEverybody(readVersion);
  cached = { version, at: performance.now() };
  version.catch(() => {
    cached = undefined;
  });
  return version;
}

let lastRead = 0;

async function readVersion() {
  const [row] = await db.select({ version: catalogState.version }).from(catalogState);
  lastRead = row?.version ?? 0;
  return lastRead;
}

/** For caches that still answer while the database is down: the last version that was read, if it cannot be read now. */
export const catalogVersionOrLast = (): Promise<number> => catalogVersion().catch(() => lastRead);

/** Null if the catalog has no titles yet. */
export async function findCatalogIdentity(): Promise<string | null> {
  const [row] = await db.select({ identity: catalogState.identity }).from(catalogState);
  return row?.identity ?? null;
}

/**
 * Run after a catalog is restored: its version numbers no longer match the changes that other installations have
 * followed.
 */
export const renewCatalogIdentity = () => db.update(catalogState).set({ identity: randomUUID() });

/**
 * Raises the catalog's version and assigns it to the changed titles. This runs in the transaction that changes the
 * catalog, so PostgreSQL notifies other instances only when it commits. The version row stays locked until then:
 * versions commit in order, and an installation that follows the changes misses none.
 */
export async function markCatalogChanged(
  transaction: Transaction,
  changedTitles: Iterable<number>,
): Promise<void> {
  const malIds = `{${[...new Set(changedTitles)].join(",")}}`;
  await transaction.execute(sql`
    with state as (
      insert into ${catalogState} (changed_at) values (now())
      on conflict ("only") do update set version = catalog_state.version + 1, changed_at = excluded.changed_at
      returning version)
    insert into ${titleChanges} (mal_id, version) select mal_id, version from state, unnest(${malIds}::int[]) as mal_id
    on conflict (mal_id) do update set version = excluded.version`);
  await transaction.execute(sql`select pg_notify(${channel}, '')`);
}

/**
 * Runs an edit of titles, episodes or sources. When it returns, this instance no longer uses older cached results.
 * `changedTitles` lists the titles with news for other installations.
 */
export async function changeCatalog<Value>(
  changedTitles: readonly number[],
  work: (transaction: Transaction) => Promise<Value>,
): Promise<Value> {
  const value = await withTransaction(async (transaction) => {
    const result = await work(transaction);
    await markCatalogChanged(transaction, changedTitles);
    return result;
  });
  await checkForChange();
  return value;
}

const listeners = new Set<() => void>();
let lastVersion: number | undefined;

async function checkForChange() {
  cached = undefined;
  const version = await catalogVersion().catch(() => lastVersion);
  if (version === lastVersion) return;
  lastVersion = version;
  for (const onChange of listeners) onChange();
}

/**
 * For caches that cannot wait for the version to be read. `onChange` runs before a change on this instance returns, and
 * soon after `watchCatalog` notices a change on another one.
 */
export function onCatalogChange(onChange: () => void): void {
  listeners.add(onChange);
}

/** Also notices changes by other instances. Returns a function that stops watching. */
export async function watchCatalog(): Promise<() => Promise<void>> {
  lastVersion ??= await catalogVersion();
  const stopListening = await listenToChannel(channel, () => void checkForChange());
  const timer = setInterval(() => void checkForChange(), pollIntervalMs).unref();
  return async () => {
    clearInterval(timer);
    await stopListening();
  };
}

/**
 * Caches results until the catalog changes or `ttlMs` passes. Concurrent calls share one computation, which uses the
 * database's share of the first caller. If that caller is refused, the next of the others computes on. Clients choose the
 * keys, so choose `max` for results of the largest size; otherwise clients could fill the memory.
 */
export function cachePerVersion<Value extends object>(max: number, ttlMs?: number) {
  const values = new LRUCache<string, Promise<Value>>({ max, ...(ttlMs !== undefined && { ttl: ttlMs }) });
  return async (key: string, compute: () => Promise<Value>): Promise<Value> => {
    const versionedKey = `${await catalogVersion()} ${shortKey(key)}`;
    for (let computation = values.get(versionedKey); computation; computation = values.get(versionedKey)) {
      const joined = await join(computation);
      if (joined) return joined;
      if (values.peek(versionedKey) === computation) break;
    }
    const computing = compute();
    if (!values.has(versionedKey)) values.set(versionedKey, computing);
    computing.catch(() => {
      if (values.peek(versionedKey) === computing) values.delete(versionedKey);
    });
    return computing;
  };
}

/** Undefined: the client for which the computation began was refused. */
const join = <Value>(found: Promise<Value>): Promise<Value | undefined> =>
  withinRequest(() => found).catch(ignoreRefusal);

/** Throws all errors but those that concern only the client for which the computation began. */
function ignoreRefusal(error: unknown): undefined {
  if (!isOfOneClient(error)) throw error;
}

/** A filter can list thousands of titles, so long keys are replaced by their hash to save memory. */
const shortKey = (key: string) =>
  key.length <= 200 ? key : createHash("sha256").update(key).digest("base64");
