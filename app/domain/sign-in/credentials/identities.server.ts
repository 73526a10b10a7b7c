import { and, eq } from "drizzle-orm";
import {
  accountColumns,
  type ClientDevice,
  createSession,
  deleteSessions,
  isOfAccount,
  type NewSession,
} from "#app/domain/accounts/accounts.server.ts";
import {
  type AccountView,
  findUsernameError,
  isEmail,
  normalizeEmail,
  normalizeUsername,
} from "#app/domain/accounts/accounts.ts";
import { catchRefusal, done, type Outcome, refuse } from "#app/domain/errors.ts";
import { recordEvent } from "#app/domain/events/events.server.ts";
import { maxPictureUrlLength } from "#app/domain/images/images.ts";
import { type SignUpAdmission, spendInvitation } from "#app/domain/joining/joining.server.ts";
import { inBackground } from "#app/platform/log.server.ts";
import { type Transaction, withTransaction } from "#db/client.server.ts";
import {
  accessTokens,
  credentials,
  identities,
  knownAddresses,
  mailedTokens,
  users,
} from "#db/schema/accounts.ts";
import { sendVerificationMail } from "./mailed-links.server.ts";

/** The identity provider's claims about a person. Their signature has been verified already. */
export type ProviderProfile = {
  issuer: string;
  subject: string;
  email: string | null;
  emailVerified: boolean;
  /** Names of the person, the best one first. */
  names: readonly string[];
  picture: string | null;
};

type ProviderAccount = {
  account: AccountView;
  isNew: boolean;
  passwordRemoved: boolean;
  /** The change that this sign-in made, recorded as an event. Null if nothing changed. */
  change: "sign_up" | "provider_linked" | null;
};
export type ProviderSignIn = NewSession & ProviderAccount;

export async function signInWithProvider(
  profile: ProviderProfile,
  client: ClientDevice,
  /** Whether this visitor may create an account. */
  admitted: Outcome<SignUpAdmission>,
): Promise<Outcome<ProviderSignIn>> {
  const identity = await withTransaction(async (transaction) => {
    const outcome = await findOrCreate(transaction, profile, admitted);
    if (outcome.ok && outcome.value.change)
      await recordEvent(
        {
          kind: outcome.value.change,
          userId: outcome.value.account.id,
          actor: { kind: "member", ip: client.ip },
        },
        transaction,
      );
    return outcome;
  }).catch(catchRefusal);
  if (!identity.ok) return identity;
  if (identity.value.isNew && !profile.emailVerified)
    inBackground("sending a verification mail", sendVerificationMail(identity.value.account));
  const session = await createSession(identity.value.account.id, client);
  return session === null
    ? refuse("forbidden", "This account cannot sign in")
    : done({ ...identity.value, ...session });
}

/**
 * Finds the account by issuer and subject, which never pass to another person, or by an email that the provider has
 * verified. Otherwise creates one, if the visitor may sign up.
 */
async function findOrCreate(
  transaction: Transaction,
  profile: ProviderProfile,
  admitted: Outcome<SignUpAdmission>,
): Promise<Outcome<ProviderAccount>> {
  const known = await findByIdentity(transaction, profile);
  if (known) return done({ account: known, isNew: false, passwordRemoved: false, change: null });
  const email = normalizeEmail(profile.email ?? "");
  if (!isEmail(email)) return refuse("invalid", "The sign-in provider did not send an e-mail address");
  const holder = await findHolder(transaction, email);
  if (holder) return link(transaction, profile, holder);
  if (!admitted.ok) return admitted;
  const created = await create(transaction, { ...profile, email }, admitted.value);
  // Another request created an account with this email since `findHolder`; look again and find it.
  return created ? done(created) : findOrCreate(transaction, profile, admitted);
}

async function findByIdentity(transaction: Transaction, { issuer, subject }: ProviderProfile) {
  const [account] = await transaction
    .select(accountColumns)
    .from(identities)
    .innerJoin(users, eq(users.id, identities.userId))
    .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject)));
  return account;
}

type Holder = AccountView & { emailVerifiedAt: Date | null };

async function findHolder(transaction: Transaction, email: string): Promise<Holder | undefined> {
  const [holder] = await transaction
    .select({ ...accountColumns, emailVerifiedAt: users.emailVerifiedAt })
    .from(users)
    .where(eq(users.email, email))
    .for("update");
  return holder;
}

async function link(
  transaction: Transaction,
  profile: ProviderProfile,
  { emailVerifiedAt, ...account }: Holder,
): Promise<Outcome<ProviderAccount>> {
  if (!profile.emailVerified)
    return refuse(
      "invalid",
      "This e-mail address has an account here already, and the sign-in provider has not verified it",
    );
  const passwordRemoved = emailVerifiedAt === null && (await removeUnverifiedAccess(transaction, account.id));
  await addIdentity(transaction, profile, account.id);
  return done({ account, isNew: false, passwordRemoved, change: "provider_linked" });
}

/**
 * The email of this account was never verified, so an attacker may have created the account for it. Now the provider
 * proves who owns the email: every existing way into the account is deleted. Returns whether there was a password.
 */
async function removeUnverifiedAccess(transaction: Transaction, userId: string): Promise<boolean> {
  await transaction.update(users).set({ emailVerifiedAt: new Date() }).where(eq(users.id, userId));
  const removed = await transaction
    .delete(credentials)
    .where(eq(credentials.userId, userId))
    .returning({ userId: credentials.userId });
  await deleteSessions(userId, {}, transaction);
  await transaction.delete(accessTokens).where(isOfAccount(accessTokens.userId, userId));
  await transaction.delete(knownAddresses).where(eq(knownAddresses.userId, userId));
  await transaction.delete(mailedTokens).where(eq(mailedTokens.userId, userId));
  await transaction.delete(identities).where(eq(identities.userId, userId));
  return removed.length > 0;
}

async function create(
  transaction: Transaction,
  profile: ProviderProfile & { email: string },
  { invitation }: SignUpAdmission,
) {
  const { email } = profile;
  const name = nameOf(profile, email);
  const [account] = await transaction
    .insert(users)
    .values({
      email,
      username: name,
      name,
      avatarUrl: pictureOf(profile),
      emailVerifiedAt: profile.emailVerified ? new Date() : null,
    })
    .onConflictDoNothing({ target: users.email })
    .returning(accountColumns);
  if (!account) return null;
  await addIdentity(transaction, profile, account.id);
  await spendInvitation(transaction, { invitation }, account.id);
  return { account, isNew: true, passwordRemoved: false, change: "sign_up" as const };
}

const addIdentity = (transaction: Transaction, { issuer, subject }: ProviderProfile, userId: string) =>
  transaction.insert(identities).values({ issuer, subject, userId }).onConflictDoNothing();

const nameOf = ({ names }: ProviderProfile, email: string) =>
  [...names, email.slice(0, email.lastIndexOf("@"))]
    .map(normalizeUsername)
    .find((name) => findUsernameError(name) === null) ?? "Member";

function pictureOf({ picture }: ProviderProfile): string | null {
  if (!picture || picture.length > maxPictureUrlLength || !URL.canParse(picture)) return null;
  return ["https:", "http:"].includes(new URL(picture).protocol) ? new URL(picture).href : null;
}
