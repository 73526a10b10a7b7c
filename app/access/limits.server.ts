import type { Limiter } from "#app/http/context.server.ts";
import { limitedBy } from "#app/http/guards/rate-limit.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { jikanError } from "./jikan-errors.server.ts";
import { listingError } from "./listing-error.server.ts";

/**
 * Every limiter, with the number of requests that a client may send in one window. A page and an endpoint for the same
 * action share a limiter; otherwise a client would get twice the attempts.
 */

const everywhere = { maxRequests: env.RATE_LIMIT_POINTS };
const auth = { maxRequests: env.RATE_LIMIT_AUTH_POINTS ?? env.RATE_LIMIT_POINTS };
const catalog = { maxRequests: env.RATE_LIMIT_CATALOG_POINTS ?? env.RATE_LIMIT_POINTS };

export const limiters = {
  signup: auth,
  signin: auth,
  /** The code cannot be guessed. The limit protects the passwords of people who try. */
  setup: { maxRequests: Math.min(20, auth.maxRequests) },
  provider: auth,
  callback: auth,
  reset: auth,
  password: auth,
  verify: auth,
  deletion: auth,
  /** Screens that request a code, and codes that members type. A household types only a few. */
  device: { maxRequests: Math.min(20, auth.maxRequests) },
  devicePoll: auth,
  /** Access tokens on a closed site that were not found before. */
  token: auth,
  listing: { ...catalog, errorShape: listingError },
  anime: catalog,
  random: catalog,
  suggest: catalog,
  /**
   * The site's own search field, which sends a request after each pause in typing. The members of a household share an
   * address.
   */
  typing: { maxRequests: 6 * catalog.maxRequests },
  episodes: catalog,
  episode: catalog,
  changes: catalog,
  /**
   * Members' own requests, by endpoints and by forms of pages. The members of a household share an address, and its
   * profiles share an account. Six players that report their progress, three open pages and an import need a fifth of
   * the limit.
   */
  user: { maxRequests: 6 * env.RATE_LIMIT_POINTS, isPerAccount: true },
  hooks: everywhere,
  jikan: { ...catalog, errorShape: jikanError },
  video: {
    maxRequests: env.RATE_LIMIT_VIDEO_POINTS ?? env.RATE_LIMIT_POINTS,
    hint: "A client reached the request limit of the video proxy. To allow more requests, raise RATE_LIMIT_VIDEO_POINTS",
  },
  captions: everywhere,
  /**
   * A player requests picture and sound separately, and each seek requests both. The members of a household share an
   * address.
   */
  film: { maxRequests: 6 * env.RATE_LIMIT_POINTS },
  playback: everywhere,
  page: {
    maxRequests: env.RATE_LIMIT_PAGE_POINTS ?? 5 * env.RATE_LIMIT_POINTS,
    hint: "A client reached the request limit of pages. If many people share its address, raise RATE_LIMIT_PAGE_POINTS. If your own proxy forwards them, set TRUST_PROXY",
  },
  sitemap: everywhere,
  /** The document is rebuilt for each spelling of its address that the public cache does not store. */
  document: everywhere,
} satisfies Record<string, Omit<Limiter, "name">>;

export const limited = limitedBy(limiters);

/** For page routes, which share the counter of an endpoint: counts only form posts, not page views. */
export const limitedWrites = (name: keyof typeof limiters) => limited(name, { on: "writes" });
