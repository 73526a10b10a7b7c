import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import { RouterContextProvider } from "react-router";
import { errorFields, log } from "#app/platform/log.server.ts";
import { isFromMember } from "../access/closed-site.server.ts";
import { isUnderOtherAddress, withSettledOrigin } from "../access/same-origin.server.ts";
import { carriesRestrictedSession } from "../access/session-cookie.server.ts";
import {
  type AnswerState,
  type AskInside,
  answerStateContext,
  clientContext,
  insideContext,
  insideRequestContext,
  type RouteFacts,
  routeFactsContext,
  underOtherAddressContext,
} from "../context.server.ts";
import { type IncomingRequest, readIncomingRequest } from "../server/incoming-request.server.ts";
import { dropNodeBody, webStreamOf } from "../server/node-body.server.ts";
import type { SentBody } from "../server/stream-writing.server.ts";
import { type Sharing, withNobody } from "../sharing.ts";
import { type Answer, flatHeadersOf, jsonError } from "./answer.server.ts";
import { routeTags } from "./content-encoding.server.ts";
import { corsHeaders, preflightHeaders } from "./cors.server.ts";
import { type Build, routerFor } from "./endpoint-router.server.ts";
import { finishAnswer } from "./finish-response.server.ts";
import { findAllowedMethods, listMethods } from "./page-methods.server.ts";
import type { PublicCache, Refused } from "./public-cache.server.ts";
import {
  createRouteTable,
  type RouteTable,
  type SharedFolders,
  sharingOfFolder,
} from "./route-table.server.ts";
import { plainSecurityHeaders } from "./security-headers.server.ts";
import {
  answerFile,
  answerFileToMember,
  filePathOf,
  isStaticFile,
  type StaticFiles,
} from "./static-files.server.ts";

/**
 * The whole site as one function from a request to an answer, without a port. The process puts node:http in
 * front of it, tests call `handle`.
 */

type Sources = {
  build: Build;
  /** The files that are served without the router. */
  files?: StaticFiles;
  /** Folders of static files that other origins may use. A 404 in such a folder is shared as well. */
  sharedFolders?: SharedFolders;
  cache?: PublicCache | undefined;
  /** In development the router passes errors to the page in full. */
  mode?: "development";
  /** Whether visitors get no file of a shared folder. */
  closesFiles?: boolean;
};

type Connection = { peerAddress?: string };

export type Application = {
  /** An answer from a file or from the public cache. Undefined: the router has to answer. */
  answerFromMemory(incoming: IncomingRequest): Answer | Promise<Answer> | undefined;
  /** `open` makes the Request. */
  answerFromRouter(incoming: IncomingRequest, open: (url: string) => Request): Promise<Answer>;
  handle(request: Request, connection?: Connection): Promise<Response>;
  /** Empties the public cache after the catalog has changed. */
  forgetPublicAnswers(): void;
};

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const allMethods = { Allow: [...methods].join(", ") };

