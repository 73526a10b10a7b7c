import { minutes } from "#app/platform/units.ts";
import { type CachePolicy, privateFor } from "../cache-policy.server.ts";
import { answerStateContext, type Context } from "../context.server.ts";
import { applyCachePolicy } from "./apply-cache-policy.server.ts";

type Image = { bytes: Buffer; format: "webp" | "avif" | "jpeg" | "svg+xml"; tag: string; reach: string };

/**
 * Answers with a picture. A picture from a private upstream is not kept in the public cache, and one that only this client
 * may fetch is not readable by other origins either. The public cache keeps it for `freshForMs`, even if browsers may keep
 * it longer.
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
  const shared = { ...policy, isPublic, keptForMs: freshForMs };
  applyCachePolicy(headers, reach === "members" ? privateFor(minutes(10)) : shared, context);
  if (reach === "local") context.get(answerStateContext).isFromPrivateUpstream = true;
  return new Response(bytes as Uint8Array<ArrayBuffer>, { headers });
}
