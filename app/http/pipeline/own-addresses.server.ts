import type { Refusal } from "#app/domain/errors.ts";
import { ipBlockOf } from "#app/platform/limits/client-block.ts";
import { env } from "#app/platform/process/env.server.ts";
import { isLoopbackHost } from "#app/platform/upstream/local-mode.ts";
import { portOf } from "#app/platform/upstream/private-upstreams.ts";
import type { FetchOptions, OwnAnswer } from "#app/platform/upstream/safe-fetch.server.ts";
import { answerStateContext, type Context, clientContext, insideContext } from "../context.server.ts";
import { readableOf } from "../server/stream-writing.server.ts";
import type { Answer } from "./answer.server.ts";

/**
 * Handles URLs of this site that a client passes to one of its proxies. Paths that a route shares with the proxies are
 * read inside the process. All others are refused, because a proxy that fetches itself would loop, and so are paths that
 * cannot be read.
 */

/** The path and query of a URL of this site; null for URLs of other sites. */
export function ownPathOf(url: URL, origin: string): string | null {
  const isOurs =
    url.origin === origin ||
    url.origin === env.PUBLIC_URL ||
    (isLoopbackHost(url.hostname) && ownPorts.has(portOf(url)));
  return isOurs ? url.pathname + url.search : null;
}

const ownPorts = new Set([env.PORT, env.METRICS_PORT].map(String));

/**
 * The input that a proxy route passes to the domain: the requesting client, the signal of its departure, and a function
 * that reads URLs of this site.
 */
export function proxyRequesterOf(context: Context) {
  const { ip, origin, mayReachLoopback, signal } = context.get(clientContext);
  const inside = context.get(insideContext);
  const ownPath = (url: URL) => ownPathOf(url, origin);
  const readOwn = async (url: URL, options: FetchOptions): Promise<OwnAnswer> => {
    const path = ownPath(url);
    if (path === null) return null;
    const { range, "if-range": ifRange } = options.headers ?? {};
    const headers = {
      ...(range !== undefined && { range }),
      ...(ifRange !== undefined && { "if-range": ifRange }),
    };
    const method = options.method === "HEAD" ? "HEAD" : "GET";
    const answer = await inside(method, path, {
      headers,
      signal: options.signal ?? new AbortController().signal,
    });
    return answer === null ? "loop" : asUpstream(answer);
  };
  return { client: ipBlockOf(ip), signal: signal(), origin, mayReachLoopback, ownPath, readOwn };
}

/** In local mode a refusal may reveal which programs run on this machine, so pages of other origins must not read it. */
export function markPrivateRefusal(refusal: Refusal, context: Context): Refusal {
  if (context.get(clientContext).mayReachLoopback)
    context.get(answerStateContext).isFromPrivateUpstream = true;
  return refusal;
}

function asUpstream({ status, headers: flat, body, ...answer }: Answer): OwnAnswer {
  const headers: Record<string, string> = {};
  for (let at = 0; at < flat.length; at += 2) headers[(flat[at] ?? "").toLowerCase()] = flat[at + 1] ?? "";
  return { status, headers, body: readableOf(body), reach: reachOf(answer) };
}

/** An answer of this site may itself have come from a private upstream, through a proxy. */
function reachOf({ source, isPublic, isFromPrivateUpstream }: Omit<Answer, "status" | "headers" | "body">) {
  if (isFromPrivateUpstream) return "local";
  return source === "router" && !isPublic ? "members" : "own";
}
