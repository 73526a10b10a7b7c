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

/** Requests for the same result share one fetch and one transform, which live on when any of them leaves. */
const inFlight = new Map<string, Promise<Outcome<CachedImage>>>();

export async function getProxiedImage(
  address: string,
  spec: ImageSpec,
  asker: PictureRequester,
): Promise<Outcome<CachedImage>> {
  const read = readUpstreamUrl(address);
  if (!read.ok) return refusalOfFetch(read);
  const own = asker.ownPath(read.url);
  const key = `${specKey(spec)} ${own === null ? read.url.href : `own ${own}`}`;
  const kept = await findCachedImage(key);
  const mine = kept && mayReceive(kept, asker) ? kept : null;
  if (mine && remainingFreshMs(mine) > 0) return done(mine);
  // Who may reach more never shares a fetch with who may not.
  return shareInFlight(`${asker.mayReachLoopback ? "local " : ""}${key}`, () =>
    pictureBudget(async (admit) => {
      const source = await fetchPicture(read.url, asker, admit);
      return source.ok ? renderAndCache(source.value, spec, key) : staleOrRefusal(source, key, mine);
    }),
  );
}

const mayReceive = ({ reach }: CachedImage, asker: PictureRequester) =>
  reach !== "local" || asker.mayReachLoopback;

function shareInFlight(
  key: string,
  work: () => Promise<Outcome<CachedImage>>,
): Promise<Outcome<CachedImage>> {
  const known = inFlight.get(key);
  if (known) return known;
  if (inFlight.size >= maxInFlight) return Promise.resolve(renderRefusal("overloaded"));
  const flight = work().finally(() => inFlight.delete(key));
  inFlight.set(key, flight);
  return flight;
}

/** What is gone upstream goes here as well; what merely fails is given a while longer. */
function staleOrRefusal(refusal: Refusal, key: string, stale: CachedImage | null): Outcome<CachedImage> {
  if (refusal.reason === "not_found") deleteCachedImage(key);
  const mayPass = refusal.reason === "upstream_failed" || refusal.reason === "overloaded";
  return mayPass && stale && isUsableWhileStale(stale) ? done(stale) : refusal;
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

/** The same for bytes that a client sent; equal bytes are one picture. */
export async function convertUploadedImage(
  spec: ImageSpec,
  receive: (admit: AdmitBytes) => Promise<Buffer>,
): Promise<Outcome<CachedImage>> {
  return pictureBudget(async (admit) => {
    const bytes = await receive(admit);
    if (bytes.length === 0) return refuse("invalid", "The body is empty; send the bytes of an image");
    const key = `${specKey(spec)} sent ${createHash("sha256").update(bytes).digest("hex")}`;
    const kept = await findCachedImage(key);
    if (kept) return done(kept);
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
