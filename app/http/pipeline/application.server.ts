import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import { RouterContextProvider } from "react-router";
import { errorFields, log } from "#app/platform/log.server.ts";
import { withSettledOrigin } from "../access/same-origin.server.ts";
import {
  type AnswerNotes,
  type AskInside,
  answerNotesContext,
  clientContext,
  insideContext,
} from "../context.server.ts";
import { type IncomingRequest, readIncomingRequest } from "../server/incoming-request.server.ts";
import { dropNodeBody, webStreamOf } from "../server/node-body.server.ts";
import type { Sharing } from "../sharing.ts";
import { type Answer, flatHeadersOf, jsonError } from "./answer.server.ts";
import { routeTags } from "./content-encoding.server.ts";
import { preflightHeaders } from "./cors.server.ts";
import { type Build, routerFor } from "./endpoint-router.server.ts";
import { finishAnswer } from "./finish-response.server.ts";
import { allowedInstead } from "./page-methods.server.ts";
import type { PublicCache, Refused } from "./public-cache.server.ts";
import {
  createRouteTable,
  type RouteTable,
  type SharedFolders,
  sharingOfFolder,
} from "./route-table.server.ts";
import { plainSecurityHeaders } from "./security-headers.server.ts";
import { answerFile, type StaticFiles } from "./static-files.server.ts";

/**
 * The whole site as one function from a request to an answer, without a port. The process puts node:http in
 * front of it, tests call `handle`.
 */

type Sources = {
  build: Build;
  /** None in development, where Vite serves them. */
  files?: StaticFiles;
  /** Folders of static files that other origins may use, also for what is missing in them. */
  sharedFolders?: SharedFolders;
  cache?: PublicCache | undefined;
  /** In development errors are told in full. */
  mode?: "development";
};

type Connection = { peerAddress?: string };

export type Application = {
  /** `open` makes the Request, for those that nothing answers before the router. */
  answer(arrival: IncomingRequest, open: (url: string) => Request): Answer | Promise<Answer>;
  handle(request: Request, connection?: Connection): Promise<Response>;
  /** What public answers were made from has changed. */
  forgetPublicAnswers(): void;
};

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const allMethods = { Allow: [...methods].join(", ") };

export function createApplication(sources: Sources): Application {
  const { build, files = new Map(), sharedFolders = {}, cache, mode } = sources;
  const router = routerFor(build, mode ?? "production");
  const routeTable = routeTableOf(build);
  const folderSharing = (path: string) => sharingOfFolder(sharedFolders, path);

  function answer(arrival: IncomingRequest, open: (url: string) => Request) {
    if (!methods.has(arrival.method)) return jsonError(405, "Method not allowed", allMethods);
    if (arrival.method === "OPTIONS") return answerPreflight(arrival);
    const known = answerFile(files, arrival, folderSharing) ?? cache?.find(arrival);
    if (known === undefined) return answerFromRouter(arrival, open);
    return known instanceof Promise ? known.then(finish) : finish(known);

    function finish(found: Answer | Refused) {
      return "refusal" in found ? finishAnswer({ arrival, response: found.refusal, ...found }) : found;
    }
  }

  async function answerPreflight(arrival: IncomingRequest) {
    const { path } = arrival;
    return preflight(arrival, folderSharing(path) ?? (await routeTable()).sharingOfPath(path));
  }

  async function answerFromRouter(arrival: IncomingRequest, open: (url: string) => Request): Promise<Answer> {
    const routes = await routeTable();
    const allowed = allowedInstead(routes, arrival.method, arrival.path);
    if (allowed !== undefined) return jsonError(405, "Method not allowed", { Allow: allowed });
    let request: Request;
    try {
      request = open(`${arrival.origin}${arrival.path}${storableQuery(arrival)}`);
    } catch {
      return jsonError(400, "Bad request");
    }
    withSettledOrigin({ request, ownOrigin: arrival.origin });
    const held = request.headers.get("If-None-Match");
    if (held) request.headers.set("If-None-Match", routeTags(held));
    const notes: AnswerNotes = {};
    // From a pool of random bytes: one call of the kernel for many requests.
    const nonce = randomUUID();
    const since = cache?.generation() ?? 0;
    try {
      const response = await router(arrival.path)(
        request,
        contextFor(arrival, notes, nonce, insideOf(arrival)),
      );
      const sharing = folderSharing(arrival.path) ?? routes.sharingOfPattern(notes.pattern);
      const keep = (headers: Headers, bytes: Buffer) =>
        cache?.keep({ arrival, since, headers, bytes, notes, sharing });
      return await finishAnswer({ arrival, response, notes, nonce, sharing, keep });
    } catch (error) {
      dropNodeBody(notes);
      if (!request.signal.aborted) log.error("no answer came out of the router", errorFields(error));
      return jsonError(500, "Internal server error");
    }
  }

  /** The same client asking for another address of ours, with none of its own headers. */
  const insideOf =
    (arrival: IncomingRequest): AskInside =>
    async (method, pathAndQuery, headers) => {
      const { pathname: path, search: query } = new URL(pathAndQuery, arrival.origin);
      const sharing = folderSharing(path) ?? (await routeTable()).sharingOfPath(path);
      if (!sharing.isReadByProxies) return null;
      const within = { ...arrival, method, path, query, headers: { host: arrival.headers.host, ...headers } };
      return answer(within, (url) => new Request(url, { method, headers }));
    };

  return {
    answer,
    handle: (request, connection) => handle(answer, request, connection),
    forgetPublicAnswers: () => cache?.clear(),
  };
}

