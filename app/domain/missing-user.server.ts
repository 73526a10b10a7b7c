import { violatedConstraint } from "#db/trouble.server.ts";

/** The account was deleted while this write of its owner's was under way. */
export const isMissingUserError = (error: unknown): boolean =>
  violatedConstraint(error)?.endsWith("_user_id_users_id_fk") ?? false;
