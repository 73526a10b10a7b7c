import { z } from "zod";
import { findMediaFile, type MediaFile } from "#app/domain/streaming/streaming.server.ts";
import { publicFor } from "#app/http/cache-policy.server.ts";
import type { Context } from "#app/http/context.server.ts";
import { applyCachePolicy } from "#app/http/endpoint/apply-cache-policy.server.ts";
import { errorResponse } from "#app/http/endpoint/error-response.server.ts";
import { operation, serve } from "#app/http/endpoint/operation.server.ts";
import { respondWithNode } from "#app/http/server/node-body.server.ts";
import { asOwnMedia } from "#app/http/sharing.ts";
import { parseByteRange } from "#app/platform/byte-range.ts";
import { hours } from "#app/platform/units.ts";

/** Only an hour, because the operator may replace a film under the same name. Browsers then revalidate by ETag. */
const filmPolicy = publicFor(hours(1));

const file = operation("GET", {
  tag: "Images and video",
  summary: "A file of the operator's media folder (MEDIA_DIR)",
  query: z.object({}),
  sharing: asOwnMedia,
  admission: "open",
  answer: { bytes: ["video/*", "audio/*", "text/vtt", "image/*", "application/octet-stream"] },
  ranges: true,
  tagged: true,
  headers: ["Last-Modified"],
  refuses: ["not_found", "overloaded"],
  async handle({ request, context }) {
    const path = new URL(request.url).pathname.replace(/^\/+media\/+/i, "");
    const found = await findMediaFile(path);
    return found.ok ? answerFile(found.value, request, context) : found;
  },
});

export const loader = serve(file);
export const action = loader;

function answerFile({ size, type, tag, modified, read }: MediaFile, request: Request, context: Context) {
  const headers = new Headers({
    "Content-Type": type,
    "Accept-Ranges": "bytes",
    ETag: tag,
    "Last-Modified": modified,
  });
  applyCachePolicy(headers, filmPolicy, context);
  const condition = request.headers.get("If-Range");
  const isUnchanged = condition === null || condition === tag || condition === modified;
  const range =
    isUnchanged && request.method === "GET"
      ? parseByteRange(request.headers.get("Range") ?? undefined, size)
      : null;
  if (range === "unsatisfiable")
    return errorResponse(416, "Range not satisfiable", { headers: { "Content-Range": `bytes */${size}` } });
  headers.set("Content-Length", String(range ? range.end - range.start + 1 : size));
  if (range) headers.set("Content-Range", `bytes ${range.start}-${range.end}/${size}`);
  const init = { status: range ? 206 : 200, headers };
  return request.method === "HEAD" ? new Response(null, init) : respondWithNode(context, read(range), init);
}
