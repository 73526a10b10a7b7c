import { and, eq, gt, isNull, lte } from "drizzle-orm";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { resetPath, verifyPath } from "#app/paths.ts";
import { log } from "#app/platform/log.server.ts";
import { canSendMail, sendMail } from "#app/platform/mail.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { newSecret, secretHash } from "#app/platform/process/secrets.server.ts";
import { days, minutes } from "#app/platform/units.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { mailedTokens, users } from "#db/schema/accounts.ts";
import { normalizeEmail } from "../accounts.ts";
import { resetMail, verificationMail } from "./mail-templates.ts";

/** Single-use links: to set a new password, and to show that an address is one's own. */

type MailedLinkKind = (typeof mailedTokens.$inferSelect)["kind"];

const linkLifetimeMs: Record<MailedLinkKind, number> = { reset: minutes(30), verification: days(3) };
/** Whoever asks more often only fills a mailbox that may be somebody else's. */
const maxUnusedLinks: Record<MailedLinkKind, number> = { reset: 3, verification: 3 };

/** Makes the secret of a link, or null when enough of them are still good. */
async function createLink(kind: MailedLinkKind, user: { id: string; email: string }): Promise<string | null> {
  const secret = newSecret();
  const now = new Date();
  const mine = and(eq(mailedTokens.userId, user.id), eq(mailedTokens.kind, kind));
  await db.delete(mailedTokens).where(and(mine, lte(mailedTokens.expiresAt, now)));
  if ((await db.$count(mailedTokens, mine)) >= maxUnusedLinks[kind]) return null;
  await db.insert(mailedTokens).values({
    kind,
    userId: user.id,
    email: user.email,
    secretHash: secretHash(secret),
    createdAt: now,
    expiresAt: new Date(now.getTime() + linkLifetimeMs[kind]),
  });
  return secret;
}

/** Answers nothing: who asks must not learn whether the address has an account. The mail leaves behind the answer. */
export async function requestPasswordReset(typed: string): Promise<void> {
  log.info("a password reset was asked for", { mail: canSendMail() });
  if (!canSendMail()) return;
  const user = await findUserByEmail(typed);
  const secret = user && (await createLink("reset", user));
  if (secret) sendMail({ to: user.email, ...resetMail(env.PUBLIC_URL + resetPath({ token: secret })) });
}

/** For the operator, who hands the link over himself: its path and secret, or null for an unknown address. */
export async function createResetPath(typed: string): Promise<Outcome<string>> {
  const user = await findUserByEmail(typed);
  if (!user) return refuse("not_found", "No account has this address");
  const secret = await createLink("reset", user);
  if (!secret)
    return refuse("conflict", "Enough links are still good; wait until one is used or half an hour is over");
  return done(resetPath({ token: secret }));
}

async function findUserByEmail(typed: string) {
  const [user] = await db
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(and(eq(users.email, normalizeEmail(typed)), eq(users.disabled, false)));
  return user;
}

export async function sendVerificationMail(user: { id: string; email: string }): Promise<void> {
  if (!canSendMail()) return;
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

export async function isLinkUsable(kind: MailedLinkKind, secret: string): Promise<boolean> {
  return (await db.$count(mailedTokens, isUsableLink(kind, secret))) > 0;
}

/** Spends a link for whoever comes first, and says whose it was. */
export async function consumeLink(
  transaction: Pick<Transaction, "update">,
  kind: MailedLinkKind,
  secret: string,
): Promise<{ userId: string; email: string } | undefined> {
  const [spent] = await transaction
    .update(mailedTokens)
    .set({ usedAt: new Date() })
    .where(isUsableLink(kind, secret))
    .returning({ userId: mailedTokens.userId, email: mailedTokens.email });
  return spent;
}

/** A link does not outlive a change of the address it was sent to. */
export async function verifyEmail(secret: string): Promise<Outcome<null>> {
  const spent = await consumeLink(db, "verification", secret);
  if (!spent) return linkUsedRefusal;
  const now = new Date();
  const verified = await db
    .update(users)
    .set({ emailVerifiedAt: now })
    .where(and(eq(users.id, spent.userId), eq(users.email, spent.email)))
    .returning({ id: users.id });
  return verified.length > 0 ? done(null) : linkUsedRefusal;
}
