import type { Readable } from "node:stream";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import {
  refusalOfFetch,
  refusalOfStatus,
  silentDatabaseRefusal,
} from "#app/domain/upstream-refusal.server.ts";
import { urlListType } from "#app/media/hls/url-list-kinds.ts";
import { detectKind, headBytes } from "#app/media/kinds/detect-kind.ts";
import { isPlaylistPath, playlistType } from "#app/platform/media-types.ts";
import { rewritingBudget } from "#app/platform/process/text-thread.server.ts";
import { mebibytes, seconds, sizeText } from "#app/platform/units.ts";
import {
  decodedBody,
  dropBody,
  headerOf,
  isEncoded,
  readUpstreamBody,
  refusalOfBodyError,
} from "#app/platform/upstream/read-body.server.ts";
import type { SafeResponse, UpstreamReach } from "#app/platform/upstream/safe-fetch.server.ts";
import { isSignedForChild, readReference } from "../access/expiring-signatures.server.ts";
import { videoProxyAccess } from "../access/proxy-access.server.ts";
import { getHeadersOf } from "../hosts/source-headers.server.ts";
import { getRegisteredHosts } from "../hosts/source-hosts.server.ts";
import { rewriteFor } from "../playlists/playlist-rewriter.server.ts";
import { type BodyHead, readHead } from "./body-head.server.ts";
import {
  countFirstByte,
  countStreamBytes,
  countUpstreamAnswer,
  takeStreamSlot,
} from "./open-streams.server.ts";
import { planAnswer, type RangePlan, singleRange } from "./ranges.ts";
import { bodyOfPlan, entityTag, lastModified, lengthOf } from "./upstream-body.server.ts";
import {
  fetchUpstream,
  type UpstreamRequest,
  type VideoRequest,
  type VideoRequester,
} from "./upstream-request.server.ts";

/** The video proxy: fetches a URL from an untrusted client or playlist and prepares a rewritten playlist or media. */

/** The kinds that the proxy refuses. `document` includes scripts and any other text that a browser runs. */
const kindRefusals = {
  document: refuse("upstream_failed", "The address leads to a document or a script, not to a video"),
  "DASH manifest": refuse(
    "upstream_failed",
    "This is a DASH manifest (.mpd). DASH is not supported; use an HLS playlist (.m3u8) or a video file",
  ),
};

export type PlaylistAnswer = {
  kind: "playlist";
  type: string;
  bytes: Buffer;
  tag: string;
  isLive: boolean;
  reach: UpstreamReach;
};
export type MediaAnswer = {
  kind: "media";
  type: string;
  plan: Exclude<RangePlan, { send: "nothing sensible" | "other version" }> | { send: "unchanged" };
  /** Null if no body is sent. A stream must be read or destroyed. */
  body: Readable | Buffer | null;
  tag: string | undefined;
  modified: string | undefined;
  reach: UpstreamReach;
};
export type VideoAnswer = PlaylistAnswer | MediaAnswer;

/** The URL led to a playlist, but was not fetched as one (with a range, or without compression). */
type FoundPlaylist = "is a playlist";
/** The range was of another version than the one that the client has. */
type FoundOtherVersion = "is another version";

const maxPlaylistBytes = mebibytes(5);
const maxPlaylistMs = seconds(30);

const unsignedRefusal = refuse(
  "invalid",
  "This address is not signed by this service (PROXY_SIGNING_SECRET)",
);
/** Worded like the refusal for a title that the child may not see. */
const notForChildRefusal = refuse("not_found", "No such film");
const badReferenceRefusal = refuse(
  "invalid",
  "This address has expired, or this service did not make it. Load the page of the episode again",
);
const tooManyStreamsRefusal = refuse("overloaded", "Too many streams at once; try again shortly");
const wrongRangeRefusal = refuse(
  "upstream_failed",
  "The server at this address did not send the requested part of the file",
);
const unknownEncodingRefusal = refuse(
  "upstream_failed",
  "The server at this address uses an unknown compression",
);
const playlistTooLargeRefusal = refuse(
  "upstream_failed",
  `This playlist is too large (over ${sizeText(maxPlaylistBytes)}, or it grows too much when its addresses are rewritten)`,
);

