import { type Admit, byteBudget } from "../../platform/byte-budget.ts";
import { mebibytes } from "../../platform/byte-size.ts";
import { hours, seconds } from "../../platform/duration.ts";
import { counter, gauge } from "../../platform/metrics.server.ts";
import { dropBody, readBody } from "../../platform/read-body.server.ts";
import { type FetchOptions, type Reach, safeFetch } from "../../platform/safe-fetch.server.ts";
import { done, type Outcome } from "../errors.ts";
import { notAnImage, upstreamAnswered, upstreamRefusal } from "../upstream-refusal.server.ts";

/** Pictures as they come, before anything has been done with them. */

/** Who asks for a picture: what this request may reach, and which addresses are the service's own. */
export type Asker = Required<Pick<FetchOptions, "mayReachLoopback" | "readOwn">> & {
  /** The origin the client knows the service by. */
  origin: string;
  /** The path and query of an address of the service itself, however it is spelled; null for all others. */
  ownPath(url: URL): string | null;
};

export type Source = { bytes: Buffer; reach: Reach; freshForMs: number };

const mostBytes = mebibytes(30);
const longestFresh = hours(24);

/** Undecoded pictures of all requests together, waiting for their transform included. */
export const holdingPictures = byteBudget(mebibytes(256));

gauge("images_source_bytes", "Bytes of pictures being fetched or waiting for their transform", () =>
  holdingPictures.held(),
);
const failures = counter("images_upstream_failures_total", "Pictures that could not be fetched", ["reason"]);

export async function fetchPicture(url: URL, asker: Asker, admit: Admit): Promise<Outcome<Source>> {
  const { mayReachLoopback, readOwn } = asker;
  const outcome = await safeFetch(url, {
    mayReachLoopback,
    readOwn,
    totalMs: seconds(20),
    headers: { accept: "image/avif,image/webp,image/*;q=0.9,*/*;q=0.5" },
  });
  if (!outcome.ok) {
    failures.inc({ reason: outcome.reason });
    return upstreamRefusal(outcome);
  }
  const { status, headers, body, reach } = outcome.response;
  if (status !== 200) {
    failures.inc({ reason: "status" });
    dropBody(body);
    return upstreamAnswered(status);
  }
  const read = await readBody({ headers, body }, mostBytes, { admit });
  if (!read.ok) {
    failures.inc({ reason: read.reason });
    return upstreamRefusal(read);
  }
  if (read.bytes.length === 0) return notAnImage;
  return done({ bytes: read.bytes, reach, freshForMs: reach === "own" ? lifetimeOf(headers) : longestFresh });
}

/** Our own answers say how long they are good for. */
function lifetimeOf(headers: Record<string, string | string[] | undefined>) {
  const found = /max-age=(\d+)/.exec(String(headers["cache-control"] ?? ""));
  return Math.min(longestFresh, seconds(Number(found?.[1] ?? 0)));
}
