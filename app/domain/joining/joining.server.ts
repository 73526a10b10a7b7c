/** The door of joining: who may make an account here, and the invitations of operators. */

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
  spendInvitation,
} from "./invitations.server.ts";
export {
  admitSignUp,
  getSignUpMode,
  getSignUpState,
  type SignUpAdmission,
  type SignUpMode,
  type SignUpPass,
  type SignUpState,
} from "./sign-up-rule.server.ts";
