import { randomUUID } from "node:crypto";
import { RouterContextProvider } from "react-router";
import { ipBlockOf } from "#app/platform/limits/client-block.ts";
import { workFor } from "#app/platform/limits/current-client.server.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import {
  type AnswerState,
  type AskInside,
  answerStateContext,
  type Context,
  clientContext,
  insideContext,
  insideRequestContext,
  type RouteFacts,
  routeFactsContext,
  underOtherAddressContext,
} from "../context.server.ts";
import { isUnderOtherAddress, withSettledOrigin } from "../guards/same-origin.server.ts";
import { carriesRestrictedSession } from "../guards/session-cookie.server.ts";
import type { IncomingRequest } from "../server/incoming-request.server.ts";
import { dropNodeBody } from "../server/node-body.server.ts";
import { parseRequestTarget } from "../server/request-target.server.ts";
import { type Sharing, withNobody } from "../sharing.ts";
import { type Answer, flatHeadersOf, jsonAnswer, jsonError } from "./answer.server.ts";
import { routeTags } from "./content-encoding.server.ts";
import { corsHeaders, preflightHeaders } from "./cors.server.ts";
import { finishAnswer, type Store } from "./finish-response.server.ts";
import { listMethods } from "./page-methods.server.ts";
import { type CacheRefusal, maxCachedQueryLength, type PublicCache } from "./public-cache.server.ts";
import {
  createRouteTable,
  type RouteTable,
  type SharedFolders,
  sharingOfFolder,
} from "./route-table.server.ts";
import { type Build, routerFor } from "./routers.server.ts";
import { plainSecurityHeaders } from "./security-headers.server.ts";
import { createSharedPages } from "./shared-pages.server.ts";
import {
  answerFile,
  answerFileToMember,
  filePathOf,
  isStaticFile,
  type StaticFiles,
} from "./static-files.server.ts";

/** The whole site as functions from a request to an answer, without a port. The process puts node:http in front of it. */

type Sources = {
  build: Build;
  /** The files that are served without the router. */
  files?: StaticFiles;
  /** Folders of static files that other origins may use. Their 404 answers are shared too. */
  sharedFolders?: SharedFolders;
  cache?: PublicCache | undefined;
  /** In development the router passes errors to the page in full. */
  mode?: "development";
  /**
   * True if the site is closed. Visitors then get no file of a shared folder, and the public cache answers nobody,
   * because it does not check sessions.
   */
  isClosed?: () => boolean;
  /** Whether the request has a valid session or access token. */
  isFromMember?: (request: Request, context: Context) => Promise<boolean>;
  admitWaiting?: Parameters<typeof createSharedPages>[0]["admitWaiting"];
};

type Open = (url: string) => Request;

export type Application = {
  /** An answer from a file or from the public cache. Undefined if the router has to answer. */
  answerFromMemory(incoming: IncomingRequest): Answer | Promise<Answer> | undefined;
  /** `open` creates the Request. */
  answerFromRouter(incoming: IncomingRequest, open: Open): Promise<Answer>;
  /** Answers a request whose target or Host cannot be read. */
  answerMalformed(target: string): Answer;
  /** Clears the public cache after the catalog has changed. */
  forgetPublicAnswers(): void;
};

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const allMethods = { Allow: [...methods].join(", ") };

