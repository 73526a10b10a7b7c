import { limitedBy } from "#app/http/access/rate-limit.server.ts";
import type { Limiter } from "#app/http/context.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { listingError } from "../listing-error.server.ts";

/**
 * Every limiter, and how many requests a client may send in one window. A page charges the limiter of the endpoint that
 * does the same, so that nobody gets twice the attempts.
 */

const everywhere = { maxRequests: env.RATE_LIMIT_POINTS };
const auth = { maxRequests: env.RATE_LIMIT_AUTH_POINTS ?? env.RATE_LIMIT_POINTS };
const catalog = { maxRequests: env.RATE_LIMIT_CATALOG_POINTS ?? env.RATE_LIMIT_POINTS };

export const limiters = {
  signup: auth,
  signin: auth,
  provider: auth,
  callback: auth,
  reset: auth,
  password: auth,
  verify: auth,
  deletion: auth,
  listing: { ...catalog, errorShape: listingError },
  anime: catalog,
  random: catalog,
  suggest: catalog,
  episodes: catalog,
  episode: catalog,
  video: {
    maxRequests: env.RATE_LIMIT_VIDEO_POINTS ?? env.RATE_LIMIT_POINTS,
    hint: "A viewer ran into the video proxy's limit; RATE_LIMIT_VIDEO_POINTS raises it",
  },
  playback: everywhere,
} satisfies Record<string, Omit<Limiter, "name">>;

export const limited = limitedBy(limiters);
