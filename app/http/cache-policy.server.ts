import { days, hours, inSeconds } from "#app/platform/units.ts";

/** How long caches may keep an answer, and which ones. Routes choose a policy; only this file writes Cache-Control values. */
export type CachePolicy = {
  readonly control: string;
  /** Every client gets the same answer, so this process may store it in its public cache. */
  readonly isPublic: boolean;
  /** The same lifetime sent as Expires, for caches that do not read max-age. */
  readonly expiresInMs?: number;
  /** A shorter time for the public cache than for browsers. */
  readonly cachedForMs?: number;
  /** The answer depends on the session, so the public cache never serves it to a request with a session. */
  readonly isForSessionless?: boolean;
  /** The answer names no title, so a restricted session may get the same one as everybody. */
  readonly isOfNoTitle?: boolean;
};

export const noStore: CachePolicy = { control: "no-store", isPublic: false };
export const privateNoStore: CachePolicy = { control: "private, no-store", isPublic: false };
export const immutable: CachePolicy = {
  control: `public, max-age=${inSeconds(days(365))}, immutable`,
  isPublic: true,
};

/** For answers that are the same for everybody. Shared caches and the public cache may store them. */
export const publicFor = (milliseconds: number): CachePolicy => ({
  control: `public, max-age=${inSeconds(milliseconds)}, s-maxage=${inSeconds(milliseconds)}`,
  isPublic: true,
  expiresInMs: milliseconds,
});

export const publicListing = publicFor(hours(2));

/** Browsers and shared caches may store the answer. The public cache skips it, because it is large or cheap to make. */
export const publicElsewhereFor = (milliseconds: number): CachePolicy => ({
  control: `public, max-age=${inSeconds(milliseconds)}`,
  isPublic: false,
});

/** Only the requesting browser may store the answer. */
export const privateFor = (milliseconds: number): CachePolicy => ({
  control: `private, max-age=${inSeconds(milliseconds)}`,
  isPublic: false,
});

/** The requesting browser may store the answer, but revalidates it before each use. */
export const privateRevalidated: CachePolicy = { control: "private, no-cache", isPublic: false };

/** The same headers, but the public cache does not store the answer, because it came from a private upstream. */
export const notCachedHere = (policy: CachePolicy): CachePolicy => ({ ...policy, isPublic: false });

/** For the `headers` of a page and for responses that a route makes itself. */
export const cacheHeaders = ({ control }: CachePolicy) => ({ "Cache-Control": control });
