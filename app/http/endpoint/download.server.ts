import { Readable } from "node:stream";
import { type CachePolicy, noStore, privateNoStore } from "../cache-policy.server.ts";
import type { Context } from "../context.server.ts";
import { respondWithNode } from "../server/node-body.server.ts";
import { applyCachePolicy } from "./apply-cache-policy.server.ts";

type Asked = { request: Request; context: Context };
type Download = Asked & { type: string; name: string };

/** A file with a member's own data, made piece by piece while it is sent. */
export function downloadResponse(
  pieces: AsyncGenerator<string>,
  { type, name, request, context }: Download,
): Response {
  const headers = new Headers({
    "Content-Type": type,
    "Content-Disposition": `attachment; filename="${name}"`,
  });
  return piecesResponse(pieces, headers, { request, context, cache: privateNoStore });
}

/** NDJSON, made line by line while it is sent. */
export const linesResponse = (lines: AsyncGenerator<string>, asked: Asked): Response =>
  piecesResponse(lines, new Headers({ "Content-Type": "application/x-ndjson" }), {
    ...asked,
    cache: noStore,
  });

function piecesResponse(
  pieces: AsyncGenerator<string>,
  headers: Headers,
  { request, context, cache }: Asked & { cache: CachePolicy },
): Response {
  applyCachePolicy(headers, cache, context);
  if (request.method === "HEAD") return new Response(null, { headers });
  return respondWithNode(context, Readable.from(bytesOf(pieces)), { headers });
}

async function* bytesOf(pieces: AsyncGenerator<string>) {
  for await (const piece of pieces) yield Buffer.from(piece);
}
