import { env } from "../platform/env.server.ts";

/** Every limiter by name, and how many requests a window it allows. */

const everywhere = () => env.RATE_LIMIT_POINTS;
const auth = () => env.RATE_LIMIT_AUTH_POINTS ?? everywhere();
const catalog = () => env.RATE_LIMIT_CATALOG_POINTS ?? everywhere();
const video = () => env.RATE_LIMIT_VIDEO_POINTS ?? everywhere();

const points = {
  signup: auth,
  signin: auth,
  provider: auth,
  callback: auth,
  reset: auth,
  password: auth,
  verify: auth,
  deletion: auth,
  listing: catalog,
  anime: catalog,
  random: catalog,
  suggest: catalog,
  episodes: catalog,
  episode: catalog,
  video,
  playback: everywhere,
} satisfies Record<string, () => number>;

export type LimiterName = keyof typeof points;
export const pointsOf = (name: LimiterName): number => points[name]();
