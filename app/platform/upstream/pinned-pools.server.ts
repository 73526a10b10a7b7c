import type { LookupFunction } from "node:net";
import { buildConnector, Pool } from "undici";
import { seconds } from "../units.ts";
import type { ResolvedIp } from "./name-lookup.server.ts";

/** A page of pictures or a crowd of viewers fits; what a host could make us hold open does not grow beyond. */
const maxConnectionsPerHost = 1024;
const maxPools = 256;

/** Connection pools that know nothing but the addresses they were made for: the name is not asked again. */
export function createConnectionPools(connectMs: number) {
  const pools = new Map<string, Pool>();

  function open(url: URL, addresses: ResolvedIp[]) {
    return new Pool(url.origin, {
      connections: maxConnectionsPerHost,
      keepAliveTimeout: seconds(4),
      keepAliveMaxTimeout: seconds(30),
      connect: buildConnector({
        timeout: connectMs,
        lookup: pinnedTo(addresses),
        autoSelectFamily: true,
      } as buildConnector.BuildOptions),
    });
  }

  /** Oldest first: a Map keeps the order of insertion, and `take` inserts again. The one just taken is not idle. */
  function closeIdle(taken: Pool) {
    for (const [key, pool] of pools) {
      if (pools.size <= maxPools) return;
      if (pool === taken || pool.stats.size > 0) continue;
      pools.delete(key);
      void pool.close();
    }
  }

  return {
    /** Null: this host is busy with as many requests as we allow it. */
    take(url: URL, addresses: ResolvedIp[]): Pool | null {
      const key = [url.origin, ...addresses.map(({ address }) => address).sort()].join(" ");
      const pool = pools.get(key) ?? open(url, addresses);
      if (pool.stats.size >= maxConnectionsPerHost) return null;
      pools.delete(key);
      pools.set(key, pool);
      closeIdle(pool);
      return pool;
    },
    async close() {
      const all = [...pools.values()];
      pools.clear();
      await Promise.all(all.map((pool) => pool.destroy()));
    },
  };
}

const pinnedTo =
  (addresses: ResolvedIp[]): LookupFunction =>
  (_hostname, options, answer) => {
    const [first] = addresses;
    if (options.all) answer(null, addresses);
    else if (first) answer(null, first.address, first.family);
    else answer(new Error("no address"), "");
  };
