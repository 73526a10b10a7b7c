import type { DeliveryDirective } from "#app/media/hls/delivery-directives.ts";
import { dropBody } from "#app/platform/upstream/read-body.server.ts";
import { type FetchOptions, safeFetch } from "#app/platform/upstream/safe-fetch.server.ts";
import type { ChildKey } from "../access/expiring-signatures.server.ts";
import { videoProxyAccess } from "../access/proxy-access.server.ts";
import type { HeadersOf } from "../hosts/source-headers.server.ts";

/** A viewer's request to the video proxy, and the request that the upstream gets for it. */

export type VideoRequester = Required<Pick<FetchOptions, "client" | "mayReachLoopback" | "readOwn">> & {
  /** Path and query of a URL of this service itself; null for all other URLs. */
  ownPath(url: URL): string | null;
};

export type VideoRequest = {
  url: string;
  /** The parent playlist's variables, as `proxyUrl` wrote them. */
  definitions: readonly string[];
  signature: string | undefined;
  /** The reference to a source with headers. */
  source: string | undefined;
  /** Set for a child's session, with the signature in the address. */
  child?: { key: ChildKey; signature: string | undefined } | undefined;
  /** Query parameters that the player adds for the playlist's server. */
  directives: readonly DeliveryDirective[];
  /** Whether a playlist with a key names this URL. */
  isEncrypted: boolean;
  isHead: boolean;
  range: string | undefined;
  ifRange: string | undefined;
  ifNoneMatch: string | undefined;
  signal: AbortSignal;
};

/** `headersOf` is undefined unless the request has a valid reference to a source with headers. */
export type UpstreamRequest = VideoRequest & {
  sourceId: string | undefined;
  headersOf: HeadersOf | undefined;
  /** For PROXY_ALLOWED_HOSTS=catalog. Null if the database does not answer. */
  registeredHosts: ReadonlySet<string> | null;
  /** True while every hop of the latest fetch got the source's headers. */
  chain: { isAtSource: boolean };
};

export async function fetchUpstream(
  request: UpstreamRequest,
  requester: VideoRequester,
  asPlaylist: boolean,
) {
  const { range, ifRange, ifNoneMatch, headersOf, registeredHosts } = request;
  const options: FetchOptions = {
    client: requester.client,
    mayReachLoopback: requester.mayReachLoopback,
    readOwn: requester.readOwn,
    isAllowed: (url) =>
      requester.ownPath(url) !== null || videoProxyAccess.isAllowedHost(url, registeredHosts),
    signal: request.signal,
    ...(headersOf && {
      headersOf(url) {
        const headers = headersOf(url);
        request.chain.isAtSource = Object.keys(headers).length > 0;
        return headers;
      },
      keepsCookies: true,
    }),
    headers: asPlaylist
      ? { "accept-encoding": "gzip, br" }
      : {
          ...(range !== undefined && { range, ...(ifRange !== undefined && { "if-range": ifRange }) }),
          ...(ifNoneMatch !== undefined && { "if-none-match": ifNoneMatch }),
        },
  };
  const url = withDirectives(request.url, request.directives);
  if (!request.isHead || asPlaylist) return safeFetch(url, options);
  const outcome = await safeFetch(url, { ...options, method: "HEAD" });
  if (!outcome.ok || [200, 304, 404, 410].includes(outcome.response.status)) return outcome;
  // Some servers do not support HEAD, and URLs that are signed for GET refuse it. Repeat with GET; the caller drops
  // the body.
  dropBody(outcome.response.body);
  return safeFetch(url, options);
}

/**
 * Appends the directives as text. Parsing the query and writing it again would change its spelling and break the
 * signature of a signed URL.
 */
function withDirectives(url: string, directives: VideoRequest["directives"]): string {
  if (directives.length === 0) return url;
  const added = directives.map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
  const [withoutHash = ""] = url.split("#", 1);
  return `${withoutHash}${withoutHash.includes("?") ? "&" : "?"}${added}`;
}
