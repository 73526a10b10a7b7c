import { Readable } from "node:stream";
import type { Application } from "#app/http/pipeline/application.server.ts";
import { readIncomingRequest } from "#app/http/server/incoming-request.server.ts";
import { webStreamOf } from "#app/http/server/node-body.server.ts";

/** Answers a Request with a Response, without a socket. */
export async function answerRequest(
  site: Application,
  request: Request,
  { peerAddress: peerIp = "127.0.0.1" }: { peerAddress?: string } = {},
): Promise<Response> {
  const url = new URL(request.url);
  const target = request.url.slice(url.origin.length);
  const incoming = readIncomingRequest({
    method: request.method,
    target,
    headers: { host: url.host, ...Object.fromEntries(request.headers) },
    peerIp,
    ownHost: url.host,
    arrivedAt: performance.now(),
    signal: () => request.signal,
  });
  // The server gives routes a request whose own signal never aborts.
  const open = (at: string) => new Request(new Request(at, request), { signal: null });
  const { status, headers, body } = incoming
    ? await (site.answerFromMemory(incoming) ?? site.answerFromRouter(incoming, open))
    : site.answerMalformed(target);
  const answered = new Headers();
  for (let at = 0; at < headers.length; at += 2) answered.append(headers[at] ?? "", headers[at + 1] ?? "");
  const content = body instanceof Readable ? webStreamOf(body) : (body as BodyInit | null);
  return new Response(request.method === "HEAD" ? null : content, { status, headers: answered });
}
