import type { LookupFunction, Socket } from "node:net";
import { buildConnector, Pool } from "undici";
import { seconds } from "../units.ts";
import type { ResolvedIp } from "./names/system-names.ts";
import { readingShared } from "./read-buffer.server.ts";

/**
 * Enough for a page of pictures or many viewers. It also limits the connections that one host can make the site hold
 * open.
 */
const maxConnectionsPerHost = 1024;
const maxPools = 256;

/**
 * Connection pools that connect only to the IP addresses they were created for. They never look the name up again, so a
 * second DNS answer cannot lead to an unchecked address (DNS rebinding).
 */
export function createConnectionPools(connectMs: number) {
  const pools = new Map<string, Pool>();

  function open(url: URL, addresses: readonly ResolvedIp[]) {
    return new Pool(url.origin, {
      connections: maxConnectionsPerHost,
      keepAliveTimeout: seconds(4),
      keepAliveMaxTimeout: seconds(30),
      connect: connector({ timeout: connectMs, lookup: pinnedTo(addresses), autoSelectFamily: true }),
    });
  }

  /** Closes the least recently used pools first: `take` reinserts a pool, and a Map keeps the order of insertion. */
  function closeIdle(taken: Pool) {
    for (const [key, pool] of pools) {
      if (pools.size <= maxPools) return;
      if (pool === taken || pool.stats.size > 0) continue;
      pools.delete(key);
      void pool.close();
    }
  }

  return {
    /** Returns null if this host already has the maximum number of connections. */
    take(url: URL, addresses: readonly ResolvedIp[]): Pool | null {
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

type ConnectOptions = { timeout: number; lookup: LookupFunction; autoSelectFamily: true };

/** The option `onread` does not pass the socket, so each connection has a function of its own. */
function connector(shared: ConnectOptions): buildConnector.connector {
  let session: Buffer | undefined;
  return (options, callback) => {
    let socket: Socket | undefined;
    const onread = readingShared(() => socket as Socket);
    const connect = buildConnector({ ...shared, session, onread } as buildConnector.BuildOptions);
    socket = connect(options, callback) as unknown as Socket;
    socket.on("session", (issued: Buffer) => (session = issued));
  };
}

const pinnedTo =
  (addresses: readonly ResolvedIp[]): LookupFunction =>
  (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else if (first) callback(null, first.address, first.family);
    else callback(new Error("no address"), "");
  };
