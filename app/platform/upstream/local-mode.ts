import { classifyIp, parseIp } from "./ip-addresses.ts";

/**
 * Local mode: the site runs on a personal computer and listens only there. A request that certainly comes from the same
 * computer may then name upstreams on it, such as a media server.
 */

type Settings = {
  HOST: string;
  ALLOW_PRIVATE_UPSTREAMS?: string | undefined;
  PUBLIC_URL?: string | undefined;
  DATABASE_URL?: string | undefined;
  TRUST_PROXY: number;
};

export const isLocalMode = (settings: Settings) =>
  settings.ALLOW_PRIVATE_UPSTREAMS === undefined &&
  isLoopbackHost(settings.HOST) &&
  settings.PUBLIC_URL === undefined &&
  settings.DATABASE_URL === undefined &&
  settings.TRUST_PROXY === 0;

/** Accepts a host name or IP address as written in HOST, in a URL, or (without the port) in a Host header. */
export function isLoopbackHost(host: string) {
  const bare = host.replace(/^\[|\]$/g, "").toLowerCase();
  return bare === "localhost" || isLoopbackIp(bare);
}

/** Checked for every request, so the usual addresses skip parsing. */
const usualLoopbackIps = new Set(["127.0.0.1", "::1"]);

export function isLoopbackIp(address: string) {
  if (usualLoopbackIps.has(address)) return true;
  const bytes = parseIp(address);
  return bytes !== null && classifyIp(bytes) === "loopback";
}
