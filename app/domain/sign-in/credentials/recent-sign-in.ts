import { minutes } from "#app/platform/units.ts";

/** A member who signed in this recently needs no password, because accounts that use a provider have none. */
const recentSignInMs = minutes(10);

/** Compares the absolute difference: after the clock was set back, an old sign-in can lie in the future. */
export const isRecentSignIn = (signedInAt: Date): boolean =>
  Math.abs(Date.now() - signedInAt.getTime()) <= recentSignInMs;
