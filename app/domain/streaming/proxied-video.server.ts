import type { Readable } from "node:stream";
import { byteBudget } from "../../platform/byte-budget.ts";
import { mebibytes } from "../../platform/byte-size.ts";
import { seconds } from "../../platform/duration.ts";
import { dropBody, readBody } from "../../platform/read-body.server.ts";
import {
  type FetchOptions,
  type Reach,
  type SafeResponse,
  safeFetch,
} from "../../platform/safe-fetch.server.ts";
import { done, type Outcome, refuse } from "../errors.ts";
import { upstreamAnswered, upstreamRefusal } from "../upstream-refusal.server.ts";
import { addressListType, rewriteAddressList } from "./address-lists.ts";
import { type Head, readHead } from "./body-head.server.ts";
import { headBytes, isPlaylistPath, kindOf, playlistType } from "./media-kinds.ts";
import { countAnswer, countFirstByte, takePlace, watchStream } from "./open-streams.server.ts";
import { isLivePlaylist, readDefinitions, rewritePlaylist } from "./playlist.ts";
import { PlaylistGrew } from "./playlist-allowance.ts";
import { playlistTag, playlistText } from "./playlist-bytes.server.ts";
import { access } from "./proxy-access.server.ts";
import { type Plan, planAnswer, singleRange } from "./ranges.ts";
import { registeredHosts } from "./source-hosts.server.ts";
import {
  bodyRefusal,
  decodedBody,
  entityTag,
  header,
  isEncoded,
  lastModified,
  lengthOf,
  partOf,
} from "./upstream-body.server.ts";

/** What stands behind an address somebody else chose, ready to be sent: a rewritten playlist, or media. */

export type Viewer = Required<Pick<FetchOptions, "mayReachLoopback" | "readOwn">> & {
  /** Path and query of an address of the service itself; null for all others. */
  ownPath(url: URL): string | null;
  /** Whose streams are counted together. */
  client: string;
};

export type VideoRequest = {
  url: string;
  /** What a parent playlist defined, as `proxyAddress` wrote it. */
  definitions: readonly string[];
  signature: string | undefined;
  /** `_HLS_*` parameters, which players add for the server of the playlist (RFC 8216bis, 6.2.5). */
  directives: readonly (readonly [name: string, value: string])[];
  isHead: boolean;
  range: string | undefined;
  ifRange: string | undefined;
  ifNoneMatch: string | undefined;
  signal: AbortSignal;
};

export type Playlist = {
  kind: "playlist";
  type: string;
  bytes: Buffer;
  tag: string;
  isLive: boolean;
  reach: Reach;
};
export type Media = {
  kind: "media";
  type: string;
  plan: Exclude<Plan, { send: "nothing sensible" }> | { send: "unchanged" };
  /** Null: nothing is to be sent. A stream must be read or destroyed. */
  body: Readable | Buffer | null;
  tag: string | undefined;
  modified: string | undefined;
  reach: Reach;
};
export type Video = Playlist | Media;

/** Found out too late to have asked for it as one. */
type Surprise = "is a playlist";

const noHosts: ReadonlySet<string> = new Set();
const mostPlaylistBytes = mebibytes(5);
/** Upstreams may stop in the middle of a playlist; what they sent until then is held meanwhile. */
const beingRead = byteBudget(mebibytes(128));
const longestPlaylistMs = seconds(30);

const unsigned = refuse("invalid", "This address is not signed by this service (PROXY_SIGNING_SECRET)");
const tooManyStreams = refuse("overloaded", "Too many streams at once; try again shortly");
const notMedia = refuse("upstream_failed", "What this address holds is a document or script, not a film");
const wrongRange = refuse("upstream_failed", "The server at this address sent other bytes than asked for");
const unknownEncoding = refuse("upstream_failed", "The server at this address compresses in an unknown way");
const playlistTooLarge = refuse(
  "upstream_failed",
  "This playlist is too large (over 5 MB, or far more once its addresses are written)",
);

export async function openVideo(request: VideoRequest, viewer: Viewer): Promise<Outcome<Video>> {
  if (!access.isSigned(request.url, request.definitions, request.signature)) return unsigned;
  const release = takePlace(viewer.client);
  if (!release) return tooManyStreams;
  let stream: Readable | undefined;
  try {
    const asked = { ...request, range: request.isHead ? undefined : singleRange(request.range) };
    const first = await attempt(asked, viewer, isPlaylistPath(pathOf(request.url)));
    const outcome = first === "is a playlist" ? await attempt(asked, viewer, true) : first;
    if (outcome === "is a playlist") return wrongRange;
    const body = outcome.ok && outcome.value.kind === "media" ? outcome.value.body : null;
    if (body && !Buffer.isBuffer(body)) stream = body;
    return outcome;
  } finally {
    if (stream) watchStream(stream, release);
    else release();
  }
}

/** A playlist is fetched whole, since its rewritten form has other ranges, and compressed, since it is text. */
async function attempt(request: VideoRequest, viewer: Viewer, asPlaylist: boolean) {
  const startedAt = performance.now();
  const outcome = await ask(request, viewer, asPlaylist);
  if (!outcome.ok) return upstreamRefusal(outcome);
  const { response } = outcome;
  const { status } = response;
  countAnswer(status);
  if (status === 304 && !asPlaylist && request.ifNoneMatch !== undefined) return unchanged(response);
  const isOfRange = status === 206 || (status === 416 && request.range !== undefined && !asPlaylist);
  if (status !== 200 && !isOfRange) return dropped(response.body, upstreamAnswered(status));
  if (status === 206 && isEncoded(response.headers)) return dropped(response.body, wrongRange);
  const isEmpty = request.isHead && !asPlaylist;
  const body = isEmpty || isOfRange ? response.body : decodedBody(response);
  if (!body) return dropped(response.body, unknownEncoding);
  try {
    const opened: Opened = { request, response, body, asPlaylist };
    const seen = isEmpty || !beginsAtStart(response) ? undefined : await readHead(body, headBytes);
    if (seen) countFirstByte(startedAt);
    return await judge(opened, seen);
  } catch (error) {
    dropBody(body);
    return upstreamRefusal(bodyRefusal(error));
  }
}

