import { violatedConstraint } from "#db/database-errors.server.ts";

/** True if a write failed because the member's account was deleted in the meantime. */
export const isMissingUserError = (error: unknown): boolean =>
  violatedConstraint(error)?.endsWith("_user_id_users_id_fk") ?? false;
