import { done, type Outcome } from "#app/domain/errors.ts";
import { notAnImageRefusal, refusalOfFetch, refusalOfStatus } from "#app/domain/upstream-refusal.server.ts";
import { type AdmitBytes, createByteBudget } from "#app/platform/limits/byte-budget.ts";
import { counter, gauge } from "#app/platform/metrics.server.ts";
import { hours, mebibytes, seconds } from "#app/platform/units.ts";
import { dropBody, readUpstreamBody } from "#app/platform/upstream/read-body.server.ts";
import {
  type FetchOptions,
  safeFetch,
  type UpstreamReach,
} from "#app/platform/upstream/safe-fetch.server.ts";

/** Pictures as they come, before anything has been done with them. */

/** Who asks for a picture: what this request may reach, and which addresses are the service's own. */
export type PictureRequester = Required<Pick<FetchOptions, "mayReachLoopback" | "readOwn">> & {
  /** The origin the client knows the service by. */
  origin: string;
  /** The path and query of an address of the service itself, however it is spelled; null for all others. */
  ownPath(url: URL): string | null;
};

export type SourcePicture = { bytes: Buffer; reach: UpstreamReach; freshForMs: number };

const maxPictureBytes = mebibytes(30);
const maxFreshMs = hours(24);

/** Undecoded pictures of all requests together, waiting for their transform included. */
export const pictureBudget = createByteBudget(mebibytes(256));

gauge("images_source_bytes", "Bytes of pictures being fetched or waiting for their transform", () =>
  pictureBudget.held(),
);
const failures = counter("images_upstream_failures_total", "Pictures that could not be fetched", ["reason"]);

export async function fetchPicture(
  url: URL,
  asker: PictureRequester,
  admit: AdmitBytes,
): Promise<Outcome<SourcePicture>> {
  const { mayReachLoopback, readOwn } = asker;
  const outcome = await safeFetch(url, {
    mayReachLoopback,
    readOwn,
    totalMs: seconds(20),
    headers: { accept: "image/avif,image/webp,image/*;q=0.9,*/*;q=0.5" },
  });
  if (!outcome.ok) {
    failures.inc({ reason: outcome.reason });
    return refusalOfFetch(outcome);
  }
  const { status, headers, body, reach } = outcome.response;
  if (status !== 200) {
    failures.inc({ reason: "status" });
    dropBody(body);
    return refusalOfStatus(status);
  }
  const read = await readUpstreamBody({ headers, body }, maxPictureBytes, { admit });
  if (!read.ok) {
    failures.inc({ reason: read.reason });
    return refusalOfFetch(read);
  }
  if (read.bytes.length === 0) return notAnImageRefusal;
  return done({ bytes: read.bytes, reach, freshForMs: reach === "own" ? freshMsOf(headers) : maxFreshMs });
}

/** Our own answers say how long they are good for. */
function freshMsOf(headers: Record<string, string | string[] | undefined>) {
  const found = /max-age=(\d+)/.exec(String(headers["cache-control"] ?? ""));
  return Math.min(maxFreshMs, seconds(Number(found?.[1] ?? 0)));
}
