import { isIP } from "node:net";

/**
 * Whose request it is. Each trusted proxy appends the address it was called from, so with n of them the n-th
 * entry from the right is the last one that a stranger could not have written.
 */
export function clientIp(peer: string, forwardedFor: string | undefined, trustedProxies: number) {
  if (trustedProxies === 0 || !forwardedFor) return withoutMapping(peer);
  const hops = forwardedFor.split(",");
  const entry = hops[Math.max(0, hops.length - trustedProxies)] ?? "";
  return withoutMapping(withoutPort(entry) ?? peer);
}

/** An entry may carry a port, and IPv6 brackets. */
function withoutPort(entry: string) {
  const text = entry.trim();
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return isIP(bare) ? bare : undefined;
}

const withoutMapping = (address: string) => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
