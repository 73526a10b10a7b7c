import { minutes } from "#app/platform/units.ts";

/** A member who signed in this recently needs no password: an account that uses a provider has none. */
const recentSignInMs = minutes(10);

/** After the clock was set back, an old sign-in could lie in the future. */
export const isRecentSignIn = (signedInAt: Date): boolean =>
  Math.abs(Date.now() - signedInAt.getTime()) <= recentSignInMs;
