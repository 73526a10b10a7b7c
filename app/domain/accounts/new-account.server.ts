import { randomBytes, timingSafeEqual } from "node:crypto";
import { eq } from "drizzle-orm";
import { db, withTransaction } from "#db/client.server.ts";
import { credentials, users } from "#db/schema/accounts.ts";
import { inBackground } from "../../platform/background.server.ts";
import { env } from "../../platform/env.server.ts";
import { done, type Issue, type Outcome, refuse } from "../errors.ts";
import {
  type AccountView,
  isEmail,
  normalizeEmail,
  normalizeUsername,
  passwordFaults,
  usernameFault,
} from "./accounts.ts";
import type { Caller } from "./known-addresses.server.ts";
import { sendVerification } from "./mailed-links.server.ts";
import { hashCost, hashPassword } from "./password-hashing.server.ts";
import { accountColumns } from "./session-user.server.ts";
import { type SignedIn, startSession } from "./sessions.server.ts";

export type NewAccount = { username: string; email: string; password: string };

type SignUp = NewAccount & { code?: string | undefined };

/** Creates an account with a password and signs it in, if the operator lets strangers in. */
export async function signUp({ code, ...input }: SignUp, caller: Caller): Promise<Outcome<SignedIn>> {
  const closed = signUpClosedTo(code);
  if (closed) return closed;
  const created = await createAccount(input);
  if (!created.ok) return created;
  inBackground("sending a verification mail", sendVerification(created.value));
  const secret = await startSession(created.value.id, caller);
  return secret === null ? refuse("unauthorized") : done({ account: created.value, secret });
}

export const signUpMode = () => env.SIGNUPS;

/** Whether somebody with this code (or none) may get an account here. */
export function signUpClosedTo(code: string | undefined) {
  if (env.SIGNUPS === "open") return null;
  if (env.SIGNUPS === "closed") return refuse("forbidden", "Sign-up is closed here");
  return isSignUpCode(code ?? "") ? null : refuse("forbidden", "The sign-up code is wrong");
}

function isSignUpCode(code: string) {
  const [given, right] = [code.trim(), env.SIGNUP_CODE ?? ""].map((text) => Buffer.from(text));
  return given?.length === right?.length && timingSafeEqual(given ?? Buffer.of(), right ?? Buffer.of());
}

/** The same without asking whether sign-up is open: the operator's command line comes in here. */
export async function createAccount(input: NewAccount): Promise<Outcome<AccountView>> {
  const email = normalizeEmail(input.email);
  const username = normalizeUsername(input.username);
  const issues = accountIssues({ username, email, password: input.password });
  if (issues.length > 0) return refuse("invalid", `${issues[0]?.path} ${issues[0]?.message}`, issues);
  if (await isEmailInUse(email)) return emailInUse;
  const hashed = await hashPassword(input.password);
  if (!hashed.ok) return hashed;
  const account = await insertAccount({ email, username, hash: hashed.value });
  return account ? done(account) : emailInUse;
}

const emailInUse = refuse("conflict", "This e-mail address is already in use", [
  { path: "email", message: "is already in use" },
]);

function accountIssues({ username, email, password }: NewAccount): Issue[] {
  const nameFault = usernameFault(username);
  return [
    ...(nameFault ? [{ path: "username", message: nameFault }] : []),
    ...(isEmail(email) ? [] : [{ path: "email", message: "must be an e-mail address" }]),
    ...passwordIssues(password),
  ];
}

export const passwordIssues = (password: string): Issue[] =>
  passwordFaults(password).map((fault) => ({ path: "password", message: `needs ${fault}` }));

async function isEmailInUse(email: string) {
  const [row] = await db.select({ id: users.id }).from(users).where(eq(users.email, email));
  return row !== undefined;
}

/** Null when another sign-up with this address was faster. */
function insertAccount({ email, username, hash }: { email: string; username: string; hash: string }) {
  return withTransaction(async (transaction) => {
    const [user] = await transaction
      .insert(users)
      .values({ email, username, name: username })
      .onConflictDoNothing({ target: users.email })
      .returning(accountColumns);
    if (!user) return null;
    await transaction.insert(credentials).values({ userId: user.id, hash, cost: hashCost });
    return user;
  });
}

/** A password that keeps the rules, for whoever the operator hands it to. */
export function inventPassword(): string {
  const secret = randomBytes(12).toString("base64url").replace(/[-_]/g, "");
  return `${secret.slice(0, 14)}aA1!`;
}
