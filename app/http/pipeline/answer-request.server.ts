import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import { type IncomingRequest, readIncomingRequest } from "../server/incoming-request.server.ts";
import { webStreamOf } from "../server/node-body.server.ts";
import type { Body } from "../server/stream-writing.server.ts";
import type { Answer } from "./answer.server.ts";

export type Connection = { peerAddress?: string };

type Answers = {
  answer(incoming: IncomingRequest, open: (url: string) => Request): Answer | Promise<Answer>;
  answerMalformed(target: string): Answer;
};

/** Answers a Request with a Response, for tests, which have no socket. */
export async function answerRequest(
  { answer, answerMalformed }: Answers,
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
    : answerMalformed(target);
  const answered = new Headers();
  for (let at = 0; at < flat.length; at += 2) answered.append(flat[at] ?? "", flat[at + 1] ?? "");
  return new Response(request.method === "HEAD" ? null : asBodyInit(body), { status, headers: answered });
}

function asBodyInit(body: Body): BodyInit | null {
  return body instanceof Readable ? webStreamOf(body) : (body as BodyInit | null);
}
