import { minutes } from "../platform/duration.ts";
import { applyCachePolicy, type CachePolicy } from "./cache-policy.server.ts";
import { answerNotesContext, type Context } from "./context.server.ts";

type Image = { bytes: Buffer; format: "webp" | "avif" | "svg+xml"; tag: string; reach: string };

/**
 * Bytes of a picture. What a private upstream gave stays out of the public cache, and what only this client may
 * reach away from other origins too. Our own memory forgets it when `freshForMs` says so, though browsers may
 * keep it for ever.
 */
export function answerImage(
  { bytes, format, tag, reach }: Image,
  policy: CachePolicy,
  context: Context,
  freshForMs = minutes(10),
): Response {
  const headers = new Headers({
    "Content-Type": `image/${format}`,
    "Content-Length": String(bytes.length),
    ETag: tag,
  });
  const notes = context.get(answerNotesContext);
  applyCachePolicy(headers, policy, context);
  notes.isPublic = (reach === "public" || reach === "own") && !policy.control.startsWith("private");
  if (reach === "local") notes.isFromPrivateUpstream = true;
  notes.keptForMs = freshForMs;
  return new Response(bytes as Uint8Array<ArrayBuffer>, { headers });
}
