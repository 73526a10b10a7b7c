import { seconds } from "../../platform/duration.ts";
import { counter } from "../../platform/metrics.server.ts";
import { dropBody, readBody } from "../../platform/read-body.server.ts";
import type { FetchOptions, Reach } from "../../platform/safe-fetch.server.ts";
import { readUpstreamUrl, safeFetch } from "../../platform/safe-fetch.server.ts";
import { done, type Outcome, type Refusal, refuse } from "../errors.ts";
import { notAnImage, tooManyPixels, upstreamAnswered, upstreamRefusal } from "../upstream-refusal.server.ts";
import { type ImageSpec, specKey } from "./image-spec.ts";
import type { RenderFailure } from "./render-job.ts";
import { render } from "./renderer.server.ts";
import { drop, findKept, isFresh, isUsable, type Kept, keep } from "./result-cache.server.ts";

/** Who asks for a picture: what this request may reach, and which addresses are the service's own. */
export type Asker = Required<Pick<FetchOptions, "mayReachLoopback" | "readOwn">> & {
  /** The origin the client knows the service by. */
  origin: string;
  /** The path and query of an address of the service itself, however it is spelled; null for all others. */
  ownPath(url: URL): string | null;
};

const mostBytes = 30 * 1024 * 1024;
const upstreamFailures = counter("images_upstream_failures_total", "Pictures that could not be had", [
  "reason",
]);

/** Requests for the same result share one fetch and one transform, which live on when any of them leaves. */
const flights = new Map<string, Promise<Outcome<Kept>>>();

export async function proxiedImage(address: string, spec: ImageSpec, asker: Asker): Promise<Outcome<Kept>> {
  const read = readUpstreamUrl(address);
  if (!read.ok) return upstreamRefusal(read);
  const own = asker.ownPath(read.url);
  const key = `${specKey(spec)} ${own === null ? read.url.href : `own ${own}`}`;
  const kept = await findKept(key);
  const mine = kept && mayHave(kept, asker) ? kept : null;
  if (mine && isFresh(mine) && own === null) return done(mine);
  // Who may reach more never shares a fetch with who may not.
  const flightKey = `${asker.mayReachLoopback ? "local " : ""}${key}`;
  const flight =
    flights.get(flightKey) ?? takeOff(flightKey, () => produce(read.url, spec, asker, key, mine));
  return flight;
}

const mayHave = ({ reach }: Kept, asker: Asker) => reach !== "local" || asker.mayReachLoopback;

function takeOff(key: string, work: () => Promise<Outcome<Kept>>) {
  const flight = work().finally(() => flights.delete(key));
  flights.set(key, flight);
  return flight;
}

async function produce(url: URL, spec: ImageSpec, asker: Asker, key: string, stale: Kept | null) {
  const source = await fetchPicture(url, asker);
  if (!source.ok) {
    upstreamFailures.inc({ reason: source.reason });
    if (source.reason === "not_found") drop(key);
    const mayBeStale = source.reason === "upstream_failed" || source.reason === "overloaded";
    return mayBeStale && stale && isUsable(stale) ? done(stale) : source;
  }
  const { bytes, reach } = source.value;
  const rendered = await render({ kind: "image", ...spec }, bytes);
  if (!rendered.ok) return renderRefusal(rendered.failure);
  return done(keep(key, { bytes: rendered.bytes, format: rendered.format, reach }));
}

async function fetchPicture(url: URL, asker: Asker): Promise<Outcome<{ bytes: Buffer; reach: Reach }>> {
  const { mayReachLoopback, readOwn } = asker;
  const outcome = await safeFetch(url, {
    mayReachLoopback,
    readOwn,
    totalMs: seconds(20),
    headers: { accept: "image/avif,image/webp,image/*;q=0.9,*/*;q=0.5" },
  });
  if (!outcome.ok) return upstreamRefusal(outcome);
  const { status, headers, body, reach } = outcome.response;
  if (status !== 200) {
    dropBody(body);
    return upstreamAnswered(status);
  }
  const read = await readBody({ headers, body }, mostBytes);
  if (!read.ok) return upstreamRefusal(read);
  return read.bytes.length === 0 ? notAnImage : done({ bytes: read.bytes, reach });
}

const renderRefusals: Record<RenderFailure | "overloaded", Refusal> = {
  not_an_image: notAnImage,
  too_many_pixels: tooManyPixels,
  too_slow: refuse("invalid", "This image takes too long to convert"),
  overloaded: refuse("overloaded", "Too many images at once; try again shortly"),
};

export const renderRefusal = (failure: RenderFailure | "overloaded") => renderRefusals[failure];

/** The same for bytes that a client sent itself. */
export async function renderedUpload(
  bytes: Buffer,
  spec: ImageSpec,
): Promise<Outcome<Omit<Kept, "storedAt" | "reach">>> {
  const rendered = await render({ kind: "image", ...spec }, bytes);
  if (!rendered.ok) return renderRefusal(rendered.failure);
  return done({ bytes: rendered.bytes, format: rendered.format, tag: "" });
}
