import { applyCachePolicy, type CachePolicy } from "./cache-policy.server.ts";
import { answerNotesContext, type Context } from "./context.server.ts";

type Image = { bytes: Buffer; format: "webp" | "avif"; tag: string; reach: string };

/** Bytes of a picture; what only this client may reach is kept from every cache but its own. */
export function answerImage(
  { bytes, format, tag, reach }: Image,
  policy: CachePolicy,
  context: Context,
): Response {
  const isPrivate = reach === "private" || reach === "local";
  const headers = new Headers({
    "Content-Type": `image/${format}`,
    "Content-Length": String(bytes.length),
    ETag: tag,
    "Content-Disposition": "inline",
  });
  if (isPrivate) context.get(answerNotesContext).isFromPrivateUpstream = true;
  applyCachePolicy(headers, policy, context);
  return new Response(bytes as Uint8Array<ArrayBuffer>, { headers });
}
