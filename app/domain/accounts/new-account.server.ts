import { randomBytes, timingSafeEqual } from "node:crypto";
import { eq } from "drizzle-orm";
import { done, type Issue, type Outcome, refuse } from "#app/domain/errors.ts";
import { type Actor, commandLine, recordEvent } from "#app/domain/events/events.server.ts";
import { inBackground } from "#app/platform/log.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { mustBeEmail } from "#app/platform/validation-messages.ts";
import { db, withTransaction } from "#db/client.server.ts";
import { credentials, users } from "#db/schema/accounts.ts";
import {
  type AccountView,
  findUsernameError,
  isEmail,
  listPasswordErrors,
  normalizeEmail,
  normalizeUsername,
  type Preferences,
} from "./accounts.ts";
import type { ClientDevice } from "./credentials/known-ips.server.ts";
import { sendVerificationMail } from "./credentials/mailed-links.server.ts";
import { hashCost, hashPassword } from "./credentials/password-hashing.server.ts";
import { columnsOf, type PreferencesChange } from "./preferences.server.ts";
import { accountColumns } from "./sessions/session-user.server.ts";
import { createSession, type NewSession } from "./sessions/sessions.server.ts";

type NewAccount = { username: string; email: string; password: string };

type SignUp = NewAccount & { code?: string | undefined };

/**
 * Signs a visitor up and in, if sign-up is open to them. The account takes over the visitor's preferences, except that
 * parental control always starts as on.
 */
export async function openAccount(
  { code, ...input }: SignUp,
  client: ClientDevice,
  visitor: Preferences,
): Promise<Outcome<NewSession>> {
  const signUpRefusal = findSignUpRefusal(code);
  if (signUpRefusal) return signUpRefusal;
  const { parentalControl: _, ...chosen } = visitor;
  const created = await createAccount(input, chosen, { kind: "member", ip: client.ip });
  if (!created.ok) return created;
  inBackground("sending a verification mail", sendVerificationMail(created.value));
  const session = await createSession(created.value.id, client);
  return session ? done({ account: created.value, ...session }) : refuse("unauthorized");
}

export const getSignUpMode = () => env.SIGNUPS;

/** Null if a visitor with this sign-up code may create an account. */
export function findSignUpRefusal(code: string | undefined) {
  if (env.SIGNUPS === "open") return null;
  if (env.SIGNUPS === "closed") return refuse("forbidden", "Sign-up is closed here");
  return isSignUpCode(code ?? "") ? null : refuse("forbidden", "The sign-up code is wrong");
}

function isSignUpCode(code: string) {
  const [given, expected] = [code.trim(), env.SIGNUP_CODE ?? ""].map((text) => Buffer.from(text));
  return given?.length === expected?.length && timingSafeEqual(given ?? Buffer.of(), expected ?? Buffer.of());
}

/** Creates an account even if sign-up is closed: the operator's command line uses it. */
export async function createAccount(
  input: NewAccount,
  chosen: Omit<PreferencesChange, "parentalControl"> = {},
  actor: Actor = commandLine,
): Promise<Outcome<AccountView>> {
  const email = normalizeEmail(input.email);
  const username = normalizeUsername(input.username);
  const issues = listAccountIssues({ username, email, password: input.password });
  if (issues.length > 0) return refuse("invalid", `${issues[0]?.path} ${issues[0]?.message}`, issues);
  if (await isEmailInUse(email)) return emailInUseRefusal;
  const hashed = await hashPassword(input.password, { client: actor.ip ?? "command line" });
  if (!hashed.ok) return hashed;
  const account = await insertAccount(
    { email, username, name: username, ...columnsOf(chosen) },
    hashed.value,
    actor,
  );
  return account ? done(account) : emailInUseRefusal;
}

export const emailInUseRefusal = refuse("conflict", "This e-mail address is already in use", [
  { path: "email", message: "is already in use" },
]);

function listAccountIssues({ username, email, password }: NewAccount): Issue[] {
  const usernameError = findUsernameError(username);
  return [
    ...(usernameError ? [{ path: "username", message: usernameError }] : []),
    ...(isEmail(email) ? [] : [{ path: "email", message: mustBeEmail }]),
    ...listPasswordIssues(password),
  ];
}

export const listPasswordIssues = (password: string): Issue[] =>
  listPasswordErrors(password).map((missing) => ({ path: "password", message: `needs ${missing}` }));

export async function isEmailInUse(email: string) {
  const [row] = await db.select({ id: users.id }).from(users).where(eq(users.email, email));
  return row !== undefined;
}

/** Null if another sign-up has just taken this email. */
function insertAccount(values: typeof users.$inferInsert, hash: string, actor: Actor) {
  return withTransaction(async (transaction) => {
    const [user] = await transaction
      .insert(users)
      .values(values)
      .onConflictDoNothing({ target: users.email })
      .returning(accountColumns);
    if (!user) return null;
    await transaction.insert(credentials).values({ userId: user.id, hash, cost: hashCost });
    await recordEvent({ kind: "sign_up", userId: user.id, actor }, transaction);
    return user;
  });
}

/** A random password that passes `passwordRules`, for an account that the operator creates. */
export function generatePassword(): string {
  const secret = randomBytes(12).toString("base64url").replace(/[-_]/g, "");
  return `${secret.slice(0, 14)}aA1!`;
}