export function createApplication(sources: Sources): Application {
  const { build, files = new Map(), sharedFolders = {}, cache, mode, isClosed = () => false } = sources;
  const { isFromMember = async () => false, admitWaiting = () => () => {} } = sources;
  const router = routerFor(build, mode ?? "production");
  const routeTable = routeTableOf(build);
  const folderSharing = (path: string) => sharingOfFolder(sharedFolders, path);
  /** On a closed site everybody gets the files that pages need, and only members get those of shared folders. */
  const isForMembers = ({ path, isInside }: IncomingRequest) =>
    isClosed() &&
    isInside !== true &&
    isStaticFile(files, path) &&
    folderSharing(filePathOf(path)) !== undefined;

  function answerMalformed(target: string): Answer {
    const table = routeTable();
    const json = table instanceof Promise ? undefined : table.malformedJsonOf(target);
    return json ? jsonAnswer(400, json) : jsonError(400, "Bad request");
  }

  function answerFromMemory(received: IncomingRequest) {
    if (!methods.has(received.method)) return jsonError(405, "Method not allowed", allMethods);
    // A preflight searches all routes. So it waits for its client's turn, as a request to a route does.
    if (received.method === "OPTIONS") return undefined;
    const table = routeTable();
    const isNeverCached = table instanceof Promise || received.query.length > maxCachedQueryLength;
    const incoming = isNeverCached ? received : table.cachedPages.withReadQuery(received);
    if (isForMembers(incoming)) return undefined;
    const answer =
      answerFile(files, incoming, folderSharing) ?? (isClosed() ? undefined : cache?.find(incoming));
    if (answer === undefined) return undefined;
    return answer instanceof Promise ? answer.then(finish) : finish(answer);

    function finish(result: Answer | CacheRefusal) {
      return "refusal" in result ? finishAnswer({ incoming, response: result.refusal, ...result }) : result;
    }
  }

  async function answerPreflight(incoming: IncomingRequest) {
    const { path } = incoming;
    // `OPTIONS *` asks about the whole server.
    if (path === "/*") return preflight(incoming, withNobody, [...methods].slice(0, -1));
    const routes = await routeTable();
    const allowedMethods = isStaticFile(files, path) ? ["GET", "HEAD"] : listMethods(routes, path);
    return preflight(incoming, folderSharing(path) ?? routes.sharingOfPath(path), allowedMethods);
  }

  const answerSharedPage = createSharedPages({ admitWaiting, findCached: answerFromMemory, runRoute });

  async function answerFromRouter(received: IncomingRequest, openAt: Open): Promise<Answer> {
    if (received.method === "OPTIONS") return answerPreflight(received);
    const { cachedPages, malformedJsonOf } = await routeTable();
    const incoming = cachedPages.withReadQuery(received);
    const isForPrograms = incoming.path.startsWith("/api/") || malformedJsonOf(incoming.path) !== undefined;
    const isCached = incoming.method === "GET" && cachedPages.isCached(incoming.path);
    const key = isCached && !isClosed() ? cache?.pageKeyOf(incoming) : undefined;
    const open = () => openAt(isForPrograms ? urlOf(incoming) : urlOf(withStorableQuery(incoming)));
    if (key === undefined) return runRoute(incoming, open);
    // While this request waited, another one may have rendered the page.
    const cached = cache?.has(key) ? await answerFromMemory(incoming) : undefined;
    return cached ?? answerSharedPage(key, incoming, open);
  }

  /** A request made inside another request uses the shares of the outer request and its account. */
  function runRoute(incoming: IncomingRequest, open: () => Request, answerState: AnswerState = {}) {
    const answer = () => answerByRoute(incoming, open, answerState);
    return incoming.isInside ? answer() : workFor(ipBlockOf(incoming.ip), answer, incoming.signal);
  }

  async function answerByRoute(
    incoming: IncomingRequest,
    open: () => Request,
    answerState: AnswerState,
  ): Promise<Answer> {
    const routes = await routeTable();
    let request: Request;
    try {
      request = open();
    } catch {
      return jsonError(400, "Bad request");
    }
    if (incoming.signal().aborted) return jsonError(503, "The client has left");
    withSettledOrigin({ request, ownOrigin: incoming.origin });
    const clientTags = request.headers.get("If-None-Match");
    if (clientTags) request.headers.set("If-None-Match", routeTags(clientTags));
    // `randomUUID` draws from a pool of random bytes that Node fills in advance, so most requests need no system call.
    const nonce = randomUUID();
    const since = cache?.generation() ?? 0;
    try {
      const context = contextFor(incoming, {
        answerState,
        nonce,
        inside: insideOf(incoming),
        factsOf: routes.factsOf,
      });
      if (isForMembers(incoming) && (await isFromMember(request, context)))
        return answerFileToMember(files, incoming);
      const response = await router(incoming.path)(request, context);
      const sharing = folderSharing(incoming.path) ?? routes.sharingOfPattern(answerState.pattern);
      const store: Store = (found) =>
        isClosed() ? undefined : cache?.store({ ...found, incoming, since, answerState, sharing });
      const variesByLanguage = routes.cachedPages.isCached(incoming.path);
      return await finishAnswer({ incoming, response, answerState, nonce, sharing, variesByLanguage, store });
    } catch (error) {
      dropNodeBody(answerState);
      if (!incoming.signal().aborted) log.error("no answer came out of the router", errorFields(error));
      return jsonError(500, "Internal server error");
    }
  }

  /** Requests another path of this site for the same client, without the remaining headers of the client's request. */
  const insideOf =
    (incoming: IncomingRequest): AskInside =>
    async (method, pathAndQuery, { headers, signal }) => {
      const target = parseRequestTarget(method, pathAndQuery, incoming.headers.host);
      if (!target) return null;
      const { path, query } = target;
      const sharing = folderSharing(path) ?? (await routeTable()).sharingOfPath(path);
      if (!sharing.isReadByProxies) return null;
      // The cookie of a restricted session is passed on, because it may get less than the proxies get for everybody.
      const { cookie = "" } = incoming.headers;
      const sent = carriesRestrictedSession(cookie) ? { ...headers, cookie } : headers;
      const insideRequest = {
        ...incoming,
        method,
        path,
        query,
        isInside: true as const,
        signal: () => signal,
        headers: { host: incoming.headers.host, ...sent },
      };
      return (
        answerFromMemory(insideRequest) ??
        answerFromRouter(insideRequest, (url) => new Request(url, { method, headers: sent }))
      );
    };

  return {
    answerFromMemory,
    answerFromRouter,
    answerMalformed,
    forgetPublicAnswers: () => cache?.clear(),
  };
}

