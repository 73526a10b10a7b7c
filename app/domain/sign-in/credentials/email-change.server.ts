import { and, eq, isNull } from "drizzle-orm";
import {
  deleteSessions,
  type FoundSession,
  replaceSessionSecret,
  whileSessionValid,
} from "#app/domain/accounts/accounts.server.ts";
import { isEmail, normalizeEmail } from "#app/domain/accounts/accounts.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { type Actor, recordEvent } from "#app/domain/events/events.server.ts";
import { inBackground } from "#app/platform/log.server.ts";
import { canSendMail, sendMail } from "#app/platform/mail.server.ts";
import { mustBeEmail } from "#app/platform/validation-messages.ts";
import type { Transaction } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { catchTakenEmail, emailInUseRefusal, isEmailInUse } from "../new-account.server.ts";
import { emailChangedMail } from "./mail-templates.ts";
import { mayMailUnconfirmed, sendVerificationMail } from "./mailed-links.server.ts";
import { checkPassword, deleteResetLinks } from "./passwords.server.ts";
import { isRecentSignIn } from "./recent-sign-in.ts";

type EmailChange = {
  /** The owner's session, which makes the change. It gets a new secret; all other sessions of the account end. */
  session: FoundSession;
  email: string;
  /** Required if the account has a password. Without one, the sign-in must be recent. */
  current?: string | undefined;
  actor: Actor;
};

/**
 * Changes the account's email and returns a new secret for the session. The new address starts as unconfirmed, and
 * links that were mailed to the old one stop working. Sign-in with a provider still works, because a provider's subject
 * identifies the account.
 */
export async function changeEmail({
  session,
  email: typed,
  current,
  actor,
}: EmailChange): Promise<Outcome<string>> {
  const email = normalizeEmail(typed);
  if (!isEmail(email))
    return refuse("invalid", `The new e-mail address ${mustBeEmail}`, [
      { path: "email", message: mustBeEmail },
    ]);
  const { id: userId } = session.user;
  const checked = await checkPassword({ userId, actor, password: current, field: "current" });
  if (!checked.ok) return checked;
  if (checked.value === null && !isRecentSignIn(session.signedInAt))
    return refuse("forbidden", "This account has no password; sign in again first");
  if (await isEmailInUse(email)) return emailInUseRefusal;
  // If a password change has just ended this session, an intruder may hold it and must not change the email now.
  const changed = await whileSessionValid(session, (transaction) =>
    storeEmail(transaction, session, email, actor),
  ).catch(catchTakenEmail);
  if (!changed.ok) return changed;
  const { secret, wasConfirmed } = changed.value;
  const { email: former } = session.user;
  // An unconfirmed one may be a stranger's.
  if (canSendMail() && (wasConfirmed || mayMailUnconfirmed(former)))
    sendMail({ to: former, ...emailChangedMail });
  inBackground("sending a verification mail", sendVerificationMail({ id: userId, email }));
  return done(secret);
}

async function storeEmail(
  transaction: Transaction,
  session: FoundSession,
  email: string,
  actor: Actor,
): Promise<Outcome<{ secret: string; wasConfirmed: boolean }>> {
  const { id: userId } = session.user;
  const [former] = await transaction
    .select({ confirmedAt: users.emailVerifiedAt })
    .from(users)
    .where(and(eq(users.id, userId), isNull(users.accountId)));
  if (!former) return refuse("unauthorized");
  await transaction.update(users).set({ email, emailVerifiedAt: null }).where(eq(users.id, userId));
  await deleteResetLinks(transaction, userId);
  await deleteSessions(userId, { except: session.id }, transaction);
  await recordEvent({ kind: "email_changed", userId, actor }, transaction);
  const secret = await replaceSessionSecret(session.id, transaction);
  return done({ secret, wasConfirmed: former.confirmedAt !== null });
}