type Opened = { request: VideoRequest; response: SafeResponse; body: Readable; asPlaylist: boolean };

const pathOf = (url: string) => url.replace(/[?#].*$/s, "");

const beginsAtStart = ({ status, headers }: SafeResponse) =>
  status === 200 || (status === 206 && /^\s*bytes\s+0-/i.test(header(headers, "content-range") ?? ""));

async function judge(opened: Opened, seen: Head | undefined): Promise<Outcome<Video> | Surprise> {
  const { request, response, body } = opened;
  const { status, headers, finalUrl, reach } = response;
  const paths = [pathOf(request.url), finalUrl.pathname];
  const kind =
    status === 416
      ? { type: "" }
      : kindOf({ label: header(headers, "content-type"), paths, head: seen?.head });
  if (kind === "refused") return dropped(body, notMedia);
  if (kind === "playlist" || kind === "addresses")
    return seen && status === 200
      ? openPlaylist(opened, seen, kind)
      : dropped(body, "is a playlist" as const);
  const tag = entityTag(headers);
  const modified = lastModified(headers);
  const length = lengthOf(headers, seen);
  const contentRange = header(headers, "content-range");
  const plan = planAnswer(request, { status, length, contentRange, tag, lastModified: modified });
  if (plan.send === "nothing sensible") return dropped(body, wrongRange);
  return done({
    kind: "media",
    type: kind.type,
    plan,
    body: request.isHead ? dropped(body, null) : partOf(body, { plan, seen, length }),
    tag,
    modified,
    reach,
  });
}

async function openPlaylist(
  { request, response, body }: Opened,
  { head, isAll }: Head,
  kind: "playlist" | "addresses",
): Promise<Outcome<Playlist>> {
  const { headers, finalUrl, reach } = response;
  const promised = lengthOf(headers, undefined) ?? 0;
  if (promised > mostPlaylistBytes) return dropped(body, playlistTooLarge);
  const read = isAll
    ? { ok: true as const, bytes: head }
    : await beingRead((admit) =>
        readBody({ headers: {}, body }, mostPlaylistBytes, { admit, withinMs: longestPlaylistMs }),
      );
  if (!read.ok) return read.reason === "too_large" ? playlistTooLarge : upstreamRefusal(read);
  const original = playlistText(read.bytes);
  const isList = kind === "addresses";
  const variables = readDefinitions(request.definitions);
  const rewritten = withinReason(() =>
    isList
      ? rewriteAddressList(original, finalUrl.href, access.sign)
      : rewritePlaylist(original, finalUrl.href, variables, access.sign),
  );
  if (rewritten === null) return playlistTooLarge;
  return done({
    kind: "playlist",
    type: isList ? addressListType : playlistType,
    bytes: Buffer.from(rewritten),
    tag: playlistTag(read.bytes, finalUrl.href, request.definitions),
    // Such a list is made for one viewer and one moment.
    isLive: isList || isLivePlaylist(original),
    reach,
  });
}

function withinReason(rewrite: () => string): string | null {
  try {
    return rewrite();
  } catch (error) {
    if (error instanceof PlaylistGrew) return null;
    throw error;
  }
}

function unchanged({ headers, body, reach }: SafeResponse): Outcome<Media> {
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

function dropped<Answer>(body: Readable, answer: Answer): Answer {
  dropBody(body);
  return answer;
}

async function ask(request: VideoRequest, viewer: Viewer, asPlaylist: boolean) {
  const { range, ifRange, ifNoneMatch } = request;
  const hosts = access.asksCatalog ? await registeredHosts() : noHosts;
  const options: FetchOptions = {
    mayReachLoopback: viewer.mayReachLoopback,
    readOwn: viewer.readOwn,
    isAllowed: (url) => viewer.ownPath(url) !== null || access.isAllowedHost(url.host, hosts),
    signal: request.signal,
    headers: asPlaylist
      ? { "accept-encoding": "gzip, br, deflate" }
      : {
          ...(range !== undefined && { range, ...(ifRange !== undefined && { "if-range": ifRange }) }),
          ...(ifNoneMatch !== undefined && { "if-none-match": ifNoneMatch }),
        },
  };
  const url = withDirectives(request.url, request.directives);
  if (!request.isHead || asPlaylist) return safeFetch(url, options);
  const outcome = await safeFetch(url, { ...options, method: "HEAD" });
  if (!outcome.ok || [200, 304, 404, 410].includes(outcome.response.status)) return outcome;
  // Some servers know no HEAD, and addresses signed for GET alone refuse it: the body is not read then.
  dropBody(outcome.response.body);
  return safeFetch(url, options);
}

/** Added as text: reading and writing a whole query would respell what somebody may have signed. */
function withDirectives(url: string, directives: VideoRequest["directives"]): string {
  if (directives.length === 0) return url;
  const added = directives.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
  const [address = ""] = url.split("#", 1);
  return `${address}${address.includes("?") ? "&" : "?"}${added}`;
}
