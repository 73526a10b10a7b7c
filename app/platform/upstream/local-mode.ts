import { classifyIp, parseIp } from "./ip-addresses.ts";

/**
 * Local mode: the site runs on somebody's own computer and is reached from that computer alone. Then a request
 * that surely comes from there may name upstreams that listen there too, such as a media server next door.
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

/** A host name or address as written in HOST, a URL or (without its port) a Host header. */
export function isLoopbackHost(host: string) {
  const bare = host.replace(/^\[|\]$/g, "").toLowerCase();
  return bare === "localhost" || isLoopbackIp(bare);
}

export function isLoopbackIp(address: string) {
  const bytes = parseIp(address);
  return bytes !== null && classifyIp(bytes) === "loopback";
}
