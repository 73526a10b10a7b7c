import { days, hours, inSeconds } from "#app/platform/units.ts";

/** How long an answer may be kept, and by whom. Routes name a policy; no other file spells a Cache-Control header. */
export type CachePolicy = {
  readonly control: string;
  /** The answer is the same for everybody, so the public cache of this process may keep it and give it again. */
  readonly isPublic: boolean;
  /** Sent as Expires too, for caches that do not read max-age. */
  readonly expiresInMs?: number;
  /** The public cache keeps the answer no longer than this, whatever browsers may. */
  readonly keptForMs?: number;
  /** A session changes this answer, so the public cache never gives it to a request that carries one. */
  readonly isForSessionless?: boolean;
};

export const noStore: CachePolicy = { control: "no-store", isPublic: false };
export const privateNoStore: CachePolicy = { control: "private, no-store", isPublic: false };
export const immutable: CachePolicy = {
  control: `public, max-age=${inSeconds(days(365))}, immutable`,
  isPublic: true,
};

/** The same for everybody while fresh: shared caches may keep it, our own included. */
export const publicFor = (milliseconds: number): CachePolicy => ({
  control: `public, max-age=${inSeconds(milliseconds)}, s-maxage=${inSeconds(milliseconds)}`,
  isPublic: true,
  expiresInMs: milliseconds,
});

export const publicListing = publicFor(hours(2));

/** Browsers and caches in between may keep the answer; the public cache does not, because making it is cheap or it is large. */
export const publicElsewhereFor = (milliseconds: number): CachePolicy => ({
  control: `public, max-age=${inSeconds(milliseconds)}`,
  isPublic: false,
});

/** The same headers, but the public cache does not keep the answer: a private upstream gave it. */
export const notKeptHere = (policy: CachePolicy): CachePolicy => ({ ...policy, isPublic: false });

/** For a page's `headers` and for answers that a route writes itself. */
export const cacheHeaders = ({ control }: CachePolicy) => ({ "Cache-Control": control });
