import { z } from "zod";
import { limited } from "#app/access/limits.server.ts";
import { findChild } from "#app/access/viewer.server.ts";
import { noSuchFilmRefusal } from "#app/domain/films/films.server.ts";
import {
  childKeyOf,
  type MediaAnswer,
  openVideo,
  type PlaylistAnswer,
  readDirectives,
  titleOfSignature,
  type VideoAnswer,
} from "#app/domain/proxy/proxy.server.ts";
import { isTitleVisible } from "#app/domain/visibility/visibility.server.ts";
import {
  type CachePolicy,
  noStore,
  notCachedHere,
  privateFor,
  publicElsewhereFor,
  publicFor,
} from "#app/http/cache-policy.server.ts";
import { answerStateContext, type Context, signalIn } from "#app/http/context.server.ts";
import { applyCachePolicy } from "#app/http/endpoint/apply-cache-policy.server.ts";
import { errorResponse, fail, refusalResponse } from "#app/http/endpoint/error-response.server.ts";
import { operation, serve } from "#app/http/endpoint/operation.server.ts";
import { declaredRequired } from "#app/http/endpoint/wire-schema.ts";
import { markPrivateRefusal, proxyRequesterOf } from "#app/http/pipeline/own-addresses.server.ts";
import { respondWithNode } from "#app/http/server/node-body.server.ts";
import { asMedia } from "#app/http/sharing.ts";
import { parseByteRange } from "#app/platform/byte-range.ts";
import { playlistType, unknownType } from "#app/platform/media-types.ts";
import { hours } from "#app/platform/units.ts";
import { isOurOwnRequest } from "#app/platform/upstream/safe-fetch.server.ts";

export const middleware = [limited("video")];

const wholePlaylist = publicFor(hours(24));
/** A film is too large for the public cache. */
const media = publicElsewhereFor(hours(24));

const stream = operation("GET", {
  tag: "Images and video",
  summary: "An HLS playlist with its URLs rewritten to this proxy, or bytes of a film",
  description: "Supports Range and If-Range. HEAD fetches no body.",
  query: z.object({
    url: declaredRequired(z.string().optional().describe("The address of the playlist or film")),
    /** The signature of `url` and `define` (PROXY_SIGNING_SECRET), in the URLs of a rewritten playlist. */
    sig: z.string().optional(),
    define: z.string().optional(),
    /** Set in the URLs of segments for which a rewritten playlist names a key. */
    encrypted: z.string().optional(),
    /** Only ends the URL of a segment with an extension, for players that look at it. */
    ext: z.string().optional(),
    /** The signed reference to a source with headers, in URLs of the watch page and of rewritten playlists. */
    source: z.string().optional(),
    /** The signature for the session of a child, in URLs of its watch page and of rewritten playlists. */
    child: z.string().optional(),
  }),
  sharing: asMedia,
  admission: "upstream",
  answer: {
    bytes: [playlistType, "video/*", "audio/*", "text/vtt", unknownType, "application/json"],
  },
  ranges: true,
  tagged: true,
  headers: ["Last-Modified"],
  refuses: ["invalid", "not_found", "upstream_failed", "overloaded"],
  async handle({ query, request, context }) {
    if (query.url === undefined) throw fail("invalid", "Missing resource URL");
    if (isOurOwnRequest(request.headers.get("Via")))
      throw fail("invalid", "This URL leads back to this proxy");
    const { url, sig: signature, source } = query;
    const child = await requireShown(query.child, { request, context });
    const wanted = { url, signature, source, child, ...readRequest(request), signal: signalIn(context) };
    const outcome = await openVideo(wanted, proxyRequesterOf(context));
    return outcome.ok ? answerVideo(outcome.value, request, context) : markPrivateRefusal(outcome, context);
  },
});

/** A child gets only films that its pages show, and only while it may see the title. */
async function requireShown(signature: string | undefined, { request, context }: Received) {
  const child = await findChild(request, context);
  if (!child) return;
  const malId = titleOfSignature(signature ?? "");
  if (!(await isTitleVisible(malId, child.viewer))) throw refusalResponse(noSuchFilmRefusal);
  return { key: childKeyOf(child.user, malId), signature };
}

