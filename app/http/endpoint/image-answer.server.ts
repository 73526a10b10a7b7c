import { minutes } from "#app/platform/units.ts";
import { type CachePolicy, privateFor } from "../cache-policy.server.ts";
import { answerStateContext, type Context } from "../context.server.ts";
import { applyCachePolicy } from "./apply-cache-policy.server.ts";

type Image = { bytes: Buffer; format: "webp" | "avif" | "jpeg" | "svg+xml"; tag: string; reach: string };

/**
 * Answers with a picture. The public cache does not store a picture from a private upstream, and other origins cannot
 * read a picture that only this client may fetch. The public cache stores a picture for `freshForMs`, even if browsers
 * may cache it longer.
 */
export function imageResponse(
  { bytes, format, tag, reach }: Image,
  policy: CachePolicy,
  context: Context,
  freshForMs: number,
): Response {
  const headers = new Headers({
    "Content-Type": `image/${format}`,
    "Content-Length": String(bytes.length),
    ETag: tag,
  });
  const isPublic = policy.isPublic && (reach === "public" || reach === "own");
  const shared = { ...policy, isPublic, cachedForMs: freshForMs };
  applyCachePolicy(headers, reach === "members" ? privateFor(minutes(10)) : shared, context);
  if (reach === "local") context.get(answerStateContext).isFromPrivateUpstream = true;
  return new Response(bytes as Uint8Array<ArrayBuffer>, { headers });
}