/** In development every change makes a new build. */
function routeTableOf(build: Build): () => RouteTable | Promise<RouteTable> {
  if (typeof build === "function") return async () => createRouteTable((await build()).routes);
  const table = createRouteTable(build.routes);
  return () => table;
}

/**
 * The database takes no NUL in a text. An endpoint says so itself; a page reads a space, so that whoever followed a
 * broken link still sees a page. A space and not nothing, because taking something out can put a NUL together.
 */
const storableQuery = ({ path, query }: IncomingRequest) =>
  path.startsWith("/api/") ? query : query.replaceAll("%00", "+");

function contextFor(arrival: IncomingRequest, notes: AnswerNotes, nonce: string, inside: AskInside) {
  const { address: ip, requestId, origin, mayReachLoopback } = arrival;
  const context = new RouterContextProvider();
  context.set(clientContext, { ip, requestId, origin, mayReachLoopback, nonce });
  context.set(answerNotesContext, notes);
  context.set(insideContext, inside);
  return context;
}

function preflight({ headers, origin }: IncomingRequest, sharing: Sharing): Answer {
  return {
    status: 204,
    headers: [
      ...flatHeadersOf({ ...allMethods, ...preflightHeaders({ origin: headers.origin, sharing }) }),
      ...plainSecurityHeaders(origin).flat(),
    ],
    body: null,
    source: "server",
  };
}

/** A Request in, a Response out, for callers that hold no socket. */
async function handle(
  answer: Application["answer"],
  request: Request,
  { peerAddress: peerIp = "127.0.0.1" }: Connection = {},
): Promise<Response> {
  const url = new URL(request.url);
  const headers: IncomingHttpHeaders = { host: url.host, ...Object.fromEntries(request.headers) };
  const target = request.url.slice(url.origin.length);
  const arrival = readIncomingRequest({ method: request.method, target, headers, peerIp, ownHost: url.host });
  const {
    status,
    headers: flat,
    body,
  } = arrival
    ? await answer(arrival, (at) => (at === request.url ? request : new Request(at, request)))
    : jsonError(400, "Bad request");
  const answered = new Headers();
  for (let at = 0; at < flat.length; at += 2) answered.append(flat[at] ?? "", flat[at + 1] ?? "");
  const stream = body instanceof Readable ? webStreamOf(body) : body && (body as BodyInit);
  return new Response(request.method === "HEAD" ? null : stream, { status, headers: answered });
}