export const loader = serve(stream);
export const action = loader;

function readRequest({ url, method, headers }: Request) {
  const query = new URL(url).searchParams;
  return {
    definitions: query.getAll("define"),
    isEncrypted: query.has("encrypted"),
    directives: readDirectives(query),
    isHead: method === "HEAD",
    range: headers.get("Range") ?? undefined,
    ifRange: headers.get("If-Range") ?? undefined,
    ifNoneMatch: headers.get("If-None-Match") ?? undefined,
  };
}

function answerVideo(video: VideoAnswer, request: Request, context: Context): Response {
  if (video.reach === "local") context.get(answerStateContext).isFromPrivateUpstream = true;
  const policy = policyOf(video, new URL(request.url).searchParams);
  const caching = (headers: Headers) => applyCachePolicy(headers, policy, context);
  return video.kind === "playlist"
    ? answerPlaylist(video, caching, { request, context })
    : answerMedia(video, caching, context);
}

/**
 * The public cache serves every client, so it must not store content that only some clients may fetch. No shared cache
 * may store content that an upstream sent because of an operator's headers.
 */
function policyOf(video: VideoAnswer, query: URLSearchParams): CachePolicy {
  const isEmpty = video.kind === "media" && video.plan.send === "whole" && video.plan.size === 0;
  // An upstream may have the content of an empty film a moment later.
  if (isEmpty || (video.kind === "playlist" && video.isLive)) return noStore;
  // The references and signatures in such a playlist expire, so it must not be used again a day later.
  if (query.has("source") || query.has("child"))
    return video.kind === "playlist" ? noStore : privateFor(hours(24));
  // A film of this site, which no shared cache may keep.
  if (video.reach === "members") return privateFor(hours(1));
  const policy = video.kind === "playlist" ? wholePlaylist : media;
  return video.reach === "private" || video.reach === "local" ? notCachedHere(policy) : policy;
}

type ApplyCaching = (headers: Headers) => void;
type Received = { request: Request; context: Context };

function answerPlaylist(playlist: PlaylistAnswer, caching: ApplyCaching, { request, context }: Received) {
  const { type, bytes, tag } = playlist;
  const headers = new Headers({ "Content-Type": type, "Accept-Ranges": "bytes", ETag: tag });
  caching(headers);
  const condition = request.headers.get("If-Range");
  const range =
    request.method === "HEAD" || (condition !== null && condition !== tag)
      ? null
      : parseByteRange(request.headers.get("Range") ?? undefined, bytes.length);
  if (range === "unsatisfiable") return unsatisfiable(bytes.length);
  const body = range ? bytes.subarray(range.start, range.end + 1) : bytes;
  headers.set("Content-Length", String(body.length));
  if (range) headers.set("Content-Range", `bytes ${range.start}-${range.end}/${bytes.length}`);
  return respondWithNode(context, body, { status: range ? 206 : 200, headers });
}

function answerMedia(video: MediaAnswer, caching: ApplyCaching, context: Context) {
  const { type, plan, body, tag, modified } = video;
  if (plan.send === "unsatisfiable") return unsatisfiable(plan.size);
  const headers = new Headers({ "Accept-Ranges": "bytes" });
  caching(headers);
  if (tag) headers.set("ETag", tag);
  if (modified) headers.set("Last-Modified", modified);
  if (plan.send === "unchanged") return new Response(null, { status: 304, headers });
  headers.set("Content-Type", type);
  const length = plan.send === "part" ? plan.part.end - plan.part.start + 1 : plan.size;
  if (length !== undefined) headers.set("Content-Length", String(length));
  if (plan.send === "part")
    headers.set("Content-Range", `bytes ${plan.part.start}-${plan.part.end}/${plan.size ?? "*"}`);
  const init = { status: plan.send === "part" ? 206 : 200, headers };
  return body === null ? new Response(null, init) : respondWithNode(context, body, init);
}

const unsatisfiable = (size: number | undefined) =>
  errorResponse(416, "Range not satisfiable", {
    headers: { "Accept-Ranges": "bytes", ...(size !== undefined && { "Content-Range": `bytes */${size}` }) },
  });