const noHosts: ReadonlySet<string> = new Set();

export async function openVideo(
  request: VideoRequest,
  requester: VideoRequester,
): Promise<Outcome<VideoAnswer>> {
  if (!videoProxyAccess.isSigned(request.url, request.definitions, request.signature)) return unsignedRefusal;
  const { child, url, definitions } = request;
  if (child && !isSignedForChild({ child: child.key, url, definitions }, child.signature))
    return notForChildRefusal;
  const sourceId = request.source === undefined ? undefined : readReference(request.source, request);
  if (sourceId === null) return badReferenceRefusal;
  const source = sourceId === undefined ? undefined : await getHeadersOf(sourceId);
  if (source === "unreadable") return silentDatabaseRefusal;
  const headersOf = source?.headersOf;
  if (headersOf === null) return badReferenceRefusal;
  const release = takeStreamSlot(requester.client);
  if (!release) return tooManyStreamsRefusal;
  let stream: Readable | undefined;
  try {
    const cleaned = {
      ...request,
      range: request.isHead ? undefined : singleRange(request.range),
      sourceId,
      headersOf,
      registeredHosts: videoProxyAccess.asksCatalog ? await getRegisteredHosts() : noHosts,
      chain: { isAtSource: false },
    };
    const first = await fetchVideo(cleaned, requester, isPlaylistPath(pathOfUrl(request.url)));
    const media =
      first === "is another version"
        ? await fetchVideo({ ...cleaned, range: undefined }, requester, false)
        : first;
    const outcome = media === "is a playlist" ? await fetchVideo(cleaned, requester, true) : media;
    if (outcome === "is a playlist" || outcome === "is another version") return wrongRangeRefusal;
    const body = outcome.ok && outcome.value.kind === "media" ? outcome.value.body : null;
    if (body && !Buffer.isBuffer(body)) stream = body;
    return outcome;
  } finally {
    if (stream) countStreamBytes(stream, release);
    else release();
  }
}

/** A playlist is fetched whole, because rewriting changes its byte ranges, and compressed, because it is text. */
async function fetchVideo(request: UpstreamRequest, requester: VideoRequester, asPlaylist: boolean) {
  const startedAt = performance.now();
  const outcome = await fetchUpstream(request, requester, asPlaylist);
  if (!outcome.ok)
    return outcome.reason === "not_allowed" && request.registeredHosts === null
      ? silentDatabaseRefusal
      : refusalOfFetch(outcome);
  const { response } = outcome;
  const { status } = response;
  countUpstreamAnswer(status);
  if (status === 304 && !asPlaylist && request.ifNoneMatch !== undefined) return answerUnchanged(response);
  const isOfRange = status === 206 || (status === 416 && request.range !== undefined && !asPlaylist);
  if (status !== 200 && !isOfRange) return dropAndRefuse(response.body, refusalOfStatus(status));
  if (status === 206 && isEncoded(response.headers)) return dropAndRefuse(response.body, wrongRangeRefusal);
  const isEmpty = request.isHead && !asPlaylist;
  const body = isEmpty || isOfRange ? response.body : decodedBody(response);
  if (!body) return dropAndRefuse(response.body, unknownEncodingRefusal);
  try {
    const opened: OpenedVideo = { request, requester, response, body };
    const isJudgedByBytes = beginsAtStart(response) || (request.isEncrypted && status === 206);
    const seen = isEmpty || !isJudgedByBytes ? undefined : await readHead(body, headBytes);
    if (seen) countFirstByte(startedAt);
    return await answerBody(opened, seen);
  } catch (error) {
    dropBody(body);
    return refusalOfFetch(refusalOfBodyError(error));
  }
}

type OpenedVideo = {
  request: UpstreamRequest;
  requester: VideoRequester;
  response: SafeResponse;
  body: Readable;
};

