import { done, type Outcome } from "#app/domain/errors.ts";
import { notAnImageRefusal, refusalOfFetch, refusalOfStatus } from "#app/domain/upstream-refusal.server.ts";
import { type AdmitBytes, createByteBudget } from "#app/platform/limits/byte-budget.ts";
import { counter, gauge } from "#app/platform/metrics.server.ts";
import { memoryPlan, shareOfMemory } from "#app/platform/process/memory.server.ts";
import { hours, mebibytes, seconds } from "#app/platform/units.ts";
import { dropBody, readUpstreamBody } from "#app/platform/upstream/read-body.server.ts";
import {
  type FetchOptions,
  safeFetch,
  type UpstreamReach,
} from "#app/platform/upstream/safe-fetch.server.ts";
import { hostRefusal } from "./image-proxy-access.server.ts";
import { markAvailable, markUnavailable } from "./picture-failures.server.ts";

/** The client that a picture is fetched for: what it may reach, and which URLs belong to this service. */
export type PictureRequester = Required<Pick<FetchOptions, "client" | "mayReachLoopback" | "readOwn">> & {
  /** The origin at which the client reaches this service. */
  origin: string;
  /** The path and query of a URL of this service, however it is spelled; null for all other URLs. */
  ownPath(url: URL): string | null;
};

export type SourcePicture = { bytes: Buffer; reach: UpstreamReach; freshForMs: number };

const maxFreshMs = hours(24);

/** The bytes of undecoded pictures for all requests together, including those that wait for conversion. */
const share = shareOfMemory(memoryPlan.sourcePictures);
export const pictureBudget = createByteBudget(share);
/** A picture larger than one client's share could never be read, so the limit is the smaller of the two. */
const maxPictureBytes = Math.min(mebibytes(30), share.perClient);

gauge("images_source_bytes", "Bytes of pictures that are being fetched or wait for conversion", () =>
  pictureBudget.held(),
);
const failures = counter("images_upstream_failures_total", "Pictures that could not be fetched", ["reason"]);

type Receiving = { admit: AdmitBytes } & Pick<FetchOptions, "signal" | "isAllowed">;

/** Reasons that lie with this server or with the client, so the next request for the picture may succeed. */
const ownReasons: readonly string[] = [
  "aborted",
  "busy",
  "not_allowed",
  "loop",
  "refused_address",
  "bad_url",
];
const tooManyRequestsStatus = 429;

export async function fetchPicture(
  url: URL,
  requester: PictureRequester,
  { admit, signal, isAllowed }: Receiving,
): Promise<Outcome<SourcePicture>> {
  const { client, mayReachLoopback, readOwn } = requester;
  const outcome = await safeFetch(url, {
    client,
    mayReachLoopback,
    readOwn,
    totalMs: seconds(20),
    ...(signal && { signal }),
    ...(isAllowed && { isAllowed }),
    headers: { accept: "image/avif,image/webp,image/*;q=0.9,*/*;q=0.5" },
  });
  if (!outcome.ok) {
    failures.inc({ reason: outcome.reason });
    if (!ownReasons.includes(outcome.reason)) markUnavailable(url);
    return outcome.reason === "not_allowed" ? hostRefusal : refusalOfFetch(outcome);
  }
  const { status, headers, body, reach } = outcome.response;
  if (status !== 200) {
    failures.inc({ reason: "status" });
    if (status !== tooManyRequestsStatus) markUnavailable(url);
    dropBody(body);
    return refusalOfStatus(status);
  }
  const read = await readUpstreamBody({ headers, body }, maxPictureBytes, { admit });
  if (!read.ok) {
    failures.inc({ reason: read.reason });
    if (!ownReasons.includes(read.reason)) markUnavailable(url);
    return refusalOfFetch(read);
  }
  if (read.bytes.length === 0) {
    markUnavailable(url);
    return notAnImageRefusal;
  }
  markAvailable(url);
  return done({ bytes: read.bytes, reach, freshForMs: reach === "own" ? freshMsOf(headers) : maxFreshMs });
}

/** This service's own responses state their freshness in max-age. */
function freshMsOf(headers: Record<string, string | string[] | undefined>) {
  const match = /max-age=(\d+)/i.exec(String(headers["cache-control"] ?? ""));
  return Math.min(maxFreshMs, seconds(Number(match?.[1] ?? 0)));
}
