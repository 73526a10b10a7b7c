/** The door of accounts on the server: members, their preferences and sessions. */

export { isOfAccount, lockAccount } from "./account-rows.server.ts";
export {
  type AccountRecord,
  changeAccount,
  endSetupCode,
  findAccountId,
  listAccounts,
  refuseFormerOperator,
  type SignedInOperator,
  updateAccount,
} from "./administration.server.ts";
export {
  editPreferences,
  type PreferencesChange,
  preferenceColumns,
  savePreferences,
} from "./preferences.server.ts";
export { deviceName } from "./sessions/device-name.ts";
export { endFilmPasses, findPassHolder } from "./sessions/film-passes.server.ts";
export { type ClientDevice, ipHash, recordIp } from "./sessions/known-ips.server.ts";
export {
  accountColumns,
  accountEmail,
  isEnabled,
  sessionUserColumns,
  toSessionUser,
} from "./sessions/session-user.server.ts";
export {
  completeSignIn,
  createSession,
  deleteOtherSessions,
  deleteSession,
  deleteSessionById,
  deleteSessions,
  type FoundSession,
  findEndedSessionsText,
  findSession,
  insertSession,
  listSessions,
  maxIdleSessionMs,
  moveSession,
  type NewSession,
  replaceSessionSecret,
  type SwitchedSession,
  whileSessionValid,
} from "./sessions/sessions.server.ts";
