import { isIPv6 } from "node:net";

/**
 * Names the client whose share a request uses. A client with one IPv6 address usually has its whole /64 block, so the
 * block counts as one client.
 */
export function ipBlockOf(ip: string) {
  // Most addresses are IPv4, and `isIPv6` takes longer than the rest of a cached answer.
  if (!ip.includes(":") || !isIPv6(ip)) return ip;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip);
  if (mapped?.[1]) return mapped[1];
  const [head = "", tail] = ip.split("%")[0]?.split("::") ?? [];
  const front = head === "" ? [] : head.split(":");
  const back = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros =
    tail === undefined ? [] : Array<string>(Math.max(0, 8 - front.length - back.length)).fill("0");
  const groups = [...front, ...zeros, ...back]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.join(":")}::/64`;
}

/**
 * The /48 network of an IPv6 block, since one subscriber can have 65,536 blocks. For an IPv4 address, the address
 * itself.
 */
export function networkOf(block: string) {
  return block.endsWith("::/64") ? `${block.split(":").slice(0, 3).join(":")}::/48` : block;
}
