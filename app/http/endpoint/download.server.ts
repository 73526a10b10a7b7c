import { Readable } from "node:stream";
import { privateNoStore } from "../cache-policy.server.ts";
import type { Context } from "../context.server.ts";
import { respondWithNode } from "../server/node-body.server.ts";
import { applyCachePolicy } from "./apply-cache-policy.server.ts";

type Download = { type: string; name: string; request: Request; context: Context };

/** A file with a member's own data, made piece by piece while it is sent. */
export function downloadResponse(
  pieces: AsyncGenerator<string>,
  { type, name, request, context }: Download,
): Response {
  const headers = new Headers({
    "Content-Type": type,
    "Content-Disposition": `attachment; filename="${name}"`,
  });
  applyCachePolicy(headers, privateNoStore, context);
  if (request.method === "HEAD") return new Response(null, { headers });
  return respondWithNode(context, Readable.from(bytesOf(pieces)), { headers });
}

async function* bytesOf(pieces: AsyncGenerator<string>) {
  for await (const piece of pieces) yield Buffer.from(piece);
}
