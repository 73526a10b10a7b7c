import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import { type IncomingRequest, readIncomingRequest } from "../server/incoming-request.server.ts";
import { webStreamOf } from "../server/node-body.server.ts";
import type { SentBody } from "../server/stream-writing.server.ts";
import { type Answer, jsonError } from "./answer.server.ts";

export type Connection = { peerAddress?: string };

/** Answers a Request with a Response, for tests, which have no socket. */
export async function answerRequest(
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
    arrivedAt: performance.now(),
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
