import { isIP } from "node:net";

/**
 * The IP address of the client. Each trusted proxy appends the address that called it, so with n proxies the n-th entry
 * from the right is the last one that the client cannot have forged.
 */
export function clientIp(peer: string, forwardedFor: string | undefined, trustedProxies: number) {
  if (trustedProxies === 0 || !forwardedFor) return withoutMapping(peer);
  const hops = forwardedFor.split(",");
  const entry = hops[Math.max(0, hops.length - trustedProxies)] ?? "";
  return withoutMapping(withoutPort(entry) ?? peer);
}

/** An entry may have a port, and brackets around an IPv6 address. */
function withoutPort(entry: string) {
  const text = entry.trim();
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return isIP(bare) ? bare : undefined;
}

const withoutMapping = (address: string) => address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
