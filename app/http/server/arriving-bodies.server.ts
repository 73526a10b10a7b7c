import type { IncomingMessage, ServerResponse } from "node:http";
import { createContestedShare } from "#app/platform/limits/contested-share.ts";
import type { ShareLimits } from "#app/platform/limits/fair-share.ts";
import { createRefusalCounter } from "#app/platform/limits/refusal-counter.server.ts";
import { memoryPlan } from "#app/platform/process/memory.server.ts";
import { kibibytes } from "#app/platform/units.ts";
import { hasBody } from "./incoming-body.server.ts";

/**
 * A body may arrive slowly. A request with a short body begins when the body is complete, so that it holds no place for
 * work meanwhile. Bodies that are arriving have places of their own.
 */

/** Node keeps less than this of a body in memory before the body is read. Nearly all forms are shorter. */
export const maxShortBodyBytes = kibibytes(64);

const defaultLimits = {
  /** Together they take at most half as much memory as the bodies of requests that have begun. */
  short: { total: 8 * memoryPlan.requestBodies, perClient: memoryPlan.requestBodies },
  /** Fewer than the uploads that may be under way, so that the slow ones do not take all of those. */
  long: { total: 48, perClient: 8, perNetwork: 16 },
};

const countRefusal = createRefusalCounter(
  "arriving",
  "Too many bodies arrive slowly, so some get 503. If your own proxy forwards them, set TRUST_PROXY",
);

type Next = { begin(): void; refuse(): void };

/** Tests set the limits. */
export function createBodyArrivals(limits: Record<"short" | "long", ShareLimits> = defaultLimits) {
  const short = createContestedShare(limits.short, countRefusal);
  const long = createContestedShare(limits.long, countRefusal);

  function waitForShort(request: IncomingMessage, response: ServerResponse, client: string, next: Next) {
    const canEnd = () => !request.complete;
    const lease = short.take(client, { canEnd, end: () => settle(next.refuse) });
    if (!lease) return next.refuse();
    function settle(then: () => void) {
      request.off("readable", look);
      response.off("close", leave);
      lease?.giveBack();
      then();
    }
    const look = () => {
      if (request.complete) settle(next.begin);
    };
    const leave = () => settle(() => {});
    request.on("readable", look);
    response.once("close", leave);
  }

  function beginLong(request: IncomingMessage, response: ServerResponse, client: string, next: Next) {
    const canEnd = () => !request.complete;
    const lease = long.take(client, { canEnd, end: () => void request.socket.destroy() });
    if (!lease) return next.refuse();
    request.once("end", lease.giveBack);
    response.once("close", lease.giveBack);
    next.begin();
  }

  /** Calls `begin` when the request may begin, or `refuse` if too many bodies of its client are arriving. */
  return function waitForBody(
    request: IncomingMessage,
    response: ServerResponse,
    client: string,
    next: Next,
  ): void {
    if (!hasBody(request)) return void next.begin();
    // Most bodies arrive together with their headers, and take no place. Node marks them as complete after it has
    // called its listener, and the callbacks of `nextTick` run before that.
    setImmediate(() => {
      if (response.closed) return;
      if (request.complete) return next.begin();
      const { expect, "content-length": length } = request.headers;
      (isShortBody(length, expect) ? waitForShort : beginLong)(request, response, client, next);
    });
  };
}

/** Whether a request with this body begins when it is complete. A client that sends Expect waits to be asked for it. */
export const isShortBody = (contentLength: string | null | undefined, expect: string | null | undefined) =>
  typeof contentLength === "string" &&
  typeof expect !== "string" &&
  Number(contentLength) < maxShortBodyBytes;
