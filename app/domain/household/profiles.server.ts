import { and, asc, eq, isNotNull, or, sql } from "drizzle-orm";
import {
  endFilmPasses,
  type FoundSession,
  sessionUserColumns,
  toSessionUser,
  whileSessionValid,
} from "#app/domain/accounts/accounts.server.ts";
import {
  type Ceiling,
  findUsernameError,
  isOwner,
  maxProfiles,
  normalizeUsername,
  type SessionUser,
  usernameLength,
} from "#app/domain/accounts/accounts.ts";
import { done, type Outcome, refuse, refuseFields } from "#app/domain/errors.ts";
import { type Actor, recordEvent } from "#app/domain/events/events.server.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { accessTokens, profilePins, sessions, users } from "#db/schema/accounts.ts";
import { deviceCodes } from "#db/schema/device-codes.ts";
import { episodeWishes, searchHistory, wishes } from "#db/schema/library.ts";
import { saveFirstPin } from "./pins.server.ts";

/** The profiles of one account: its household. Only the owner's profile manages the others. */

type HouseholdProfile = {
  id: string;
  name: string;
  avatar: string | null;
  accentColor: string;
  /** The account's first profile. It is deleted only with the account. */
  isOwner: boolean;
  ceiling: Ceiling | null;
  createdAt: Date;
};

const columns = {
  id: users.id,
  name: users.name,
  avatar: users.avatarUrl,
  accentColor: users.accentColor,
  isOwner: sql<boolean>`users.account_id is null`,
  ceiling: users.ceiling,
  createdAt: users.createdAt,
};

export const isInHousehold = (accountId: string) =>
  or(eq(users.id, accountId), eq(users.accountId, accountId));

/** The owner's first, then the oldest. */
export const listProfiles = (accountId: string): Promise<HouseholdProfile[]> =>
  db
    .select(columns)
    .from(users)
    .where(isInHousehold(accountId))
    .orderBy(sql`users.account_id is not null`, asc(users.createdAt), asc(users.id));

/** The profiles of the account that belong to children, as guards read a member. */
export async function listChildren(accountId: string): Promise<SessionUser[]> {
  const rows = await db
    .select(sessionUserColumns)
    .from(users)
    .where(and(eq(users.accountId, accountId), isNotNull(users.ceiling)))
    .orderBy(asc(users.createdAt), asc(users.id));
  return rows.map(toSessionUser);
}

export async function findProfile(accountId: string, profileId: string): Promise<HouseholdProfile | null> {
  const [found] = await db
    .select(columns)
    .from(users)
    .where(and(isInHousehold(accountId), eq(users.id, profileId)));
  return found ?? null;
}

export const ownerOnlyRefusal = refuse(
  "forbidden",
  "Only the first profile of this account can do this. Switch to it and try again.",
);

export const noSuchProfile = refuse("not_found", "This account has no such profile");

/** A profile with a ceiling belongs to a child. */
type ProfileFields = { name: string; accentColor: string; ceiling: Ceiling | null };

/** The PIN of the owner's own profile, which the first child of the household requires. */
type OwnersPin = { pin: string };

