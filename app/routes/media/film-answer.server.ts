import type { Readable } from "node:stream";
import type { MediaFile } from "#app/domain/films/films.server.ts";
import { type CachePolicy, privateFor } from "#app/http/cache-policy.server.ts";
import type { Context } from "#app/http/context.server.ts";
import { applyCachePolicy } from "#app/http/endpoint/apply-cache-policy.server.ts";
import { errorResponse } from "#app/http/endpoint/error-response.server.ts";
import { respondWithNode } from "#app/http/server/node-body.server.ts";
import { pieceBytes } from "#app/http/server/stream-writing.server.ts";
import { parseByteRange } from "#app/platform/byte-range.ts";
import { hours, seconds } from "#app/platform/units.ts";

/**
 * No shared cache may store a film. Browsers may store it for an hour, because the operator may replace a film under
 * the same name. Then they revalidate by ETag.
 */
const filmPolicy = privateFor(hours(1));

type AnswerRequest = {
  request: Request;
  context: Context;
  policy?: CachePolicy;
  /** Whether the client may still get the file. Asked again while the file is sent. */
  isStillOpen?: () => Promise<boolean>;
};

/** How often `isStillOpen` is asked while a film is sent. Players outside the browser read a whole film with one request. */
const checkEveryMs = seconds(30);

function endWhenRefused(body: Readable, isStillOpen: () => Promise<boolean>): Readable {
  const timer = setInterval(async () => {
    if (!(await isStillOpen())) body.destroy();
  }, checkEveryMs).unref();
  body.once("close", () => clearInterval(timer));
  return body;
}

export function answerFilmFile(
  { size, type, tag, modified, read }: MediaFile,
  { request, context, policy = filmPolicy, isStillOpen }: AnswerRequest,
) {
  const headers = new Headers({
    "Content-Type": type,
    "Accept-Ranges": "bytes",
    ETag: tag,
    "Last-Modified": modified,
  });
  applyCachePolicy(headers, policy, context);
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
  if (request.method === "HEAD") return new Response(null, init);
  const body = read(range, pieceBytes());
  return respondWithNode(context, isStillOpen ? endWhenRefused(body, isStillOpen) : body, init);
}

type Playlist = { type: string; bytes: Buffer; tag: string };

export function answerPlaylist({ type, bytes, tag }: Playlist, { request, context }: AnswerRequest) {
  const headers = new Headers({
    "Content-Type": type,
    "Content-Length": String(bytes.length),
    ETag: tag,
  });
  applyCachePolicy(headers, filmPolicy, context);
  return request.method === "HEAD"
    ? new Response(null, { headers })
    : respondWithNode(context, bytes, { headers });
}