/** In development every change makes a new build, so the table is rebuilt for each request. */
function routeTableOf(build: Build): () => RouteTable | Promise<RouteTable> {
  if (typeof build === "function") return async () => createRouteTable((await build()).routes);
  const table = createRouteTable(build.routes);
  return () => table;
}

/**
 * PostgreSQL refuses NUL in a text. Endpoints below `/api/`, and those with an answer of their own to malformed requests,
 * answer with 400. Everywhere else the NUL becomes a space, so that a broken link still shows a page. Removing the NUL could join the characters around it to another `%00`.
 */
const withStorableQuery = (incoming: IncomingRequest): IncomingRequest => ({
  ...incoming,
  query: incoming.query.replaceAll("%00", "+"),
});

const urlOf = ({ origin, path, query }: IncomingRequest) => `${origin}${path}${query}`;

type ContextFields = {
  answerState: AnswerState;
  nonce: string;
  inside: AskInside;
  factsOf: (pattern: string) => RouteFacts;
};

function contextFor(incoming: IncomingRequest, { answerState, nonce, inside, factsOf }: ContextFields) {
  const { ip, requestId, arrivedAt, origin, signal } = incoming;
  const context = new RouterContextProvider();
  context.set(clientContext, {
    ip,
    requestId,
    arrivedAt,
    origin,
    nonce,
    signal,
    mayReachLoopback: incoming.mayReachLoopback(),
    isFromOwnMachine: incoming.isFromOwnMachine(),
  });
  context.set(answerStateContext, answerState);
  context.set(insideContext, inside);
  context.set(insideRequestContext, incoming.isInside ?? false);
  context.set(routeFactsContext, factsOf);
  context.set(
    underOtherAddressContext,
    isUnderOtherAddress({ headers: incoming.headers, ownOrigin: origin }),
  );
  return context;
}

/** `allowed` is null if there is nothing at the path. */
function preflight(
  { headers: { origin: reader }, origin }: IncomingRequest,
  sharing: Sharing,
  allowed: readonly string[] | null,
): Answer {
  if (allowed === null)
    return jsonError(
      404,
      "Not found",
      corsHeaders({ method: "GET", origin: reader, sharing: { readers: sharing.readers } }),
    );
  const headers = {
    Allow: [...allowed, "OPTIONS"].join(", "),
    ...preflightHeaders({ origin: reader, sharing, methods: allowed }),
  };
  return {
    status: 204,
    headers: [...flatHeadersOf(headers), ...plainSecurityHeaders(origin).flat()],
    body: null,
    source: "server",
  };
}
