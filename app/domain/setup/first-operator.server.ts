import { createHmac } from "node:crypto";
import { eq } from "drizzle-orm";
import { type ClientDevice, createSession, type NewSession } from "#app/domain/accounts/accounts.server.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { createAccount } from "#app/domain/sign-in/sign-in.server.ts";
import { getSigningSecrets, isSignedByUs, secretInLink } from "#app/platform/process/secrets.server.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { siteSettings } from "#db/schema/site-settings.ts";

/** While the site has no operator, whoever has the code that the start prints can become the first one. */

export const hasOperator = async (): Promise<boolean> =>
  (await db.$count(users, eq(users.role, "operator"))) > 0;

/**
 * The code is the same on all instances and after a restart. It also depends on a secret outside the database, so that
 * a backup does not reveal it. Null if there is an operator.
 */
export async function findSetupCode(): Promise<string | null> {
  if (await hasOperator()) return null;
  await db.insert(siteSettings).values({}).onConflictDoNothing();
  const [row] = await db.select({ nonce: siteSettings.setupNonce }).from(siteSettings);
  return row ? codeOf(row.nonce, getSigningSecrets()[0]) : null;
}

const codeOf = (nonce: string, secret: string) =>
  createHmac("sha256", secret).update(`setup ${nonce}`).digest("base64url");

const isCodeOf = (typed: string, nonce: string) =>
  isSignedByUs(secretInLink(typed), (secret) => codeOf(nonce, secret));

/** `isLocal`: local mode, and the request comes from this machine. */
type Pass = { code: string; isLocal: boolean };

const operatorExistsRefusal = refuse(
  "conflict",
  "This site has an operator already. Sign in, or ask the operator for an invitation.",
);
const wrongCodeRefusal = refuse(
  "forbidden",
  "The code is wrong. Copy the whole link that the start of the site printed.",
  [{ path: "code", message: "is wrong" }],
);

/** Creates the operator's account and signs it in. If several people try at the same time, only one succeeds. */
export async function createFirstOperator(
  person: Parameters<typeof createAccount>[0],
  pass: Pass,
  client: ClientDevice,
): Promise<Outcome<NewSession>> {
  // Checked before the password is hashed, because hashing takes long.
  if (await hasOperator()) return operatorExistsRefusal;
  if (!(await isAdmitted(pass, db))) return wrongCodeRefusal;
  const created = await createAccount(person, {
    actor: { kind: "member", ip: client.ip },
    role: "operator",
    admit: (transaction) => takeTurn(pass, transaction),
  });
  if (!created.ok) return created;
  const session = await createSession(created.value.id, client);
  return session ? done({ account: created.value, ...session }) : refuse("unauthorized");
}

async function isAdmitted({ code, isLocal }: Pass, at: Pick<Transaction, "select">) {
  if (isLocal) return true;
  const [row] = await at.select({ nonce: siteSettings.setupNonce }).from(siteSettings);
  return row !== undefined && isCodeOf(code, row.nonce);
}

/** The row stays locked until the account exists, so a second person waits and then finds an operator. */
async function takeTurn(pass: Pass, transaction: Transaction) {
  await transaction.insert(siteSettings).values({}).onConflictDoNothing();
  await transaction.select({ only: siteSettings.only }).from(siteSettings).for("update");
  if ((await transaction.$count(users, eq(users.role, "operator"))) > 0) return operatorExistsRefusal;
  if (!(await isAdmitted(pass, transaction))) return wrongCodeRefusal;
  await transaction.update(siteSettings).set({ setupStep: "videos" });
  return null;
}
