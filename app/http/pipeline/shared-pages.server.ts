import { createSharedWork } from "#app/platform/limits/shared-work.ts";
import type { AnswerState } from "../context.server.ts";
import { isPrefetchBy } from "../guards/prefetch.server.ts";
import type { IncomingRequest } from "../server/incoming-request.server.ts";
import { withNobody } from "../sharing.ts";
import { type Answer, jsonError } from "./answer.server.ts";
import { finishAnswer } from "./finish-response.server.ts";

/** Visitors with the same preferences get the same page, so it is rendered once for all who wait for it. */

type Open = () => Request;

type Parts = {
  /**
   * Counts a request that waits while another request renders the same page. Returns the function that ends it, or a
   * refusal.
   */
  admitWaiting: (ip: string) => (() => void) | Response;
  findCached: (incoming: IncomingRequest) => Answer | Promise<Answer> | undefined;
  runRoute: (incoming: IncomingRequest, open: Open, answerState?: AnswerState) => Promise<Answer>;
};

export function createSharedPages({ admitWaiting, findCached, runRoute }: Parts) {
  const shareRendering = createSharedWork<Answer>(({ status }) => [400, 429, 503].includes(status));

  /** Requests with the same key get the same page. Rendering stops when all of them have left. */
  return async function answerSharedPage(
    key: string,
    incoming: IncomingRequest,
    open: Open,
  ): Promise<Answer> {
    // A prefetch does not share the rendering, because it is refused sooner than other requests.
    if (isPrefetchBy((name) => incoming.headers[name.toLowerCase()]?.toString()))
      return runRoute(incoming, open, { isForManyVisitors: true });
    const place = admitWaiting(incoming.ip);
    if (place instanceof Response) return finishAnswer({ incoming, response: place, sharing: withNobody });
    let ownRendering: Promise<Answer> | undefined;
    const signal = incoming.signal();
    try {
      const shared = await shareRendering(key, signal, (left) => {
        // From here on the router counts this request, so its place among the waiting ones is released.
        place();
        ownRendering = runRoute({ ...incoming, signal: () => left }, open, { isForManyVisitors: true });
        return ownRendering;
      });
      return ownRendering ? shared : ((await findCached(incoming)) ?? runRoute(incoming, open));
    } catch (error) {
      // The client has left, so this answer is never read.
      if (signal.aborted) return jsonError(503, "The client has left");
      throw error;
    } finally {
      place();
    }
  };
}
