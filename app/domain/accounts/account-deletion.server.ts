import { eq } from "drizzle-orm";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { minutes } from "#app/platform/units.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { checkPassword } from "./credentials/passwords.server.ts";

/** A member who signed in this recently needs no password: an account that uses a provider has none. */
const recentSignInMs = minutes(10);

type Request = { userId: string; signedInAt: Date; password?: string | undefined };

export async function mayDeleteAccount({ userId, signedInAt, password }: Request): Promise<Outcome<null>> {
  // After the clock was set back, an old sign-in could lie in the future.
  const isRecent = Math.abs(Date.now() - signedInAt.getTime()) <= recentSignInMs;
  if (password === undefined)
    return isRecent ? done(null) : refuse("forbidden", "Enter your password, or sign in again first");
  const checked = await checkPassword(userId, password, "password");
  if (!checked.ok) return checked;
  return checked.value !== null || isRecent
    ? done(null)
    : refuse("forbidden", "This account has no password; sign in again first");
}

/**
 * Deletes the account and, by foreign keys, every row that refers to it. `deleteUnusedPictures` deletes its pictures
 * later.
 */
export async function deleteAccount(userId: string): Promise<boolean> {
  const deleted = await db.delete(users).where(eq(users.id, userId)).returning({ id: users.id });
  return deleted.length > 0;
}