export function createApplication(sources: Sources): Application {
  const { build, files = new Map(), sharedFolders = {}, cache, mode, closesFiles = false } = sources;
  const router = routerFor(build, mode ?? "production");
  const routeTable = routeTableOf(build);
  const folderSharing = (path: string) => sharingOfFolder(sharedFolders, path);
  /** On a closed site the files that pages need are for everybody, and those of shared folders are not. */
  const isForMembers = ({ path, isInside }: IncomingRequest) =>
    closesFiles &&
    isInside !== true &&
    isStaticFile(files, path) &&
    folderSharing(filePathOf(path)) !== undefined;

  const answer = (incoming: IncomingRequest, open: (url: string) => Request) =>
    answerFromMemory(incoming) ?? answerFromRouter(incoming, open);

  function answerFromMemory(incoming: IncomingRequest) {
    if (!methods.has(incoming.method)) return jsonError(405, "Method not allowed", allMethods);
    if (incoming.method === "OPTIONS") return answerPreflight(incoming);
    if (isForMembers(incoming)) return undefined;
    const found = answerFile(files, incoming, folderSharing) ?? cache?.find(incoming);
    if (found === undefined) return undefined;
    return found instanceof Promise ? found.then(finish) : finish(found);

    function finish(found: Answer | Refused) {
      return "refusal" in found ? finishAnswer({ incoming, response: found.refusal, ...found }) : found;
    }
  }

  async function answerPreflight(incoming: IncomingRequest) {
    const { path } = incoming;
    // `OPTIONS *` asks about the whole server.
    if (path === "/*") return preflight(incoming, withNobody, [...methods].slice(0, -1));
    const routes = await routeTable();
    const found = isStaticFile(files, path) ? ["GET", "HEAD"] : listMethods(routes, path);
    return preflight(incoming, folderSharing(path) ?? routes.sharingOfPath(path), found);
  }

  async function answerFromRouter(
    incoming: IncomingRequest,
    open: (url: string) => Request,
  ): Promise<Answer> {
    const routes = await routeTable();
    const allowed = findAllowedMethods(routes, incoming.method, incoming.path);
    if (allowed !== undefined) return jsonError(405, "Method not allowed", { Allow: allowed });
    let request: Request;
    try {
      request = open(`${incoming.origin}${incoming.path}${storableQuery(incoming)}`);
    } catch {
      return jsonError(400, "Bad request");
    }
    withSettledOrigin({ request, ownOrigin: incoming.origin });
    const clientTags = request.headers.get("If-None-Match");
    if (clientTags) request.headers.set("If-None-Match", routeTags(clientTags));
    const answerState: AnswerState = {};
    // Node fills a pool of random bytes for randomUUID, so most requests need no system call.
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
      const keep = (headers: Headers, bytes: Buffer) =>
        cache?.keep({ incoming, since, headers, bytes, answerState, sharing });
      return await finishAnswer({ incoming, response, answerState, nonce, sharing, keep });
    } catch (error) {
      dropNodeBody(answerState);
      if (!request.signal.aborted) log.error("no answer came out of the router", errorFields(error));
      return jsonError(500, "Internal server error");
    }
  }

  /** Requests another path of this site for the same client, without the other headers of the client's own request. */
  const insideOf =
    (incoming: IncomingRequest): AskInside =>
    async (method, pathAndQuery, headers) => {
      const { pathname: path, search: query } = new URL(pathAndQuery, incoming.origin);
      const sharing = folderSharing(path) ?? (await routeTable()).sharingOfPath(path);
      if (!sharing.isReadByProxies) return null;
      // A restricted session may get less than what the proxies get for everybody.
      const { cookie = "" } = incoming.headers;
      const sent = carriesRestrictedSession(cookie) ? { ...headers, cookie } : headers;
      const insideRequest = {
        ...incoming,
        method,
        path,
        query,
        isInside: true as const,
        headers: { host: incoming.headers.host, ...sent },
      };
      return answer(insideRequest, (url) => new Request(url, { method, headers: sent }));
    };

  return {
    answerFromMemory,
    answerFromRouter,
    handle: (request, connection) => handle(answer, request, connection),
    forgetPublicAnswers: () => cache?.clear(),
  };
}

/** In development every change makes a new build, so the table is made anew for each request. */
function routeTableOf(build: Build): () => RouteTable | Promise<RouteTable> {
  if (typeof build === "function") return async () => createRouteTable((await build()).routes);
  const table = createRouteTable(build.routes);
  return () => table;
}

/**
 * PostgreSQL refuses NUL in a text. Endpoints answer with 400. For pages the NUL becomes a space, so that a broken link
 * still shows a page. Removing it instead could join the characters around it to another `%00`.
 */
const storableQuery = ({ path, query }: IncomingRequest) =>
  path.startsWith("/api/") ? query : query.replaceAll("%00", "+");

type Given = {
  answerState: AnswerState;
  nonce: string;
  inside: AskInside;
  factsOf: (pattern: string) => RouteFacts;
};

function contextFor(incoming: IncomingRequest, { answerState, nonce, inside, factsOf }: Given) {
  const { address: ip, requestId, origin } = incoming;
  const context = new RouterContextProvider();
  context.set(clientContext, {
    ...{ ip, requestId, origin, nonce },
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

/** Answers a Request with a Response, for tests, which have no socket. */
async function handle(
  answer: (incoming: IncomingRequest, open: (url: string) => Request) => Answer | Promise<Answer>,
  request: Request,
  { peerAddress: peerIp = "127.0.0.1" }: Connection = {},
): Promise<Response> {
  const url = new URL(request.url);
  const headers: IncomingHttpHeaders = { host: url.host, ...Object.fromEntries(request.headers) };
  const target = request.url.slice(url.origin.length);
  const incoming = readIncomingRequest({
    method: request.method,
    target,
    headers,
    peerIp,
    ownHost: url.host,
  });
  const {
    status,
    headers: flat,
    body,
  } = incoming
    ? await answer(incoming, (at) => (at === request.url ? request : new Request(at, request)))
    : jsonError(400, "Bad request");
  const answered = new Headers();
  for (let at = 0; at < flat.length; at += 2) answered.append(flat[at] ?? "", flat[at + 1] ?? "");
  return new Response(request.method === "HEAD" ? null : asBodyInit(body), { status, headers: answered });
}

function asBodyInit(body: SentBody): BodyInit | null {
  if (body instanceof Readable) return webStreamOf(body);
  return typeof body === "string" ? Buffer.from(body, "latin1") : (body as BodyInit | null);
}