/** Checks what the owner has entered, and stores their first PIN for a child. */
async function acceptFields(
  session: FoundSession,
  { name: typedName, accentColor, ceiling, pin }: ProfileFields & OwnersPin,
  actor: Actor,
): Promise<Outcome<ProfileFields>> {
  if (!isOwner(session.user)) return ownerOnlyRefusal;
  const name = normalizeUsername(typedName);
  // Names in a household may be shorter than names that strangers see, for example Jo.
  const nameError = findUsernameError(name, 1);
  const issues = [
    ...(nameError ? [{ path: "name", message: nameError }] : []),
    ...(/^#[0-9a-f]{6}$/i.test(accentColor) ? [] : [{ path: "accent", message: "must be a color" }]),
  ];
  if (issues.length > 0) return refuseFields(issues);
  const locked = ceiling === null ? done(null) : await saveFirstPin(session, pin, actor);
  return locked.ok ? done({ name, accentColor, ceiling }) : locked;
}

/** The least length counts characters, as the database does. `padEnd` would count an emoji as two. */
const paddedName = (name: string) => name + ".".repeat(Math.max(0, usernameLength.min - [...name].length));

/**
 * The profile starts with the owner's time zone, theme and language of titles, and with parental control on, like a new
 * account.
 */
export async function createProfile(
  session: FoundSession,
  fields: ProfileFields & OwnersPin,
  actor: Actor,
): Promise<Outcome<{ id: string }>> {
  const accepted = await acceptFields(session, fields, actor);
  if (!accepted.ok) return accepted;
  const { user: owner } = session;
  const { name, accentColor, ceiling } = accepted.value;
  return whileSessionValid(session, async (transaction) => {
    if ((await transaction.$count(users, isInHousehold(owner.accountId))) >= maxProfiles)
      return refuse("conflict", `An account has at most ${maxProfiles} profiles. Delete one first.`);
    const { timeZone, titleLanguage, theme } = owner.preferences;
    const [created] = await transaction
      .insert(users)
      .values({
        accountId: owner.accountId,
        username: paddedName(name),
        name,
        accentColor,
        timeZone,
        titleLanguage,
        theme,
        ceiling,
        trackSearchHistory: ceiling === null,
      })
      .returning({ id: users.id });
    if (!created) throw new Error("a profile was not stored");
    const event = { kind: "profile_added", userId: owner.accountId, actor, detail: name } as const;
    await recordEvent(event, transaction);
    return done(created);
  });
}

/**
 * Changes the name, the accent and the ceiling of another profile of the household. The owner changes their own in the
 * settings.
 */
export async function updateHouseholdProfile(
  session: FoundSession,
  profileId: string,
  fields: ProfileFields & OwnersPin,
  actor: Actor,
): Promise<Outcome<null>> {
  const accepted = await acceptFields(session, fields, actor);
  if (!accepted.ok) return accepted;
  const { user: owner } = session;
  const { name, accentColor, ceiling } = accepted.value;
  return whileSessionValid(session, async (transaction) => {
    const isProfile = and(eq(users.id, profileId), eq(users.accountId, owner.accountId));
    const [before] = await transaction.select({ ceiling: users.ceiling }).from(users).where(isProfile);
    if (!before) return noSuchProfile;
    if (ceiling !== null && before.ceiling === null) await makeChild(transaction, profileId);
    await transaction
      .update(users)
      .set({
        name,
        accentColor,
        ceiling,
        profileUpdatedAt: new Date(),
        preferencesUpdatedAt: new Date(),
      })
      .where(isProfile);
    if (ceiling !== before.ceiling) {
      await endFilmPasses(owner.accountId, transaction);
      const event = { kind: "ceiling_changed", userId: owner.accountId, actor, detail: name } as const;
      await recordEvent(event, transaction);
    }
    return done(null);
  });
}

/**
 * Deletes the data that a child's profile cannot have. The profile's sessions end, because their cookies lack the mark
 * by which caches recognise a child.
 */
async function makeChild(transaction: Transaction, userId: string) {
  await transaction
    .update(users)
    .set({
      birthday: null,
      gender: null,
      lastName: null,
      parentalControl: true,
      trackSearchHistory: false,
      forgetsWatched: false,
    })
    .where(eq(users.id, userId));
  await transaction.delete(searchHistory).where(eq(searchHistory.userId, userId));
  await transaction.delete(wishes).where(eq(wishes.userId, userId));
  await transaction.delete(episodeWishes).where(eq(episodeWishes.userId, userId));
  await transaction.delete(accessTokens).where(eq(accessTokens.userId, userId));
  await transaction.delete(sessions).where(eq(sessions.userId, userId));
  await transaction.delete(deviceCodes).where(eq(deviceCodes.userId, userId));
  await transaction.delete(profilePins).where(eq(profilePins.userId, userId));
}

/** Deletes the profile with its lists and histories, and ends the sessions that act for it. The others keep theirs. */
export async function deleteProfile(
  session: FoundSession,
  profileId: string,
  actor: Actor,
): Promise<Outcome<{ name: string }>> {
  const { user: owner } = session;
  if (!isOwner(owner)) return ownerOnlyRefusal;
  return whileSessionValid(session, async (transaction) => {
    const [deleted] = await transaction
      .delete(users)
      .where(and(eq(users.id, profileId), eq(users.accountId, owner.accountId)))
      .returning({ name: users.name });
    if (!deleted) return noSuchProfile;
    const event = { kind: "profile_deleted", userId: owner.accountId, actor, detail: deleted.name } as const;
    await recordEvent(event, transaction);
    return done(deleted);
  });
}
