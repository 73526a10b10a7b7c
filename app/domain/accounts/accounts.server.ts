/** The front door of accounts, server side: what routes, guards and other nouns may ask for. */

export {
  createAccessToken,
  deleteAccessToken,
  findTokenUser,
  listAccessTokens,
} from "./access-tokens.server.ts";
export { type ProviderProfile, type ProviderSignIn, signInWithProvider } from "./identities.server.ts";
export type { Caller } from "./known-addresses.server.ts";
export { signUp, signUpClosedTo } from "./new-account.server.ts";
export {
  endSession,
  endSessionOf,
  endSessions,
  type FoundSession,
  findSession,
  listSessions,
  type SignedIn,
  startSession,
} from "./sessions.server.ts";
export { signIn } from "./sign-in.server.ts";
