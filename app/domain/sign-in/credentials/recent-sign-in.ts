import { minutes } from "#app/platform/units.ts";

/** Accounts that use a provider have no password, so a sign-in this recent is accepted instead of one. */
const recentSignInMs = minutes(10);

/** Compares the absolute difference: after the clock was set back, an old sign-in can lie in the future. */
export const isRecentSignIn = (signedInAt: Date): boolean =>
  Math.abs(Date.now() - signedInAt.getTime()) <= recentSignInMs;
