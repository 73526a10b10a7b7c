import { createHash } from "node:crypto";
import { catalogVersionOrLast } from "#app/domain/catalog-version/catalog-version.server.ts";
import { done, isOverloaded, type Outcome, type Refusal, refuse } from "#app/domain/errors.ts";
import {
  notAnImageRefusal,
  refusalOfFetch,
  tooManyPixelsRefusal,
} from "#app/domain/upstream-refusal.server.ts";
import { isStoredImagePath } from "#app/paths.ts";
import type { AdmitBytes } from "#app/platform/limits/byte-budget.ts";
import { createFairShare } from "#app/platform/limits/fair-share.ts";
import { createSharedWork } from "#app/platform/limits/shared-work.ts";
import { type FetchOptions, readUpstreamUrl } from "#app/platform/upstream/safe-fetch.server.ts";
import { judgeImageUrl } from "./image-proxy-access.server.ts";
import { type ImageSpec, specKey } from "./image-spec.ts";
import { markUnavailable } from "./picture-failures.server.ts";
import type { RenderRefusal } from "./render-job.ts";
import type { RenderRequester } from "./render-queue.server.ts";
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

/** Requests for the same result share one fetch and one conversion. */
const flights = createSharedWork<Outcome<CachedImage>>(isOverloaded);
const flightShare = createFairShare({ total: 512, perClient: 128 });

type ImageRequest = Pick<FetchOptions, "isAllowed"> & {
  spec: ImageSpec;
  requester: PictureRequester;
  /** Aborts when the client disconnects. */
  signal?: AbortSignal;
  isForPoster?: boolean;
};

/** The image proxy. `signature` is the one that this site's pages add to the URL. */
export async function getProxiedImage(
  url: string,
  signature: string | undefined,
  request: ImageRequest,
): Promise<Outcome<CachedImage>> {
  const read = readUpstreamUrl(url);
  if (!read.ok) return refusalOfFetch(read);
  const access = await judgeImageUrl({ text: url, url: read.url, signature }, request.requester);
  return access.ok ? getImage(read.url, { ...request, ...access }) : access.refusal;
}

/** The operator chose this picture, so the image proxy's settings do not apply. */
export const getPosterPicture = (url: URL, spec: ImageSpec, requester: PictureRequester) =>
  getImage(url, { spec, requester, isForPoster: true });

async function getImage(url: URL, request: ImageRequest): Promise<Outcome<CachedImage>> {
  const { spec, requester, signal, isForPoster = false } = request;
  const ownPath = requester.ownPath(url);
  // A change of the catalog can hide the title of an own picture. Posters have checked that themselves, and pictures that
  // are stored under their hash belong to no title.
  const isOfTitle = ownPath !== null && !isForPoster && !isStoredImagePath(ownPath);
  const version = isOfTitle ? `${await catalogVersionOrLast()} ` : "";
  const key = `${specKey(spec)} ${ownPath === null ? url.href : `own ${version}${ownPath}`}`;
  const cached = await findCachedImage(key);
  const allowed = cached && mayReceive(cached, requester) ? cached : null;
  if (allowed && remainingFreshMs(allowed) > 0) return done(allowed);
  // Requests with different upstream permissions must never share one fetch.
  const flight = `${requester.mayReachLoopback ? "local " : ""}${request.isAllowed ? "listed " : ""}${key}`;
  return shareFlight(flight, requester.client, signal, (leaving) =>
    pictureBudget(requester.client, async (admit) => {
      const source = await fetchPicture(url, requester, { ...request, admit, signal: leaving });
      if (!source.ok) return staleOrRefusal(source, key, allowed);
      const { client } = requester;
      return renderAndCache(source.value, key, { spec, client, isForPoster, signal: leaving, url });
    }),
  );
}

const mayReceive = ({ reach }: CachedImage, requester: PictureRequester) =>
  reach !== "members" && (reach !== "local" || requester.mayReachLoopback);

/** The client that starts the work is charged for it, even if other clients wait for the result later. */
const shareFlight = (
  key: string,
  client: string,
  signal: AbortSignal | undefined,
  work: (leaving: AbortSignal) => Promise<Outcome<CachedImage>>,
) =>
  flights(key, signal, async (leaving) => {
    const giveBack = flightShare.take(client);
    if (!giveBack) return renderRefusal({ failure: "overloaded" });
    return work(leaving).finally(giveBack);
  });

/**
 * Deletes the cached image if the upstream responds with 404 or 410. After other failures, serves the stale image for a
 * while.
 */
function staleOrRefusal(refusal: Refusal, key: string, stale: CachedImage | null): Outcome<CachedImage> {
  if (refusal.reason === "not_found") deleteCachedImage(key);
  const isTemporary = refusal.reason === "upstream_failed" || refusal.reason === "overloaded";
  return isTemporary && stale && isUsableWhileStale(stale) ? done(stale) : refusal;
}

type Conversion = RenderRequester & {
  spec: ImageSpec;
  /** The URL of the picture, unless it was uploaded. */
  url?: URL;
};

async function renderAndCache(
  { bytes, reach, freshForMs }: SourcePicture,
  key: string,
  { spec, url, ...requester }: Conversion,
): Promise<Outcome<CachedImage>> {
  const result = await render({ kind: "image", ...spec }, bytes, requester);
  if (!result.ok) {
    if (url && result.failure === "not_an_image") markUnavailable(url);
    return renderRefusal(result);
  }
  return done(cacheImage(key, { bytes: result.bytes, format: result.format, reach, freshForMs }));
}

type Sender = Pick<PictureRequester, "client"> & { signal: AbortSignal };

/** Converts an uploaded image. Identical bytes share one cache entry. */
export async function convertUploadedImage(
  spec: ImageSpec,
  { client, signal }: Sender,
  receive: (admit: AdmitBytes) => Promise<Buffer>,
): Promise<Outcome<CachedImage>> {
  return pictureBudget(client, async (admit) => {
    const bytes = await receive(admit);
    if (bytes.length === 0) return refuse("invalid", "The body is empty; send the bytes of an image");
    const key = `${specKey(spec)} sent ${createHash("sha256").update(bytes).digest("hex")}`;
    const cached = await findCachedImage(key);
    if (cached) return done(cached);
    return shareFlight(key, client, signal, (leaving) =>
      renderAndCache({ bytes, reach: "own", freshForMs }, key, { spec, client, signal: leaving }),
    );
  });
}

const busyRefusal = refuse("overloaded", "Too many images at once; try again shortly");

const refusals: Record<RenderRefusal["failure"], Refusal> = {
  not_an_image: notAnImageRefusal,
  too_many_pixels: tooManyPixelsRefusal,
  too_complex: refuse("invalid", "This drawing is too complex to convert"),
  too_slow: refuse("invalid", "This image takes too long to convert"),
  overloaded: busyRefusal,
  unwanted: busyRefusal,
  crashed: refuse("overloaded", "Images cannot be converted just now; try again shortly"),
};

export const renderRefusal = ({ failure, waitMs }: Pick<RenderRefusal, "failure" | "waitMs">): Refusal => ({
  ...refusals[failure],
  ...(waitMs !== undefined && { waitMs }),
});
