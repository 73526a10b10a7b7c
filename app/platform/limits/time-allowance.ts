import { createSparseLru } from "../cache/sparse-lru.ts";
import { minutes, seconds } from "../units.ts";
import { networkOf } from "./client-block.ts";

const windowMs = minutes(1);
const maxKeys = 20_000;
/** All blocks of one IPv6 network together may use this many times the time of one client. */
const networkFactor = 4;

/**
 * Divides computing time among clients: each may use `allowedMs` in a minute. Used time comes back evenly, so a client
 * that used up its time waits only for what its next work needs, not for the end of a minute.
 */
export function createTimeAllowance(allowedMs: number, now = () => performance.now()) {
  const usedBy = createSparseLru<string, { ms: number; at: number }>({ max: maxKeys });
  const usedMs = (key: string) => {
    const used = usedBy.get(key);
    return used ? Math.max(0, used.ms - ((now() - used.at) * allowedMs) / windowMs) : 0;
  };
  const use = (key: string, ms: number) => void usedBy.set(key, { ms: usedMs(key) + ms, at: now() });

  return {
    /** How long this client must wait until it has time again. 0 if it has time now. */
    waitMs(client: string): number {
      const overMs = Math.max(
        usedMs(client) - allowedMs,
        usedMs(networkOf(client)) - networkFactor * allowedMs,
      );
      return overMs < 0 ? 0 : Math.max(seconds(1), (overMs * windowMs) / allowedMs);
    },
    spend(client: string, ms: number) {
      const network = networkOf(client);
      use(client, ms);
      if (network !== client) use(network, ms);
    },
  };
}
