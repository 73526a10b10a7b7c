import { days, hours, inSeconds } from "#app/platform/units.ts";

/** How long caches may keep an answer, and which ones. Routes choose a policy; only this file writes Cache-Control values. */
export type CachePolicy = {
  readonly control: string;
  /** The answer is the same for everybody, so the public cache of this process may keep and repeat it. */
  readonly isPublic: boolean;
  /** Also sent as Expires, for caches that do not read max-age. */
  readonly expiresInMs?: number;
  /** A shorter time for the public cache than for browsers. */
  readonly keptForMs?: number;
  /** The answer depends on the session, so the public cache never gives it to a request that carries one. */
  readonly isForSessionless?: boolean;
  /** The answer shows nothing of a title, so that it is the same for the profile of a child. */
  readonly isOfNoTitle?: boolean;
};

export const noStore: CachePolicy = { control: "no-store", isPublic: false };
export const privateNoStore: CachePolicy = { control: "private, no-store", isPublic: false };
export const immutable: CachePolicy = {
  control: `public, max-age=${inSeconds(days(365))}, immutable`,
  isPublic: true,
};

/** For answers that are the same for everybody: shared caches and the public cache may keep them. */
export const publicFor = (milliseconds: number): CachePolicy => ({
  control: `public, max-age=${inSeconds(milliseconds)}, s-maxage=${inSeconds(milliseconds)}`,
  isPublic: true,
  expiresInMs: milliseconds,
});

export const publicListing = publicFor(hours(2));

/** Browsers and shared caches may keep the answer. The public cache does not, for answers that are large or cheap to make. */
export const publicElsewhereFor = (milliseconds: number): CachePolicy => ({
  control: `public, max-age=${inSeconds(milliseconds)}`,
  isPublic: false,
});

/** Only the browser that asked may keep the answer. */
export const privateFor = (milliseconds: number): CachePolicy => ({
  control: `private, max-age=${inSeconds(milliseconds)}`,
  isPublic: false,
});

/** The browser that asked may keep the answer, and asks each time whether it may still show it. */
export const privateRevalidated: CachePolicy = { control: "private, no-cache", isPublic: false };

/** The same headers, but the public cache does not keep the answer, since it came from a private upstream. */
export const notKeptHere = (policy: CachePolicy): CachePolicy => ({ ...policy, isPublic: false });

/** For the `headers` of a page and for responses that a route makes itself. */
export const cacheHeaders = ({ control }: CachePolicy) => ({ "Cache-Control": control });
