/** The door of signing in: new accounts, passwords, mailed links, providers, devices. */

export { deleteAccount, deleteOwnAccount } from "./account-deletion.server.ts";
export {
  createAccessToken,
  deleteAccessToken,
  findTokenUser,
  listAccessTokens,
} from "./credentials/access-tokens.server.ts";
export { changeEmail } from "./credentials/email-change.server.ts";
export {
  type ProviderProfile,
  type ProviderSignIn,
  signInWithProvider,
} from "./credentials/identities.server.ts";
export {
  createResetPath,
  isLinkUsable,
  requestPasswordReset,
  sendVerificationMail,
  verifyEmail,
} from "./credentials/mailed-links.server.ts";
export {
  hashCost,
  hashPassword,
  turnOfMember,
  verifyPassword,
} from "./credentials/password-hashing.server.ts";
export { signIn } from "./credentials/password-sign-in.server.ts";
export {
  changePassword,
  checkPassword,
  confirmPasswordReset,
  hasPassword,
} from "./credentials/passwords.server.ts";
export { isRecentSignIn } from "./credentials/recent-sign-in.ts";
export { decideAboutDevice, findWaitingDevice } from "./devices/confirmation.server.ts";
export {
  deleteOldDeviceCodes,
  deviceAnswers,
  type Poll,
  pollDeviceSignIn,
  startDeviceSignIn,
} from "./devices/device-codes.server.ts";
export {
  catchTakenEmail,
  createAccount,
  emailInUseRefusal,
  generatePassword,
  isEmailInUse,
  listAccessIssues,
  openAccount,
} from "./new-account.server.ts";
