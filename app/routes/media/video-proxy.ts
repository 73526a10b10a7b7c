import { z } from "zod";
import {
  type Media,
  openVideo,
  type Playlist,
  playlistType,
  type Video,
} from "#app/domain/streaming/streaming.server.ts";
import { applyCachePolicy, type CachePolicy, noStore, publicFor } from "#app/http/cache-policy.server.ts";
import { answerNotesContext, type Context, clientContext } from "#app/http/context.server.ts";
import { errorResponse, fail } from "#app/http/error-response.server.ts";
import { respondWithNode } from "#app/http/node-body.server.ts";
import { operation, serve } from "#app/http/operation.server.ts";
import { askerOf, keptFromOthers } from "#app/http/own-addresses.server.ts";
import { addressBlock, limited } from "#app/http/rate-limit.server.ts";
import { parseByteRange } from "#app/platform/byte-range.ts";
import { hours } from "#app/platform/duration.ts";
import { isOurOwnRequest } from "#app/platform/safe-fetch.server.ts";

export const middleware = [limited("video")];

const wholePlaylist = publicFor(hours(24));
/** Too large for a cache of ours, so only others are told to keep it. */
const media: CachePolicy = { control: "public, max-age=86400" };

const stream = operation("GET", {
  tag: "Images and video",
  summary: "An HLS playlist, with its addresses led through this proxy, or a piece of film",
  description: "Takes Range and If-Range; HEAD is answered without fetching a body.",
  query: z.object({
    url: z.string().optional(),
    /** Written by us into the addresses of a playlist; see `define` and PROXY_SIGNING_SECRET. */
    sig: z.string().optional(),
    define: z.string().optional(),
  }),
  answer: {
    bytes: [playlistType, "video/*", "audio/*", "text/vtt", "application/octet-stream", "application/json"],
  },
  refuses: ["invalid", "not_found", "upstream_failed", "overloaded"],
  async handle({ query, request, context }) {
    if (query.url === undefined) throw fail("invalid", "Missing resource URL");
    if (isOurOwnRequest(request.headers.get("Via")))
      throw fail("invalid", "This address leads back to itself");
    const asked = { url: query.url, signature: query.sig, ...readRequest(request) };
    const client = addressBlock(context.get(clientContext).address);
    const outcome = await openVideo(asked, { client, ...askerOf(context) });
    return outcome.ok ? answerVideo(outcome.value, request, context) : keptFromOthers(outcome, context);
  },
});

export const loader = serve(stream);
export const action = loader;

function readRequest({ url, method, headers, signal }: Request) {
  const query = new URL(url).searchParams;
  return {
    definitions: query.getAll("define"),
    directives: [...query].filter(([name]) => name.startsWith("_HLS_")),
    isHead: method === "HEAD",
    range: headers.get("Range") ?? undefined,
    ifRange: headers.get("If-Range") ?? undefined,
    ifNoneMatch: headers.get("If-None-Match") ?? undefined,
    signal,
  };
}

function answerVideo(video: Video, request: Request, context: Context): Response {
  const response =
    video.kind === "playlist" ? answerPlaylist(video, request, context) : answerMedia(video, context);
  const notes = context.get(answerNotesContext);
  // What a private upstream gave is for those who may reach it.
  if (video.reach === "private" || video.reach === "local") notes.isPublic = false;
  if (video.reach === "local") notes.isFromPrivateUpstream = true;
  return response;
}

function answerPlaylist({ type, bytes, tag, isLive }: Playlist, request: Request, context: Context) {
  const headers = new Headers({ "Content-Type": type, "Accept-Ranges": "bytes", ETag: tag });
  applyCachePolicy(headers, isLive ? noStore : wholePlaylist, context);
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

function answerMedia({ type, plan, body, tag, modified }: Media, context: Context) {
  if (plan.send === "unsatisfiable") return unsatisfiable(plan.size);
  const headers = new Headers({ "Accept-Ranges": "bytes" });
  // Where there should be a film and is nothing, there may be one a moment later.
  const isEmpty = plan.send === "whole" && plan.size === 0;
  applyCachePolicy(headers, isEmpty ? noStore : media, context);
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
