import { carriesRestrictedSession, carriesSession } from "../guards/session-cookie.server.ts";
import { isReading } from "../methods.ts";
import type { IncomingRequest } from "../server/incoming-request.server.ts";
import { corsReader } from "./cors.server.ts";

/** Under which keys the public cache keeps answers: requests with the same key get the same one. */

/** Tells visitors apart for whom pages differ, by their cookies. Null: no page is kept for this visitor. */
export type VisitorKeyOf = (cookies: string | undefined) => string | null;

/** Longer ones are seldom asked twice. */
const maxPageQueryLength = 500;

/** The key of the page that this visitor gets, if it is one that many get. */
export const pageKeysBy =
  (visitorKeyOf: VisitorKeyOf) =>
  (incoming: IncomingRequest, key = keyOf(incoming)): string | undefined => {
    const { cookie } = incoming.headers;
    if (key === undefined || incoming.query.length > maxPageQueryLength || carriesSession(cookie))
      return undefined;
    const visitor = visitorKeyOf(cookie);
    return visitor === null ? undefined : `page ${visitor}${key}`;
  };

/** Undefined if the cache may not answer this request. */
export function keyOf(incoming: IncomingRequest): string | undefined {
  const { method, origin, path, query, headers } = incoming;
  if (!isReading(method) || headers.authorization !== undefined) return undefined;
  if (carriesRestrictedSession(headers.cookie)) return undefined;
  // In local mode routes may show more to a client on this machine.
  const machine = incoming.isFromOwnMachine() ? "this machine " : "";
  return `${machine}${corsReader(headers.origin)} ${origin}${path}?${canonicalQuery(query)}`;
}

/** Sorts by name, since the order of names has no meaning. The order of values under one name is kept. */
function canonicalQuery(query: string) {
  if (query.length < 2) return "";
  const parsed = new URLSearchParams(query);
  parsed.sort();
  return parsed.toString();
}
