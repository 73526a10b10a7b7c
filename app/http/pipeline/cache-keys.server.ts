import { carriesRestrictedSession, carriesSession } from "../guards/session-cookie.server.ts";
import { isReading } from "../methods.ts";
import type { IncomingRequest } from "../server/incoming-request.server.ts";
import { corsReader } from "./cors.server.ts";

/** The keys of the public cache. Requests with the same key get the same answer. */

/**
 * Returns a key for what the pages of a visitor depend on, in the cookies and in the languages that the browser asks for.
 * Null if this visitor's pages are not cached.
 */
export type VisitorKeyOf = (
  headers: Pick<IncomingRequest["headers"], "cookie" | "accept-language">,
) => string | null;

/** Longer queries are seldom requested twice. */
const maxPageQueryLength = 500;

/** The key of the page that this visitor gets, if it is the same for many visitors. */
export const pageKeysBy =
  (visitorKeyOf: VisitorKeyOf) =>
  (incoming: IncomingRequest, key = keyOf(incoming)): string | undefined => {
    const { cookie } = incoming.headers;
    if (key === undefined || incoming.query.length > maxPageQueryLength || carriesSession(cookie))
      return undefined;
    const visitor = visitorKeyOf(incoming.headers);
    return visitor === null ? undefined : `page ${visitor}${key}`;
  };

/** Undefined if the cache may not answer this request. */
export function keyOf(incoming: IncomingRequest): string | undefined {
  const { method, origin, path, query, headers } = incoming;
  if (!isReading(method) || headers.authorization !== undefined) return undefined;
  if (carriesRestrictedSession(headers.cookie)) return undefined;
  return `${machineOf(incoming)}${corsReader(headers.origin)} ${origin}${path}?${canonicalQuery(query)}`;
}

/** Both facts about this machine that routes read: in local mode they may show more to a client on it. */
function machineOf(incoming: IncomingRequest) {
  if (incoming.isFromOwnMachine()) return "this machine ";
  return incoming.mayReachLoopback() ? "this machine, from another site " : "";
}

/** Sorts by name, since the order of names has no meaning. Values of the same name keep their order. */
function canonicalQuery(query: string) {
  if (query.length < 2) return "";
  const parsed = new URLSearchParams(query);
  parsed.sort();
  return parsed.toString();
}
