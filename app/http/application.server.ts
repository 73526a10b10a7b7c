import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import { RouterContextProvider } from "react-router";
import { errorFields, log } from "../platform/log.server.ts";
import { type Answer, pairs, plainError } from "./answer.server.ts";
import { type Arrival, receive } from "./arrival.server.ts";
import { routeTags } from "./content-encoding.server.ts";
import {
  type AnswerNotes,
  answerNotesContext,
  clientContext,
  type Inside,
  insideContext,
} from "./context.server.ts";
import { preflightHeaders } from "./cors.server.ts";
import { finishAnswer } from "./finished-answer.server.ts";
import { dropNodeBody, webStreamOf } from "./node-body.server.ts";
import { pageMethods } from "./page-methods.server.ts";
import type { PublicCache } from "./public-cache.server.ts";
import { type Build, routerFor } from "./router.server.ts";
import { settleOrigin } from "./same-origin.server.ts";
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
  cache?: PublicCache | undefined;
  /** In development errors are told in full. */
  mode?: "development";
};

export type Connection = { peerAddress?: string };

export type Application = {
  /** `open` makes the Request, for those that nothing answers before the router. */
  answer(arrival: Arrival, open: (url: string) => Request): Answer | Promise<Answer>;
  handle(request: Request, connection?: Connection): Promise<Response>;
  /** What public answers were made from has changed. */
  forgetPublicAnswers(): void;
};

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const allMethods = { Allow: [...methods].join(", ") };

export function createApplication({ build, files = new Map(), cache, mode }: Sources): Application {
  const router = routerFor(build, mode ?? "production");
  const allowedOf = typeof build === "function" ? () => undefined : pageMethods(build.routes);

  function answer(arrival: Arrival, open: (url: string) => Request) {
    if (!methods.has(arrival.method)) return plainError(405, "Method not allowed", allMethods);
    if (arrival.method === "OPTIONS") return preflight(arrival);
    const known = answerFile(files, arrival) ?? cache?.find(arrival);
    const allowed = known === undefined ? allowedOf(arrival.method, arrival.path) : undefined;
    if (allowed !== undefined) return plainError(405, "Method not allowed", { Allow: allowed });
    if (known === undefined) return answerFromRouter(arrival, open);
    return known instanceof Promise ? known.then(finish) : finish(known);

    function finish(found: Answer | Response) {
      return found instanceof Response ? finishAnswer(arrival, found, {}, "") : found;
    }
  }

  async function answerFromRouter(arrival: Arrival, open: (url: string) => Request): Promise<Answer> {
    let request: Request;
    try {
      request = open(`${arrival.origin}${arrival.path}${storableQuery(arrival)}`);
    } catch {
      return plainError(400, "Bad request");
    }
    settleOrigin({ request, ownOrigin: arrival.origin });
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
      return await finishAnswer(arrival, response, notes, nonce, (headers, bytes) =>
        cache?.keep(arrival, since, headers, bytes, notes),
      );
    } catch (error) {
      dropNodeBody(notes);
      if (!request.signal.aborted) log.error("no answer came out of the router", errorFields(error));
      return plainError(500, "Internal server error");
    }
  }

  /** The same client asking for another address of ours, with none of its own headers. */
  const insideOf =
    (arrival: Arrival): Inside =>
    async (method, pathAndQuery, headers) => {
      const { pathname: path, search: query } = new URL(pathAndQuery, arrival.origin);
      const within = { ...arrival, method, path, query, headers: { host: arrival.headers.host, ...headers } };
      return answer(within, (url) => new Request(url, { method, headers }));
    };

  return {
    answer,
    handle: (request, connection) => handle(answer, request, connection),
    forgetPublicAnswers: () => cache?.clear(),
  };
}

/**
 * The database takes no NUL in a text. An endpoint says so itself; a page reads a space, so that whoever followed a
 * broken link still sees a page. A space and not nothing, because taking something out can put a NUL together.
 */
const storableQuery = ({ path, query }: Arrival) =>
  path.startsWith("/api/") ? query : query.replaceAll("%00", "+");

function contextFor(arrival: Arrival, notes: AnswerNotes, nonce: string, inside: Inside) {
  const { address, requestId, origin, mayReachLoopback } = arrival;
  const context = new RouterContextProvider();
  context.set(clientContext, { address, requestId, origin, mayReachLoopback, nonce });
  context.set(answerNotesContext, notes);
  context.set(insideContext, inside);
  return context;
}

function preflight({ path, headers, origin }: Arrival): Answer {
  return {
    status: 204,
    headers: [
      ...pairs({ ...allMethods, ...preflightHeaders({ path, origin: headers.origin }) }),
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
  { peerAddress = "127.0.0.1" }: Connection = {},
): Promise<Response> {
  const url = new URL(request.url);
  const headers: IncomingHttpHeaders = { host: url.host, ...Object.fromEntries(request.headers) };
  const target = request.url.slice(url.origin.length);
  const arrival = receive({ method: request.method, target, headers, peerAddress, ownHost: url.host });
  const {
    status,
    headers: flat,
    body,
  } = arrival
    ? await answer(arrival, (at) => (at === request.url ? request : new Request(at, request)))
    : plainError(400, "Bad request");
  const answered = new Headers();
  for (let at = 0; at < flat.length; at += 2) answered.append(flat[at] ?? "", flat[at + 1] ?? "");
  const stream = body instanceof Readable ? webStreamOf(body) : body && (body as BodyInit);
  return new Response(request.method === "HEAD" ? null : stream, { status, headers: answered });
}
