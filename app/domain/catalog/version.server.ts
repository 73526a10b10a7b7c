import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { seconds } from "#app/platform/units.ts";
import { db, listenToChannel, type Transaction, withTransaction } from "#db/client.server.ts";
import { catalogState } from "#db/schema/catalog.ts";

/** The catalog counts its changes, so that whatever was computed from it knows when it is stale. */

const channel = "engawa_catalog";
/** Instances that no notice reaches (a pooler in between) still look this often. */
const lookEvery = seconds(30);

let known: { version: Promise<number>; at: number } | undefined;
const trustFor = seconds(1);

export function catalogVersion(): Promise<number> {
  if (known && Date.now() - known.at < trustFor) return known.version;
  const version = readVersion();
  known = { version, at: Date.now() };
  version.catch(() => {
    known = undefined;
  });
  return version;
}

async function readVersion() {
  const [row] = await db.select({ version: catalogState.version }).from(catalogState);
  return row?.version ?? 0;
}

/** Counts a change, in the transaction that makes it; other instances hear of it when that commits. */
export async function markCatalogChanged(transaction: Transaction): Promise<void> {
  await transaction
    .insert(catalogState)
    .values({ changedAt: new Date() })
    .onConflictDoUpdate({
      target: catalogState.only,
      set: { version: sql`${catalogState.version} + 1`, changedAt: new Date() },
    });
  await transaction.execute(sql`select pg_notify(${channel}, '')`);
}

/** An edit of titles, episodes or sources: what is shown here is fresh by the time it returns. */
export async function changeCatalog<Value>(
  work: (transaction: Transaction) => Promise<Value>,
): Promise<Value> {
  const value = await withTransaction(async (transaction) => {
    const result = await work(transaction);
    await markCatalogChanged(transaction);
    return result;
  });
  await lookForChange();
  return value;
}

const listeners = new Set<() => void>();
let seen: number | undefined;

async function lookForChange() {
  known = undefined;
  const version = await catalogVersion().catch(() => seen);
  if (version === seen) return;
  seen = version;
  for (const onChange of listeners) onChange();
}

/** Tells when the catalog changes, here or on another instance. The answer ends it. */
export async function watchCatalog(onChange: () => void): Promise<() => Promise<void>> {
  seen ??= await catalogVersion();
  listeners.add(onChange);
  const stopListening = await listenToChannel(channel, () => void lookForChange());
  const timer = setInterval(() => void lookForChange(), lookEvery).unref();
  return async () => {
    listeners.delete(onChange);
    clearInterval(timer);
    await stopListening();
  };
}

/**
 * Remembers results until the catalog changes or `ttlMs` passes; askers at the same instant share one computation.
 * `max` has to fit the largest result: anybody may ask for anything.
 */
export function rememberPerVersion<Value extends object>(max: number, ttlMs?: number) {
  const values = new LRUCache<string, Promise<Value>>({ max, ...(ttlMs !== undefined && { ttl: ttlMs }) });
  return async (key: string, compute: () => Promise<Value>): Promise<Value> => {
    const versioned = `${await catalogVersion()} ${shortened(key)}`;
    const found = values.get(versioned);
    if (found) return found;
    const computing = compute();
    values.set(versioned, computing);
    computing.catch(() => values.delete(versioned));
    return computing;
  };
}

/** A filter may name thousands of titles; what is kept of it is its hash. */
const shortened = (key: string) =>
  key.length <= 200 ? key : createHash("sha256").update(key).digest("base64");
