import { createContext, type MiddlewareFunction } from "react-router";
import { ipBlockOf } from "#app/platform/limits/client-block.ts";
import { failedInOverload, hasActiveOthers } from "#app/platform/limits/current-client.server.ts";
import { databaseConnections } from "#app/platform/limits/database-connections.ts";
import { createRefusalCounter } from "#app/platform/limits/refusal-counter.server.ts";
import { createTimedQueue, type TimedQueueOptions } from "#app/platform/limits/timed-queue.ts";
import { gauge } from "#app/platform/metrics.server.ts";
import { seconds } from "#app/platform/units.ts";
import {
  answerStateContext,
  type Context,
  clientContext,
  type Limiter,
  routeFactsContext,
  signalIn,
} from "../context.server.ts";
import { busyHeaders } from "../endpoint/error-response.server.ts";
import { mayArriveLate } from "../endpoint/request-body.server.ts";
import { messagePage } from "../forms/message-page.server.ts";
import type { RefusalText } from "../forms/page-refusal.ts";
import { noteTurn } from "./admission.server.ts";
import { isPrefetch } from "./prefetch.server.ts";
import { chargeLimiter } from "./rate-limit.server.ts";

/**
 * Limits pages and their data, which cost much more than an endpoint's answer. The limits count requests per client and
 * minute, and what this process can render within two seconds. A refused page is short, because a full error page would
 * cost as much as the page itself.
 */

const waits = {
  waiting: { total: 300, perClient: 150 },
  // A page can take longer than the pages before it, and must still be ready within two seconds.
  maxWaitMs: seconds(1.3),
  leavesTime: hasActiveOthers,
};

/**
 * At most as many pages as the database pool has connections. Rendering uses one core, so more at once would only be
 * slower, and the pages of one client would delay everybody else. The people behind one address have about three pages open.
 */
const rendering: TimedQueueOptions = {
  ...waits,
  running: { total: databaseConnections, perClient: 3, perNetwork: 6, perAccount: 3 },
  maxTotalMs: seconds(1.6),
};

/**
 * Forms wait for what they change, and must not keep pages waiting, so they have places of their own. One form can take
 * a minute, which says nothing about the others, so they have no `maxTotalMs`.
 */
const sending = {
  ...waits,
  running: { total: 20, perClient: 4, perNetwork: 8, perAccount: 3 },
} satisfies TimedQueueOptions;

/**
 * A form with a file, or with many edits, holds its place while its body arrives, which may be slowly. There are more
 * places, and a client has as many as for other forms: with more, it could run more forms by making each longer.
 */
const uploading = {
  ...sending,
  running: { ...sending.running, total: 64 },
} satisfies TimedQueueOptions;

const queuesOfPages = {
  reading: createTimedQueue(rendering),
  sending: createTimedQueue(sending),
  uploading: createTimedQueue(uploading),
};
gauge("pages_waiting", "Pages that wait until others are rendered", () =>
  Object.values(queuesOfPages).reduce((sum, { waiting }) => sum + waiting(), 0),
);

const countShed = createRefusalCounter(
  "pages",
  "The site cannot render pages as fast as people ask for them, so some get 503. A faster processor helps, or another instance",
);
const countPrefetch = createRefusalCounter(
  "prefetches",
  "The site has no time to render pages ahead of time, so browsers get 503 for those",
);

const leaveContext = createContext(() => {});

/** Gives the place of a form to others, because another server decides how long the rest of it takes. */
export const leavePagePlace = (context: Context): void => context.get(leaveContext)();

type Options = {
  limiter: Omit<Limiter, "errorShape">;
  texts: { tooMany: RefusalText; busy: RefusalText };
  /** The account whose turn the page takes. Null for a visitor. */
  findAccount: (request: Request, context: Context) => Promise<string | null>;
};

/** The middleware of the root route: the router has matched the route, and nothing is rendered yet. */
export const limitPages = ({ limiter: limit, texts, findAccount }: Options) => {
  const limiter: Limiter = {
    ...limit,
    errorShape: ({ headers }) => refusedPage(texts.tooMany, 429, headers),
  };
  const middleware: MiddlewareFunction<Response> = async ({ request, context, pattern }, next) => {
    if (!context.get(routeFactsContext)(pattern).isPage) return next();
    const { ip, arrivedAt } = context.get(clientContext);
    const { refusal } = await chargeLimiter(limiter, ip);
    if (refusal) return refusal;
    Object.assign(context.get(answerStateContext), { limiter, isPage: true });
    const isOptional = isPrefetch(request);
    const waitedMs = performance.now() - arrivedAt;
    const account = (await findAccount(request, context)) ?? undefined;
    const signal = signalIn(context);
    const queue = queuesOfPages[kindOf(request)];
    const leave = await queue.enter(ipBlockOf(ip), {
      account,
      isOptional,
      signal,
      waitedMs,
    });
    if (!leave) {
      if (!signal.aborted) (isOptional ? countPrefetch : countShed)();
      return refusedPage(texts.busy, 503, busyHeaders);
    }
    noteTurn(context);
    context.set(leaveContext, leave);
    try {
      const response = await next();
      // A query of the page waited too long for the client's share of the database, or for the database itself.
      return failedInOverload(response) ? refusedPage(texts.busy, 503, busyHeaders) : response;
    } finally {
      const { rendered } = context.get(answerStateContext);
      if (rendered) void rendered.then(leave);
      else leave();
    }
  };
  return Object.assign(middleware, { limiter });
};

function kindOf(request: Request): keyof typeof queuesOfPages {
  if (!request.body) return "reading";
  return mayArriveLate(request) ? "uploading" : "sending";
}

/**
 * The response is returned, not thrown, because the router would render its error page for a thrown one. The browser's
 * router also shows a response with this status as an error page.
 */
export function refusedPage(text: RefusalText, status: number, headers: HeadersInit = {}) {
  const page = messagePage(text, status, { offersRetry: true });
  for (const [name, value] of new Headers(headers)) page.headers.set(name, value);
  return page;
}
