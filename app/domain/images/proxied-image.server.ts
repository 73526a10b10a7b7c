import { createHash } from "node:crypto";
import { done, type Outcome, type Refusal, refuse } from "#app/domain/errors.ts";
import {
  notAnImageRefusal,
  refusalOfFetch,
  tooManyPixelsRefusal,
} from "#app/domain/upstream-refusal.server.ts";
import type { AdmitBytes } from "#app/platform/limits/byte-budget.ts";
import { readUpstreamUrl } from "#app/platform/upstream/safe-fetch.server.ts";
import { type ImageSpec, specKey } from "./image-spec.ts";
import type { RenderFailure } from "./render-job.ts";
import { render } from "./renderer.server.ts";
import {
  type CachedImage,
  cacheImage,
  deleteCachedImage,
  findCachedImage,
  freshForMs,
  isUsableWhileStale,
  remainingFreshMs,
} from "./result-cache.server.ts";
import {
  fetchPicture,
  type PictureRequester,
  pictureBudget,
  type SourcePicture,
} from "./source-picture.server.ts";

const maxInFlight = 512;

/** Requests for the same result share one fetch and one conversion, which continue even if a client disconnects. */
const inFlight = new Map<string, Promise<Outcome<CachedImage>>>();

export async function getProxiedImage(
  url: string,
  spec: ImageSpec,
  requester: PictureRequester,
): Promise<Outcome<CachedImage>> {
  const read = readUpstreamUrl(url);
  if (!read.ok) return refusalOfFetch(read);
  const own = requester.ownPath(read.url);
  const key = `${specKey(spec)} ${own === null ? read.url.href : `own ${own}`}`;
  const cached = await findCachedImage(key);
  const allowed = cached && mayReceive(cached, requester) ? cached : null;
  if (allowed && remainingFreshMs(allowed) > 0) return done(allowed);
  // Requests with different upstream permissions must never share one fetch.
  return shareInFlight(`${requester.mayReachLoopback ? "local " : ""}${key}`, () =>
    pictureBudget(async (admit) => {
      const source = await fetchPicture(read.url, requester, admit);
      return source.ok ? renderAndCache(source.value, spec, key) : staleOrRefusal(source, key, allowed);
    }),
  );
}

const mayReceive = ({ reach }: CachedImage, requester: PictureRequester) =>
  reach !== "local" || requester.mayReachLoopback;

function shareInFlight(
  key: string,
  work: () => Promise<Outcome<CachedImage>>,
): Promise<Outcome<CachedImage>> {
  const running = inFlight.get(key);
  if (running) return running;
  if (inFlight.size >= maxInFlight) return Promise.resolve(renderRefusal("overloaded"));
  const flight = work().finally(() => inFlight.delete(key));
  inFlight.set(key, flight);
  return flight;
}

/**
 * Deletes the cached image if the upstream answers 404 or 410. For other failures, serves the stale image for a while.
 */
function staleOrRefusal(refusal: Refusal, key: string, stale: CachedImage | null): Outcome<CachedImage> {
  if (refusal.reason === "not_found") deleteCachedImage(key);
  const isTemporary = refusal.reason === "upstream_failed" || refusal.reason === "overloaded";
  return isTemporary && stale && isUsableWhileStale(stale) ? done(stale) : refusal;
}

async function renderAndCache(
  { bytes, reach, freshForMs }: SourcePicture,
  spec: ImageSpec,
  key: string,
): Promise<Outcome<CachedImage>> {
  const result = await render({ kind: "image", ...spec }, bytes);
  if (!result.ok) return renderRefusal(result.failure);
  return done(cacheImage(key, { bytes: result.bytes, format: result.format, reach, freshForMs }));
}

/** Converts an uploaded image. Equal bytes share one cache entry. */
export async function convertUploadedImage(
  spec: ImageSpec,
  receive: (admit: AdmitBytes) => Promise<Buffer>,
): Promise<Outcome<CachedImage>> {
  return pictureBudget(async (admit) => {
    const bytes = await receive(admit);
    if (bytes.length === 0) return refuse("invalid", "The body is empty; send the bytes of an image");
    const key = `${specKey(spec)} sent ${createHash("sha256").update(bytes).digest("hex")}`;
    const cached = await findCachedImage(key);
    if (cached) return done(cached);
    return shareInFlight(key, () =>
      renderAndCache({ bytes, reach: "own", freshForMs: freshForMs }, spec, key),
    );
  });
}

type ImageFailure = RenderFailure | "overloaded" | "crashed";

const refusals: Record<ImageFailure, Refusal> = {
  not_an_image: notAnImageRefusal,
  too_many_pixels: tooManyPixelsRefusal,
  too_slow: refuse("invalid", "This image takes too long to convert"),
  overloaded: refuse("overloaded", "Too many images at once; try again shortly"),
  crashed: refuse("overloaded", "Images cannot be converted just now; try again shortly"),
};

export const renderRefusal = (failure: ImageFailure) => refusals[failure];
