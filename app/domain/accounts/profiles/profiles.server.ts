import { and, asc, eq, or, sql } from "drizzle-orm";
import { done, type Issue, type Outcome, refuse } from "#app/domain/errors.ts";
import { type Actor, recordEvent } from "#app/domain/events/events.server.ts";
import { db, withTransaction } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { lockAccount } from "../account-rows.server.ts";
import {
  findUsernameError,
  isOwner,
  maxProfiles,
  normalizeUsername,
  type SessionUser,
  usernameLength,
} from "../accounts.ts";
import { sessionUserColumns, toSessionUser } from "../sessions/session-user.server.ts";
import { type CreatedSession, type FoundSession, moveSession } from "../sessions/sessions.server.ts";

/** The profiles of one account: its household. Only the owner's profile manages the others. */

type HouseholdProfile = {
  id: string;
  name: string;
  avatar: string | null;
  accentColor: string;
  /** The account's first profile. It is deleted only with the account. */
  isOwner: boolean;
  createdAt: Date;
};

const columns = {
  id: users.id,
  name: users.name,
  avatar: users.avatarUrl,
  accentColor: users.accent,
  isOwner: sql<boolean>`users.account_id is null`,
  createdAt: users.createdAt,
};

const isInHousehold = (accountId: string) => or(eq(users.id, accountId), eq(users.accountId, accountId));

/** The owner's first, then the oldest. */
export const listProfiles = (accountId: string): Promise<HouseholdProfile[]> =>
  db
    .select(columns)
    .from(users)
    .where(isInHousehold(accountId))
    .orderBy(sql`users.account_id is not null`, asc(users.createdAt), asc(users.id));

export async function findProfile(accountId: string, profileId: string): Promise<HouseholdProfile | null> {
  const [found] = await db
    .select(columns)
    .from(users)
    .where(and(isInHousehold(accountId), eq(users.id, profileId)));
  return found ?? null;
}

const ownerOnlyRefusal = refuse(
  "forbidden",
  "Only the first profile of this account can do this. Switch to it and try again.",
);

const noSuchProfile = refuse("not_found", "This account has no such profile");

type ProfileFields = { name: string; accentColor: string };

/** A household has names that are shorter than those that strangers see, such as Jo. */
function listFieldIssues({ name, accentColor }: ProfileFields): Issue[] {
  const nameError = findUsernameError(name, 1);
  return [
    ...(nameError ? [{ path: "name", message: nameError }] : []),
    ...(/^#[0-9a-f]{6}$/i.test(accentColor) ? [] : [{ path: "accent", message: "must be a color" }]),
  ];
}

/** Starts with the owner's time zone and language of titles, and with parental control on, as a new account does. */
export async function createProfile(
  owner: SessionUser,
  fields: ProfileFields,
  actor: Actor,
): Promise<Outcome<{ id: string }>> {
  if (!isOwner(owner)) return ownerOnlyRefusal;
  const input = { ...fields, name: normalizeUsername(fields.name) };
  const issues = listFieldIssues(input);
  if (issues.length > 0) return refuse("invalid", `${issues[0]?.path} ${issues[0]?.message}`, issues);
  const { name, accentColor: accent } = input;
  return withTransaction(async (transaction) => {
    await lockAccount(transaction, owner.accountId);
    if ((await transaction.$count(users, isInHousehold(owner.accountId))) >= maxProfiles)
      return refuse("conflict", `An account has at most ${maxProfiles} profiles. Delete one first.`);
    const { timeZone, titleLanguage } = owner.preferences;
    const [created] = await transaction
      .insert(users)
      .values({
        accountId: owner.accountId,
        username: findUsernameError(name) === null ? name : name.padEnd(usernameLength.min, "."),
        name,
        accent,
        timeZone,
        titleLanguage,
      })
      .returning({ id: users.id });
    if (!created) throw new Error("a profile was not stored");
    const event = { kind: "profile_added", userId: owner.accountId, actor, detail: name } as const;
    await recordEvent(event, transaction);
    return done(created);
  });
}

/** The name and the accent of another profile of the household. The owner's own are in the settings. */
export async function updateHouseholdProfile(
  owner: SessionUser,
  profileId: string,
  fields: ProfileFields,
): Promise<Outcome<null>> {
  if (!isOwner(owner)) return ownerOnlyRefusal;
  const { name, accentColor: accent } = { ...fields, name: normalizeUsername(fields.name) };
  const issues = listFieldIssues({ name, accentColor: accent });
  if (issues.length > 0) return refuse("invalid", `${issues[0]?.path} ${issues[0]?.message}`, issues);
  const now = new Date();
  const updated = await db
    .update(users)
    .set({ name, accent, profileUpdatedAt: now, preferencesUpdatedAt: now })
    .where(and(eq(users.id, profileId), eq(users.accountId, owner.accountId)))
    .returning({ id: users.id });
  return updated.length > 0 ? done(null) : noSuchProfile;
}

/** Deletes the profile with its lists and histories, and ends the sessions that act for it. The others keep theirs. */
export async function deleteProfile(
  owner: SessionUser,
  profileId: string,
  actor: Actor,
): Promise<Outcome<{ name: string }>> {
  if (!isOwner(owner)) return ownerOnlyRefusal;
  return withTransaction(async (transaction) => {
    await lockAccount(transaction, owner.accountId);
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

/** Makes the session act for another profile of its account, with a new secret for its cookie. */
export async function switchProfile(
  session: FoundSession,
  profileId: string,
): Promise<Outcome<CreatedSession>> {
  const { accountId } = session.user;
  return withTransaction(async (transaction) => {
    await lockAccount(transaction, accountId);
    const [row] = await transaction
      .select(sessionUserColumns)
      .from(users)
      .where(and(isInHousehold(accountId), eq(users.id, profileId)));
    if (!row) return noSuchProfile;
    const { preferences, isOneOfSeveral } = toSessionUser(row);
    const secret = await moveSession(session, profileId, transaction);
    return secret === null ? refuse("unauthorized") : done({ secret, preferences, isOneOfSeveral });
  });
}
