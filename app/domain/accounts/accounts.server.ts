/** The front door of accounts on the server. */

export { deleteAccount, mayDeleteAccount } from "./account-deletion.server.ts";
export {
  type AccountRecord,
  findAccountId,
  listAccounts,
  removeBirthday,
  updateAccount,
  updateDisabled,
  updateRole,
} from "./administration.server.ts";
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
export type { ClientDevice } from "./credentials/known-ips.server.ts";
export {
  createResetPath,
  isLinkUsable,
  requestPasswordReset,
  verifyEmail,
} from "./credentials/mailed-links.server.ts";
export { changePassword, confirmPasswordReset, hasPassword } from "./credentials/passwords.server.ts";
export { signIn } from "./credentials/sign-in.server.ts";
export {
  decideAboutDevice,
  findWaitingDevice,
} from "./devices/confirmation.server.ts";
export {
  deleteOldDeviceCodes,
  deviceAnswers,
  type Poll,
  pollDeviceSignIn,
  startDeviceSignIn,
} from "./devices/device-codes.server.ts";
export {
  addFavorite,
  type FavoriteMove,
  isFavorite,
  moveFavorite,
  removeFavorite,
  tooManyFavoritesRefusal,
} from "./favorites.server.ts";
export {
  createInvitation,
  deleteOldInvitations,
  findInvitation,
  invitationUsedRefusal,
  listInvitations,
  maxInvitationDays,
  maxInvitationNoteLength,
  maxInvitationUses,
  ordinaryInvitation,
  revokeInvitation,
} from "./joining/invitations.server.ts";
export {
  admitSignUp,
  findSignUpMode,
  findSignUpState,
  type SignUpPass,
  type SignUpState,
} from "./joining/sign-up-rule.server.ts";
export { createAccount, generatePassword, openAccount } from "./new-account.server.ts";
export { savePreferences } from "./preferences.server.ts";
export {
  editProfile,
  getProfile,
  moveInProfiles,
  type Profile,
  type ProfileChange,
  updateProfile,
} from "./profile.server.ts";
export { findEntry, mayChangePin, switchProfile } from "./profiles/entering.server.ts";
export {
  chooseTitle,
  findTitleVerdict,
  listHouseholdTitles,
  markTitlesChosen,
} from "./profiles/household-titles.server.ts";
export { findLeavingMode, leaveAccount } from "./profiles/leaving.server.ts";
export { hasPin, removePin, savePin } from "./profiles/pins.server.ts";
export {
  createProfile,
  deleteProfile,
  findProfile,
  listChildren,
  listProfiles,
  updateHouseholdProfile,
} from "./profiles/profiles.server.ts";
export { findPassHolder } from "./sessions/film-passes.server.ts";
export {
  createSession,
  deleteOtherSessions,
  deleteSession,
  deleteSessionById,
  type FoundSession,
  findEndedSessionsText,
  findSession,
  listSessions,
  type NewSession,
  type SwitchedSession,
} from "./sessions/sessions.server.ts";
