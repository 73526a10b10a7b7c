import { and, eq, gt, isNull, lte, sql } from "drizzle-orm";
import {
  accountEmail,
  lockAccount,
  refuseFormerOperator,
  type SignedInOperator,
} from "#app/domain/accounts/accounts.server.ts";
import { normalizeEmail } from "#app/domain/accounts/accounts.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { commandLine, recordEvent } from "#app/domain/events/events.server.ts";
import { resetPath, verifyPath } from "#app/paths.ts";
import { createFixedWindow } from "#app/platform/limits/fixed-window.ts";
import { log } from "#app/platform/log.server.ts";
import { canSendMail, sendMail } from "#app/platform/mail.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { newSecret, secretHash } from "#app/platform/process/secrets.server.ts";
import { days, minutes } from "#app/platform/units.ts";
import { db, type Transaction, withTransaction } from "#db/client.server.ts";
import { mailedTokens, users } from "#db/schema/accounts.ts";
import { resetMail, verificationMail } from "./mail-templates.ts";

/** Single-use links to set a new password or to verify an email. */

type MailedLinkKind = (typeof mailedTokens.$inferSelect)["kind"];

const linkLifetimeMs: Record<MailedLinkKind, number> = { reset: minutes(30), verification: days(3) };
/** Without this limit anybody could fill somebody else's mailbox with requests. */
const maxUnusedLinks = 3;

const maxUnconfirmedInDay = 8;
const unconfirmedMails = createFixedWindow({ maxKeys: 10_000 });

/**
 * Counts a mail to an email that nobody has confirmed. Otherwise somebody with many accounts, or with one that they
 * delete and make again, could fill a stranger's mailbox. Mails with a reset link do not count, or strangers could keep
 * the owner from getting one. Most providers deliver `name+anything@host` to `name@host`. A
 * household's eight profiles may all become accounts with one mailbox.
 */
export const mayMailUnconfirmed = (email: string): boolean =>
  unconfirmedMails.hit(email.replace(/\+[^@]*@/, "@"), days(1)).count <= maxUnconfirmedInDay;

type LinkOwner = { id: string; email: string };

/** Returns the secret of a new link, or null if the member has the maximum of links of this kind. */
const createLink = (kind: MailedLinkKind, user: LinkOwner): Promise<string | null> =>
  withTransaction((transaction) => insertLink(transaction, kind, user));

async function insertLink(transaction: Transaction, kind: MailedLinkKind, user: LinkOwner) {
  const secret = newSecret();
  const now = new Date();
  const mine = and(eq(mailedTokens.userId, user.id), eq(mailedTokens.kind, kind));
  await lockAccount(transaction, user.id);
  await transaction.delete(mailedTokens).where(and(mine, lte(mailedTokens.expiresAt, now)));
  const unused = and(mine, isNull(mailedTokens.usedAt));
  if ((await transaction.$count(mailedTokens, unused)) >= maxUnusedLinks) return null;
  await transaction.insert(mailedTokens).values({
    kind,
    userId: user.id,
    email: user.email,
    secretHash: secretHash(secret),
    createdAt: now,
    expiresAt: new Date(now.getTime() + linkLifetimeMs[kind]),
  });
  return secret;
}

/**
 * Sends a reset link if the email has an account. Returns nothing and does not wait for the mail, so that the response
 * does not reveal whether it has one.
 */
export async function requestPasswordReset(typed: string): Promise<void> {
  log.info("a password reset was requested", { mail: canSendMail() });
  if (!canSendMail()) return;
  const user = await findUserByEmail(typed);
  const secret = user && (await createLink("reset", user));
  if (secret) sendMail({ to: user.email, ...resetMail(env.PUBLIC_URL + resetPath({ token: secret })) });
}

/**
 * Creates a reset link that the operator passes on, for sites that cannot send mail. Without an operator it is for the
 * command line.
 */
export async function createResetPath(typed: string, operator?: SignedInOperator): Promise<Outcome<string>> {
  const user = await findUserByEmail(typed);
  if (!user) return refuse("not_found", "No account uses this e-mail address");
  return withTransaction(async (transaction) => {
    const refusal = operator && (await refuseFormerOperator(transaction, operator, user.id));
    if (refusal) return refusal;
    const secret = await insertLink(transaction, "reset", user);
    if (!secret)
      return refuse(
        "conflict",
        `This account has ${maxUnusedLinks} unused links; use one of them, or wait until one expires`,
      );
    await recordEvent(
      { kind: "reset_link_made", userId: user.id, actor: operator ?? commandLine },
      transaction,
    );
    return done(resetPath({ token: secret }));
  });
}

async function findUserByEmail(typed: string) {
  const [user] = await db
    .select({ id: users.id, email: accountEmail })
    .from(users)
    .where(and(eq(users.email, normalizeEmail(typed)), eq(users.disabled, false)));
  return user;
}

export async function sendVerificationMail(user: LinkOwner): Promise<void> {
  if (!canSendMail() || !mayMailUnconfirmed(user.email)) return;
  const secret = await createLink("verification", user);
  if (secret)
    sendMail({ to: user.email, ...verificationMail(env.PUBLIC_URL + verifyPath({ token: secret })) });
}

const isUsableLink = (kind: MailedLinkKind, secret: string) =>
  and(
    eq(mailedTokens.secretHash, secretHash(secret)),
    eq(mailedTokens.kind, kind),
    isNull(mailedTokens.usedAt),
    gt(mailedTokens.expiresAt, new Date()),
  );

export const linkUsedRefusal = refuse("invalid", "This link was used already, or is too old", [
  { path: "token", message: "was used already, or is too old" },
]);

/** The member whose link this is; null if the link cannot be used. */
export async function findLinkOwner(kind: MailedLinkKind, secret: string): Promise<string | null> {
  const [link] = await db
    .select({ userId: mailedTokens.userId })
    .from(mailedTokens)
    .where(isUsableLink(kind, secret));
  return link?.userId ?? null;
}

export const isLinkUsable = async (kind: MailedLinkKind, secret: string) =>
  (await findLinkOwner(kind, secret)) !== null;

/**
 * Marks the link as used and returns its member. Of several concurrent requests only the first succeeds. The link counts
 * only while the account has the email that it was sent to: a link can be created while the email changes.
 */
export async function consumeLink(
  transaction: Transaction,
  kind: MailedLinkKind,
  secret: string,
): Promise<{ userId: string } | undefined> {
  const [link] = await transaction
    .update(mailedTokens)
    .set({ usedAt: new Date() })
    .from(users)
    .where(and(isUsableLink(kind, secret), eq(users.id, mailedTokens.userId)))
    .returning({
      userId: mailedTokens.userId,
      isCurrent: sql<boolean>`${users.email} = ${mailedTokens.email}`,
    });
  return link?.isCurrent ? link : undefined;
}

export async function verifyEmail(secret: string): Promise<Outcome<null>> {
  const userId = await findLinkOwner("verification", secret);
  if (userId === null) return linkUsedRefusal;
  return withTransaction(async (transaction) => {
    await lockAccount(transaction, userId);
    if (!(await consumeLink(transaction, "verification", secret))) return linkUsedRefusal;
    await transaction.update(users).set({ emailVerifiedAt: new Date() }).where(eq(users.id, userId));
    return done(null);
  });
}