const pathOfUrl = (url: string) => url.replace(/[?#].*$/s, "");

const beginsAtStart = ({ status, headers }: SafeResponse) =>
  status === 200 || (status === 206 && /^\s*bytes\s+0-/i.test(headerOf(headers, "content-range") ?? ""));

async function answerBody(
  opened: OpenedVideo,
  seen: BodyHead | undefined,
): Promise<Outcome<VideoAnswer> | FoundPlaylist | FoundOtherVersion> {
  const { request, response, body } = opened;
  const { status, headers, finalUrl, reach } = response;
  const paths = [pathOfUrl(request.url), finalUrl.pathname];
  const kind =
    status === 416
      ? { type: "" }
      : detectKind({
          label: headerOf(headers, "content-type"),
          paths,
          head: beginsAtStart(response) ? seen?.head : undefined,
          isCut: status === 206 && seen?.isAll === true,
          encrypted: request.isEncrypted ? encryptedClue(response, seen) : undefined,
        });
  if (kind === "document" || kind === "DASH manifest") return dropAndRefuse(body, kindRefusals[kind]);
  if (kind === "playlist" || kind === "url list")
    return seen && status === 200
      ? openPlaylist(opened, seen, kind)
      : dropAndRefuse(body, "is a playlist" as const);
  const tag = entityTag(headers);
  const modified = lastModified(headers);
  const length = lengthOf(headers, seen);
  const contentRange = headerOf(headers, "content-range");
  const plan = planAnswer(request, { status, length, contentRange, tag, lastModified: modified });
  if (plan.send === "nothing sensible") return dropAndRefuse(body, wrongRangeRefusal);
  if (plan.send === "other version") return dropAndRefuse(body, "is another version" as const);
  return done({
    kind: "media",
    type: kind.type,
    plan,
    body: request.isHead ? dropAndRefuse(body, null) : bodyOfPlan(body, { plan, seen, length }),
    tag,
    modified,
    reach,
  });
}

const encryptedClue = ({ status }: SafeResponse, seen: BodyHead | undefined) => ({
  bytes: seen?.head ?? new Uint8Array(),
  isWhole: status === 200 && seen?.isAll === true,
});

async function openPlaylist(
  { request, requester, response, body }: OpenedVideo,
  { head, isAll }: BodyHead,
  kind: "playlist" | "url list",
): Promise<Outcome<PlaylistAnswer>> {
  const { headers, finalUrl, reach } = response;
  const announcedBytes = lengthOf(headers, undefined) ?? 0;
  if (announcedBytes > maxPlaylistBytes) return dropAndRefuse(body, playlistTooLargeRefusal);
  const { client } = requester;
  return rewritingBudget(client, async (admit) => {
    const read = isAll
      ? { ok: true as const, bytes: head }
      : await readUpstreamBody({ headers: {}, body }, maxPlaylistBytes, { admit, withinMs: maxPlaylistMs });
    if (!read.ok) return read.reason === "too_large" ? playlistTooLargeRefusal : refusalOfFetch(read);
    const { definitions, signal, chain, sourceId, child } = request;
    const job = {
      kind,
      bytes: read.bytes,
      base: finalUrl.href,
      definitions,
      // If a foreign server wrote or chose the playlist, it would choose what is fetched with the operator's
      // credentials.
      sourceId: chain.isAtSource ? sourceId : undefined,
      child: child?.key,
    };
    const outcome = await rewriteFor(client, job, signal);
    if (!outcome.ok) return outcome;
    if (outcome.value === null) return playlistTooLargeRefusal;
    const type = kind === "url list" ? urlListType : playlistType;
    return done({ kind: "playlist", type, reach, ...outcome.value });
  });
}

function answerUnchanged({ headers, body, reach }: SafeResponse): Outcome<MediaAnswer> {
  dropBody(body);
  return done({
    kind: "media",
    type: "",
    plan: { send: "unchanged" },
    body: null,
    tag: entityTag(headers),
    modified: lastModified(headers),
    reach,
  });
}

function dropAndRefuse<Answer>(body: Readable, answer: Answer): Answer {
  dropBody(body);
  return answer;
}
