import { LRUCache } from "lru-cache";
import { createSparseLru } from "#app/platform/cache/sparse-lru.ts";
import { hours, minutes } from "#app/platform/units.ts";
import { maxPictureUrlLength } from "./image-spec.ts";

const maxFailures = 3;
const failedPictures = createSparseLru<string, true>({ max: 50_000, ttl: minutes(10) });
const failedHosts = new LRUCache<string, { failures: number; retryAt: number }>({
  max: 2000,
  ttl: minutes(10),
});

/**
 * Remembers pictures and hosts that failed. Without it, a page of posters from an unreachable host would wait for the
 * timeout of every single picture.
 */
export const pictureFailures = {
  isKnown: (picture: string, host: string | undefined) =>
    failedPictures.has(picture) ||
    (host !== undefined && (failedHosts.get(host)?.failures ?? 0) >= maxFailures),
  /** Lets one picture per minute of a failing host through, to find out whether the host works again. */
  shouldSkip(picture: string, host: string): boolean {
    if (failedPictures.has(picture)) return true;
    const state = failedHosts.get(host);
    if (!state || state.failures < maxFailures) return false;
    if (performance.now() < state.retryAt) return true;
    failedHosts.set(host, { ...state, retryAt: performance.now() + minutes(1) });
    return false;
  },
  recordHostSuccess(host: string) {
    failedHosts.delete(host);
  },
  recordPictureFailure(picture: string) {
    failedPictures.set(picture, true);
  },
  /** Call this if a picture was slow, or failed in a way that also affects other pictures of the host. */
  recordHostFailure(host: string) {
    const failures = (failedHosts.get(host)?.failures ?? 0) + 1;
    failedHosts.set(host, { failures, retryAt: performance.now() + minutes(1) });
  },
};

/**
 * Pictures of other servers that could not be fetched. Pages leave them out, but the image proxy tries each request.
 */
const unavailable = createSparseLru<string, true>({ max: 10_000, ttl: hours(6) });
/** Strangers name URLs of 16 KB to the image proxy, and no page shows a picture with such a URL. */
export function markUnavailable(picture: URL): void {
  if (picture.href.length <= maxPictureUrlLength) unavailable.set(picture.href, true);
}

export const markAvailable = (picture: URL) => void unavailable.delete(picture.href);

export const isUnavailable = (picture: string): boolean =>
  unavailable.size > 0 && URL.canParse(picture) && unavailable.has(new URL(picture).href);
