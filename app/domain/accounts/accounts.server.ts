/** The front door of accounts, server side: what routes, guards and other nouns may ask for. */

export {
  createAccessToken,
  deleteAccessToken,
  findTokenUser,
  listAccessTokens,
} from "./access-tokens.server.ts";
export { deleteAccount, mayDeleteAccount } from "./account-deletion.server.ts";
export {
  type AccountChange,
  type AccountRecord,
  changeAccount,
  findAccountId,
  listAccounts,
  setDisabled,
  setRole,
} from "./administration.server.ts";
export { type ProviderProfile, type ProviderSignIn, signInWithProvider } from "./identities.server.ts";
export type { Caller } from "./known-addresses.server.ts";
export { createResetLink, isLinkGood, requestReset, verifyEmail } from "./mailed-links.server.ts";
export { createAccount, inventPassword, signUp, signUpClosedTo, signUpMode } from "./new-account.server.ts";
export { changePassword, confirmReset, hasPassword } from "./passwords.server.ts";
export { type SavedPreferences, savePreferences } from "./preferences.server.ts";
export { getProfile, type Profile, type ProfileChange, saveProfile } from "./profile.server.ts";
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
