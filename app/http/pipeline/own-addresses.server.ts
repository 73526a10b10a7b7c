import { Readable } from "node:stream";
import type { Refusal } from "#app/domain/errors.ts";
import { env } from "#app/platform/process/env.server.ts";
import { isLoopbackHost } from "#app/platform/upstream/local-mode.ts";
import type { FetchOptions, OwnAnswer } from "#app/platform/upstream/safe-fetch.server.ts";
import { answerNotesContext, type Context, clientContext, insideContext } from "../context.server.ts";
import type { Answer } from "./answer.server.ts";

/**
 * URLs of this service itself, given to one of its proxies: what a route shares with the proxies is read inside the
 * process, whatever name the service was called by, and everything else is refused as a loop.
 */

/** The path and query of an address of ours; null for those of others. */
export function ownPathOf(url: URL, origin: string): string | null {
  const isOurs =
    url.origin === origin ||
    url.origin === env.PUBLIC_URL ||
    (isLoopbackHost(url.hostname) && ownPorts.has(portOf(url)));
  return isOurs ? url.pathname + url.search : null;
}

const ownPorts = new Set([env.PORT, env.METRICS_PORT].map(String));
const portOf = ({ port, protocol }: URL) => port || (protocol === "https:" ? "443" : "80");

/** What a proxy's route hands to the domain: whose request it is, and how to read what is our own. */
export function proxyRequesterOf(context: Context) {
  const { origin, mayReachLoopback } = context.get(clientContext);
  const inside = context.get(insideContext);
  const ownPath = (url: URL) => ownPathOf(url, origin);
  const readOwn = async (url: URL, options: FetchOptions): Promise<OwnAnswer> => {
    const path = ownPath(url);
    if (path === null) return null;
    const { range, "if-range": ifRange } = options.headers ?? {};
    const answer = await inside(options.method ?? "GET", path, {
      ...(range !== undefined && { range }),
      ...(ifRange !== undefined && { "if-range": ifRange }),
    });
    return answer === null ? "loop" : asUpstream(answer);
  };
  return { origin, mayReachLoopback, ownPath, readOwn };
}

/** What a server on this machine is told or refused with is for who sits at it, and no other site's to read. */
export function markPrivateRefusal(refusal: Refusal, context: Context): Refusal {
  if (context.get(clientContext).mayReachLoopback)
    context.get(answerNotesContext).isFromPrivateUpstream = true;
  return refusal;
}

function asUpstream({ status, headers: flat, body, ...answer }: Answer): OwnAnswer {
  const headers: Record<string, string> = {};
  for (let at = 0; at < flat.length; at += 2) headers[(flat[at] ?? "").toLowerCase()] = flat[at + 1] ?? "";
  const stream =
    body === null || Buffer.isBuffer(body)
      ? Readable.from(body ? [body] : [], { objectMode: false })
      : body instanceof Readable
        ? body
        : Readable.fromWeb(body as import("node:stream/web").ReadableStream);
  return { status, headers, body: stream, reach: reachOf(answer) };
}

/** What this site serves may itself come from a private upstream. */
function reachOf({ source, isPublic, isFromPrivateUpstream }: Omit<Answer, "status" | "headers" | "body">) {
  if (isFromPrivateUpstream) return "local";
  return source === "router" && !isPublic ? "private" : "own";
}
