import { eq } from "drizzle-orm";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { minutes } from "#app/platform/units.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { checkPassword } from "./credentials/passwords.server.ts";

/** A sign-in this fresh stands for the password: an account of the provider has none. */
const freshSignInMs = minutes(10);

type Request = { userId: string; signedInAt: Date; password?: string | undefined };

/** Whether somebody may delete this account now. */
export async function mayDeleteAccount({ userId, signedInAt, password }: Request): Promise<Outcome<null>> {
  const isFresh = Date.now() - signedInAt.getTime() <= freshSignInMs;
  if (password === undefined)
    return isFresh ? done(null) : refuse("forbidden", "Give your password, or sign in again first");
  const checked = await checkPassword(userId, password, "password");
  if (!checked.ok) return checked;
  return checked.value !== null || isFresh
    ? done(null)
    : refuse("forbidden", "This account has no password; sign in again first");
}

/** The account and every row that refers to it. Pictures that nobody uses any more are the pictures' own to sweep. */
export async function deleteAccount(userId: string): Promise<boolean> {
  const deleted = await db.delete(users).where(eq(users.id, userId)).returning({ id: users.id });
  return deleted.length > 0;
}
