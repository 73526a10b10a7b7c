import { and, eq, sql } from "drizzle-orm";
import {
  type FoundSession,
  lockAccount,
  moveSession,
  type SwitchedSession,
  sessionUserColumns,
  toSessionUser,
} from "#app/domain/accounts/accounts.server.ts";
import { isChild, isPin, mayBeChild, type SessionUser } from "#app/domain/accounts/accounts.ts";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import type { Actor } from "#app/domain/events/events.server.ts";
import { checkPassword, hasPassword, isRecentSignIn } from "#app/domain/sign-in/sign-in.server.ts";
import { db, withTransaction } from "#db/client.server.ts";
import { credentials, profilePins, users } from "#db/schema/accounts.ts";
import { checkPin, forgetFailures, hasPin } from "./pins.server.ts";
import { isInHousehold, noSuchProfile } from "./profiles.server.ts";

/** Switching to another profile of the household, and the proof that this requires. */

/**
 * The proof that is required before the session acts for the profile: none, the profile's PIN, the account's password,
 * or a sign-in at the provider.
 */
type EntryProof = null | "pin" | "password" | "sign-in";
type Entry = {
  name: string;
  asks: EntryProof;
  /** The account has a password, which opens every profile. */
  hasPassword: boolean;
};

/** Finds the profile and the proof that it requires, for the form that opens it. */
export async function findEntry(session: FoundSession, profileId: string): Promise<Outcome<Entry>> {
  const { accountId, id } = session.user;
  const [profile] = await db
    .select({
      name: users.name,
      ceiling: users.ceiling,
      hasPin: sql<boolean>`exists (select from ${profilePins} where user_id = ${users.id})`,
      hasPassword: sql<boolean>`exists (select from ${credentials} where user_id = ${accountId}::uuid)`,
    })
    .from(users)
    .where(and(isInHousehold(accountId), eq(users.id, profileId)));
  if (!profile) return noSuchProfile;
  const { name, hasPassword } = profile;
  const isFromChild = mayBeChild(session);
  const stays = profileId === id && !session.asksWho;
  const asks = isChild(profile) || stays ? null : proofOf({ ...profile, isFromChild }, session);
  return done({ name, asks, hasPassword });
}

type ProfileLocks = { hasPin: boolean; hasPassword: boolean; isFromChild: boolean };

function proofOf(
  { hasPin, hasPassword, isFromChild }: ProfileLocks,
  { signedInAt }: FoundSession,
): EntryProof {
  // A recent sign-in counts only for accounts without a password. Otherwise the password opens every profile.
  const isProven = !hasPassword && isRecentSignIn(signedInAt);
  if (hasPin) return isProven && !isFromChild ? null : "pin";
  if (!isFromChild) return null;
  if (hasPassword) return "password";
  return isProven ? null : "sign-in";
}

type TypedProof = { pin?: string | undefined; password?: string | undefined };

const missingProof = {
  pin: "Type the PIN of this profile.",
  password: "Type the password of the account.",
  "sign-in": "Sign in again to open this profile.",
};

/** Makes the session act for another profile of its account, with a new secret for its cookie. */
export async function switchProfile(
  session: FoundSession,
  profileId: string,
  typed: TypedProof,
  actor: Actor,
): Promise<Outcome<SwitchedSession>> {
  const entry = await findEntry(session, profileId);
  if (!entry.ok) return entry;
  if (entry.value.asks !== null) {
    const proven = await checkProof(session.user, profileId, typed, actor);
    if (proven === null) return refuse("forbidden", missingProof[entry.value.asks]);
    if (!proven.ok) return proven;
  }
  const { accountId } = session.user;
  return withTransaction(async (transaction) => {
    await lockAccount(transaction, accountId);
    const [row] = await transaction
      .select(sessionUserColumns)
      .from(users)
      .where(and(isInHousehold(accountId), eq(users.id, profileId)));
    if (!row) return noSuchProfile;
    const { preferences, isOneOfSeveral, ceiling } = toSessionUser(row);
    const secret = await moveSession(session, profileId, transaction);
    if (secret === null) return refuse("unauthorized");
    return done({ secret, preferences, isOneOfSeveral, isChild: ceiling !== null });
  });
}

/** The password is checked before the PIN. Null if neither was typed, or the account has no password. */
async function checkProof(
  { accountId }: Pick<SessionUser, "accountId">,
  profileId: string,
  { pin, password }: TypedProof,
  actor: Actor,
): Promise<Outcome<null> | null> {
  if (password !== undefined) {
    const checked = await checkPassword({ userId: accountId, actor, password, field: "password" });
    if (!checked.ok) return checked;
    if (checked.value === null) return null;
    await forgetFailures(profileId);
    return done(null);
  }
  return pin !== undefined && (await hasPin(profileId)) ? checkPin(profileId, pin, actor) : null;
}

/**
 * Changing a PIN requires the previous one or the account's password. Without a password, a recent sign-in is enough.
 */
export async function mayChangePin(
  { user, signedInAt }: FoundSession,
  current: string | undefined,
  actor: Actor,
): Promise<Outcome<null>> {
  if (!(await hasPin(user.id))) return done(null);
  const accountHasPassword = await hasPassword(user.accountId);
  if (!accountHasPassword && isRecentSignIn(signedInAt)) return done(null);
  if (current === undefined || isPin(current) || !accountHasPassword)
    return checkPin(user.id, current ?? "", actor, "current");
  const { accountId: userId } = user;
  const checked = await checkPassword({ userId, actor, password: current, field: "current" });
  return checked.ok ? done(null) : checked;
}
