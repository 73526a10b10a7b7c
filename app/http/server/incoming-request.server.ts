import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import { log } from "#app/platform/log.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { isLocalMode, isLoopbackHost, isLoopbackIp } from "#app/platform/upstream/local-mode.ts";
import { isReading } from "../methods.ts";
import { parseRequestTarget } from "./request-target.server.ts";

/**
 * The facts about a request before it is answered. Reading them must stay cheap, because cached answers need them too.
 */
export type IncomingRequest = {
  method: string;
  path: string;
  query: string;
  /** The origin of this site as the client sees it. */
  origin: string;
  headers: IncomingHttpHeaders;
  /** The IP address of the client, not of a trusted proxy. */
  ip: string;
  /** Called only by routes that fetch URLs given by strangers. */
  mayReachLoopback(): boolean;
  /** True in local mode for a request from this machine, unless a page of another site in its browser sent it. */
  isFromOwnMachine(): boolean;
  requestId: string;
  /** A `performance.now()` time. The request may have waited in a queue since then. */
  arrivedAt: number;
  /** Aborts when the client leaves before its answer is sent. */
  signal(): AbortSignal;
  /** A proxy of this site reads the path inside the process. */
  isInside?: true;
};

type RawRequest = {
  method: string;
  target: string;
  headers: IncomingHttpHeaders;
  peerIp: string;
  /** The host and port that this server listens on, for requests without a Host header (HTTP/1.0). */
  ownHost: string;
  arrivedAt: number;
  signal: () => AbortSignal;
};

const localMode = isLocalMode(env);
const trustsProxies = env.TRUST_PROXY > 0;
/** Headers in which proxies and tunnels name the client that they forward for. */
const forwardingHeader = /^(?:via|(?:x-)?(?:original-)?forwarded(?:-.*)?|.*-(?:real|client|connecting)-ip)$/;

/** Null if the request line or the Host header is invalid, so that the answer is 400. */
export function readIncomingRequest(raw: RawRequest): IncomingRequest | null {
  const { headers } = raw;
  const target = parseRequestTarget(raw.method, raw.target, headers.host);
  if (!target) return null;
  const host = target.host ?? raw.ownHost;
  const origin = env.PUBLIC_URL ?? `${schemeOf(headers)}://${host.replace(/:$/, "")}`;
  warnAboutProxySettings(raw, origin);
  return {
    method: raw.method,
    path: target.path,
    query: target.query,
    origin,
    headers,
    ip: clientIp(raw.peerIp, joinHeader(headers["x-forwarded-for"]), env.TRUST_PROXY),
    mayReachLoopback: () => localMode && isFromThisMachine(raw.peerIp, host, headers),
    isFromOwnMachine: () =>
      localMode && isFromThisMachine(raw.peerIp, host, headers) && !isFromOtherSite(headers, origin),
    requestId: requestId(headers),
    arrivedAt: raw.arrivedAt,
    signal: raw.signal,
  };
}

const isFromThisMachine = (peer: string, host: string, headers: IncomingHttpHeaders) =>
  isLoopbackIp(peer) &&
  isLoopbackHost(host.replace(/:\d*$/, "")) &&
  !Object.keys(headers).some((name) => forwardingHeader.test(name));

/** Browsers name the requesting page in at least one of these headers, unless the page is one of ours. */
const isFromOtherSite = ({ origin: from, "sec-fetch-site": site }: IncomingHttpHeaders, origin: string) =>
  (from !== undefined && from !== origin) ||
  (site !== undefined && site !== "same-origin" && site !== "none");

function schemeOf(headers: IncomingHttpHeaders) {
  if (!trustsProxies) return "http";
  const scheme = joinHeader(headers["x-forwarded-proto"])?.split(",").at(-1)?.trim().toLowerCase();
  return scheme === "https" ? "https" : "http";
}

const joinHeader = (value: string | string[] | undefined) => (Array.isArray(value) ? value.join(",") : value);

const processId = randomBytes(4).toString("hex");
let requestCount = 0;

/** Uses the id that a trusted proxy sent, so that one id finds the request in the proxy's logs and in ours. */
function requestId(headers: IncomingHttpHeaders) {
  const sent = headers["x-request-id"];
  if (trustsProxies && typeof sent === "string" && /^[\w.-]{1,64}$/.test(sent)) return sent;
  requestCount++;
  return `${processId}-${requestCount.toString(36)}`;
}

function warnAboutProxySettings({ method, headers }: RawRequest, origin: string) {
  if (!trustsProxies && headers["x-forwarded-for"] !== undefined)
    log.warnOnce(
      "x-forwarded-for",
      "Requests arrive with X-Forwarded-For, which is ignored. If your own proxy forwards them, set TRUST_PROXY to the number of proxies",
    );
  const from = headers.origin;
  if (from === undefined || isReading(method) || from === origin) return;
  if (!env.CORS_ORIGINS.includes(from) && differsOnlyBySchemeOrHost(from, origin))
    log.warnOnce(
      "origin",
      "A browser sent an Origin that differs from this site's only by scheme or host. Set PUBLIC_URL to the address that people type",
      { origin: from, ours: origin },
    );
}

export function differsOnlyBySchemeOrHost(one: string, other: string) {
  if (!URL.canParse(one) || !URL.canParse(other)) return false;
  const [a, b] = [new URL(one), new URL(other)];
  return a.protocol === b.protocol ? a.port === b.port : a.hostname === b.hostname;
}

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

const withoutMapping = (ip: string) => ip.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, "");
