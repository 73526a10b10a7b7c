import { createHash } from "node:crypto";
import type { Admit } from "../../platform/byte-budget.ts";
import { readUpstreamUrl } from "../../platform/safe-fetch.server.ts";
import { done, type Outcome, type Refusal, refuse } from "../errors.ts";
import { notAnImage, tooManyPixels, upstreamRefusal } from "../upstream-refusal.server.ts";
import { type ImageSpec, specKey } from "./image-spec.ts";
import type { RenderFailure } from "./render-job.ts";
import { render } from "./renderer.server.ts";
import { drop, findKept, freshFor, freshness, isUsable, type Kept, keep } from "./result-cache.server.ts";
import { type Asker, fetchPicture, holdingPictures, type Source } from "./source-picture.server.ts";

const mostFlights = 512;

/** Requests for the same result share one fetch and one transform, which live on when any of them leaves. */
const flights = new Map<string, Promise<Outcome<Kept>>>();

export async function proxiedImage(address: string, spec: ImageSpec, asker: Asker): Promise<Outcome<Kept>> {
  const read = readUpstreamUrl(address);
  if (!read.ok) return upstreamRefusal(read);
  const own = asker.ownPath(read.url);
  const key = `${specKey(spec)} ${own === null ? read.url.href : `own ${own}`}`;
  const kept = await findKept(key);
  const mine = kept && mayHave(kept, asker) ? kept : null;
  if (mine && freshness(mine) > 0) return done(mine);
  // Who may reach more never shares a fetch with who may not.
  return sharing(`${asker.mayReachLoopback ? "local " : ""}${key}`, () =>
    holdingPictures(async (admit) => {
      const source = await fetchPicture(read.url, asker, admit);
      return source.ok ? rendered(source.value, spec, key) : withoutSource(source, key, mine);
    }),
  );
}

const mayHave = ({ reach }: Kept, asker: Asker) => reach !== "local" || asker.mayReachLoopback;

function sharing(key: string, work: () => Promise<Outcome<Kept>>): Promise<Outcome<Kept>> {
  const known = flights.get(key);
  if (known) return known;
  if (flights.size >= mostFlights) return Promise.resolve(renderRefusal("overloaded"));
  const flight = work().finally(() => flights.delete(key));
  flights.set(key, flight);
  return flight;
}

/** What is gone upstream goes here as well; what merely fails is given a while longer. */
function withoutSource(refusal: Refusal, key: string, stale: Kept | null): Outcome<Kept> {
  if (refusal.reason === "not_found") drop(key);
  const mayPass = refusal.reason === "upstream_failed" || refusal.reason === "overloaded";
  return mayPass && stale && isUsable(stale) ? done(stale) : refusal;
}

async function rendered(
  { bytes, reach, freshForMs }: Source,
  spec: ImageSpec,
  key: string,
): Promise<Outcome<Kept>> {
  const result = await render({ kind: "image", ...spec }, bytes);
  if (!result.ok) return renderRefusal(result.failure);
  return done(keep(key, { bytes: result.bytes, format: result.format, reach, freshForMs }));
}

/** The same for bytes that a client sent; equal bytes are one picture. */
export async function sentImage(
  spec: ImageSpec,
  receive: (admit: Admit) => Promise<Buffer>,
): Promise<Outcome<Kept>> {
  return holdingPictures(async (admit) => {
    const bytes = await receive(admit);
    if (bytes.length === 0) return refuse("invalid", "The body is empty; send the bytes of an image");
    const key = `${specKey(spec)} sent ${createHash("sha256").update(bytes).digest("hex")}`;
    const kept = await findKept(key);
    if (kept) return done(kept);
    return sharing(key, () => rendered({ bytes, reach: "own", freshForMs: freshFor }, spec, key));
  });
}

type Failure = RenderFailure | "overloaded" | "crashed";

const refusals: Record<Failure, Refusal> = {
  not_an_image: notAnImage,
  too_many_pixels: tooManyPixels,
  too_slow: refuse("invalid", "This image takes too long to convert"),
  overloaded: refuse("overloaded", "Too many images at once; try again shortly"),
  crashed: refuse("overloaded", "Images cannot be converted just now; try again shortly"),
};

export const renderRefusal = (failure: Failure) => refusals[failure];
