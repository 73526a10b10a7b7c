import type { Readable } from "node:stream";
import { createContext, type RouterContextProvider } from "react-router";
import { ipBlockOf } from "#app/platform/limits/client-block.ts";
import type { CachePolicy } from "./cache-policy.server.ts";
import type { WriteError } from "./endpoint/error-response.server.ts";
import type { Answer } from "./pipeline/answer.server.ts";

/** The facts about a request that are known before any route runs. The application sets them. */
type Client = {
  /** The client's IP address: the connection's, or the one that the proxies of TRUST_PROXY report. */
  ip: string;
  /** Identifies this request in logs and on error pages. */
  requestId: string;
  /** A `performance.now()` time. The request may have waited in a queue since then. */
  arrivedAt: number;
  /** The origin of this site as the client sees it, used for absolute URLs. */
  origin: string;
  /** True in local mode for a client on this machine. The proxies may then fetch from loopback upstreams for it. */
  mayReachLoopback: boolean;
  /** True in local mode for a request from this machine, unless a page of another site sent it. */
  isFromOwnMachine: boolean;
  /** The value of `<script nonce>` and `<style nonce>` in this answer. */
  nonce: string;
  signal(): AbortSignal;
};

export const clientContext = createContext<Client>();

/** True if the browser sent this request from a page of this site under another address than PUBLIC_URL. */
export const underOtherAddressContext = createContext<boolean>(false);

/** Counts requests of one kind for each client and refuses those over the limit. */
export type Limiter = {
  /** Limiters with the same name share their counters. */
  name: string;
  /** How many requests one client may send in a window. */
  maxRequests: number;
  /** Also counts the requests of each account, from all its addresses. The guard that finds the account charges it. */
  isPerAccount?: boolean;
  /** Writes the refusal for routes whose errors are not the usual JSON. */
  errorShape?: WriteError;
  /** Logged at the first refusal, to say which setting raises the limit. */
  hint?: string;
};

/**
 * The facts that a route reports to the pipeline about its answer. Each request has one object, which its route fills.
 */
export type AnswerState = {
  /** The path pattern of the matched route, as written in routes.ts. */
  pattern?: string;
  /** The route is a page, and the answer the page or its data. */
  isPage?: boolean;
  /** A large body that the adapter pipes to the socket without a web stream. */
  nodeBody?: Readable | Buffer;
  /** The limiter that counted this request, so that the public cache charges the same one. */
  limiter?: Limiter;
  /** The `X-RateLimit-*` headers of the account's counter, if the limiter also counts accounts. */
  accountLimit?: Record<string, string>;
  /** The policy that the route chose for this answer. */
  cache?: CachePolicy;
  /**
   * The query has parameters that the route does not know. The public cache does not store the answer: each spelling
   * would be another copy.
   */
  hasUnknownParameters?: boolean;
  /** The page is the same for many visitors. It is rendered whole and stored in the public cache. */
  isForManyVisitors?: boolean;
  /** A part of the page failed, or the page may be outdated before its cache entry expires. It is not cached. */
  isNeverCached?: boolean;
  /** Resolves when all parts of a page are rendered. Parts that wait for data are rendered after the answer has begun. */
  rendered?: Promise<void>;
  /**
   * The answer was fetched from a private upstream in local mode. Other origins must not read it, and caches must not
   * store it.
   */
  isFromPrivateUpstream?: boolean;
};

/**
 * Which share of the server a request uses while its route runs. The default is the share of requests that wait for the
 * database. `open` requests use no share, so they are answered even when every share is used up.
 */
export type Admission = "open" | "upstream";

/** The facts about the matched route that the middleware of the root route depends on. */
export type RouteFacts = { admission?: Admission | undefined; isPage: boolean; hasForm: boolean };

/** Finds the facts of the route with this path pattern. */
export const routeFactsContext = createContext<(pattern: string) => RouteFacts>();

export const answerStateContext = createContext<AnswerState>();

/**
 * Requests a path of this site inside the process. Null if the path cannot be read, or is not shared with the proxies.
 * Others may share the answer, so it ends with `signal`, and not when the client leaves that asked first.
 */
export type AskInside = (
  method: "GET" | "HEAD",
  pathAndQuery: string,
  options: { headers: Record<string, string>; signal: AbortSignal },
) => Promise<Answer | null>;

/** Returns the root loader's data, for middleware that refuses a page before the loaders run. */
export const siteDataContext = createContext<() => Promise<unknown>>();

/** True if a proxy of this site sent this request inside the process. The outer request has already passed the limits. */
export const insideRequestContext = createContext<boolean>(false);

export const insideContext = createContext<AskInside>();

export type Context = Readonly<RouterContextProvider>;

/**
 * Aborts when the client leaves before its answer is sent. The router gets a request whose own signal never aborts: it
 * would answer at once and leave the route running, and the route's limits would be released although its work goes on.
 */
export const signalIn = (context: Context): AbortSignal => context.get(clientContext).signal();

/** Whether the browser sends the request by https. */
export const isSecureIn = (context: Context): boolean =>
  context.get(clientContext).origin.startsWith("https:");

/** The client whose share a request uses. */
export const ipBlockIn = (context: Context): string => ipBlockOf(context.get(clientContext).ip);
