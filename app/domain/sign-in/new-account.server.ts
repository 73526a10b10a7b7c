import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import {
  accountColumns,
  type ClientDevice,
  createSession,
  endSetupCode,
  type NewSession,
  type PreferencesChange,
  preferenceColumns,
} from "#app/domain/accounts/accounts.server.ts";
import {
  type AccountView,
  findUsernameError,
  isEmail,
  listPasswordErrors,
  normalizeEmail,
  normalizeUsername,
  type Preferences,
} from "#app/domain/accounts/accounts.ts";
import {
  catchRefusal,
  done,
  type Issue,
  type Outcome,
  type Refusal,
  refuse,
  refuseFields,
  ThrownRefusal,
} from "#app/domain/errors.ts";
import { type Actor, commandLine, recordEvent } from "#app/domain/events/events.server.ts";
import { admitSignUp, type SignUpPass, spendInvitation } from "#app/domain/joining/joining.server.ts";
import { inBackground } from "#app/platform/log.server.ts";
import { mustBeEmail } from "#app/platform/validation-messages.ts";
import { db, type Transaction, withTransaction } from "#db/client.server.ts";
import { credentials, users } from "#db/schema/accounts.ts";
import { sendVerificationMail } from "./credentials/mailed-links.server.ts";
import { hashCost, hashPassword } from "./credentials/password-hashing.server.ts";

type NewAccount = { username: string; email: string; password: string };

/**
 * Creates a visitor's account and signs them in, if they may sign up. The account takes over the visitor's preferences,
 * except that parental control always starts as on.
 */
export async function openAccount(
  account: NewAccount,
  pass: SignUpPass,
  client: ClientDevice,
  visitor: Preferences,
): Promise<Outcome<NewSession>> {
  const admitted = await admitSignUp(pass);
  if (!admitted.ok) return admitted;
  const { parentalControl: _, ...chosen } = visitor;
  const { invitation } = admitted.value;
  const created = await createAccount(account, {
    chosen,
    invitation,
    actor: { kind: "member", ip: client.ip },
  });
  if (!created.ok) return created;
  inBackground("sending a verification mail", sendVerificationMail(created.value));
  const session = await createSession(created.value.id, client);
  return session ? done({ account: created.value, ...session }) : refuse("unauthorized");
}

type Creation = {
  chosen?: Omit<PreferencesChange, "parentalControl">;
  actor?: Actor;
  /** The hash of the invitation that the account uses up. */
  invitation?: string | null;
  role?: "operator";
  /** Runs first in the transaction. The account is not created if it returns a refusal. */
  admit?: (transaction: Transaction) => Promise<Refusal | null>;
};

/** Creates an account even if sign-up is closed: the operator's command line uses it. */
export async function createAccount(
  input: NewAccount,
  { chosen = {}, actor = commandLine, invitation = null, role, admit }: Creation = {},
): Promise<Outcome<AccountView>> {
  const email = normalizeEmail(input.email);
  const username = normalizeUsername(input.username);
  const issues = listAccountIssues({ username, email, password: input.password });
  if (issues.length > 0) return refuseFields(issues);
  if (await isEmailInUse(email)) return emailInUseRefusal;
  const hashed = await hashPassword(input.password, { client: actor.ip ?? "command line" });
  if (!hashed.ok) return hashed;
  const values = { email, username, name: username, ...preferenceColumns(chosen), ...(role && { role }) };
  return withTransaction(async (transaction): Promise<Outcome<AccountView>> => {
    const refusal = await admit?.(transaction);
    if (refusal) throw new ThrownRefusal(refusal);
    const [account] = await transaction
      .insert(users)
      .values(values)
      .onConflictDoNothing({ target: users.email })
      .returning(accountColumns);
    // Another sign-up has just taken this email.
    if (!account) return emailInUseRefusal;
    const { id: userId } = account;
    await transaction.insert(credentials).values({ userId, hash: hashed.value, cost: hashCost });
    await recordEvent({ kind: "sign_up", userId, actor }, transaction);
    if (role === "operator") {
      await endSetupCode(transaction);
      await recordEvent({ kind: "operator_added", userId, actor }, transaction);
    }
    // Last, because this locks the invitation, and other sign-ups with the same one wait for the lock.
    await spendInvitation(transaction, { invitation }, userId);
    return done(account);
  }).catch(catchRefusal);
}

export const emailInUseRefusal = refuse("conflict", "This e-mail address is already in use", [
  { path: "email", message: "is already in use" },
]);

function listAccountIssues({ username, email, password }: NewAccount): Issue[] {
  const usernameError = findUsernameError(username);
  return [
    ...(usernameError ? [{ path: "username", message: usernameError }] : []),
    ...listAccessIssues({ email, password }),
  ];
}

export const listAccessIssues = ({ email, password }: Pick<NewAccount, "email" | "password">): Issue[] => [
  ...(isEmail(email) ? [] : [{ path: "email", message: mustBeEmail }]),
  ...listPasswordIssues(password),
];

export const listPasswordIssues = (password: string): Issue[] =>
  listPasswordErrors(password).map((missing) => ({ path: "password", message: `needs ${missing}` }));

export const isEmailInUse = async (email: string) => (await db.$count(users, eq(users.email, email))) > 0;

const uniqueViolation = "23505";

/** For `catch`: also refuses if another account took the email while the transaction was writing it. */
export const catchTakenEmail = (error: unknown): Refusal =>
  (error as { cause?: { code?: string } }).cause?.code === uniqueViolation
    ? emailInUseRefusal
    : catchRefusal(error);

/** A random password that passes `passwordRules`, for an account that the operator creates. */
export function generatePassword(): string {
  const secret = randomBytes(12).toString("base64url").replace(/[-_]/g, "");
  return `${secret.slice(0, 14)}aA1!`;
}
