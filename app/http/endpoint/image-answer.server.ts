import { minutes } from "#app/platform/units.ts";
import type { CachePolicy } from "../cache-policy.server.ts";
import { answerNotesContext, type Context } from "../context.server.ts";
import { applyCachePolicy } from "./apply-cache-policy.server.ts";

type Image = { bytes: Buffer; format: "webp" | "avif" | "svg+xml"; tag: string; reach: string };

/**
 * Bytes of a picture. What a private upstream gave stays out of the public cache, and what only this client may
 * reach away from other origins too. Our own memory forgets it when `freshForMs` says so, though browsers may
 * keep it for ever.
 */
export function imageResponse(
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
  const isPublic = policy.isPublic && (reach === "public" || reach === "own");
  applyCachePolicy(headers, { ...policy, isPublic, keptForMs: freshForMs }, context);
  if (reach === "local") context.get(answerNotesContext).isFromPrivateUpstream = true;
  return new Response(bytes as Uint8Array<ArrayBuffer>, { headers });
}
