import { eq, sql } from "drizzle-orm";
import { accountEmail } from "#app/domain/accounts/accounts.server.ts";
import {
  findBirthdayError,
  findUsernameError,
  isMinor,
  normalizeUsername,
  usernameLength,
} from "#app/domain/accounts/accounts.ts";
import { pickFields } from "#app/domain/declared-fields.ts";
import { done, type Issue, type Outcome, refuse, refuseFields } from "#app/domain/errors.ts";
import { replacePictureUses } from "#app/domain/images/images.server.ts";
import { preparedDb, type Transaction, withTransaction } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { type MemberFields, memberFieldNames, questionNames } from "./profile.ts";

const profileColumns = {
  id: users.id,
  email: accountEmail,
  username: users.username,
  ...pickFields(users, memberFieldNames),
  createdAt: users.createdAt,
  updatedAt: users.profileUpdatedAt,
};

export type Profile = MemberFields & {
  id: string;
  /** The account's email. */
  email: string;
  username: string;
  createdAt: Date;
  updatedAt: Date;
};
/** Missing fields stay as they are. URLs of stored pictures are root-relative. */
export type ProfileChange = { [Name in keyof MemberFields]?: MemberFields[Name] | undefined };

export async function getProfile(userId: string): Promise<Outcome<Profile>> {
  const [row] = await preparedDb.select(profileColumns).from(users).where(eq(users.id, userId));
  return row ? done(row) : refuse("unauthorized");
}

/**
 * Whether the member has told the site any of their tastes. `shownFavorites` counts only favorites that they can see.
 */
export function hasTastes(profile: Profile, shownFavorites: number): boolean {
  const { favoriteGenres, favoriteStudios } = profile;
  const favorites = shownFavorites + favoriteGenres.length + favoriteStudios.length;
  return favorites > 0 || questionNames.some((name) => profile[name] !== null);
}

export const updateProfile = (userId: string, change: ProfileChange): Promise<Outcome<Profile>> =>
  editProfile(userId, () => done(change));

/**
 * For changes that depend on the stored profile, such as adding a favorite. The profile is locked until it is saved, so
 * that a concurrent change from another device is not lost.
 */
export const editProfile = (
  userId: string,
  toChange: (stored: Profile) => Outcome<ProfileChange>,
): Promise<Outcome<Profile>> =>
  withTransaction(async (transaction) => {
    const [stored] = await transaction
      .select({ ...profileColumns, accountId: users.accountId })
      .from(users)
      .where(eq(users.id, userId))
      .for("no key update");
    if (!stored) return refuse("unauthorized");
    const requested = toChange(stored);
    if (!requested.ok) return requested;
    const change = checkProfile(stored, requested.value);
    if (!change.ok) return change;
    const refusal = await storePictureUses(transaction, userId, change.value);
    return refusal ?? saveProfile(transaction, userId, change.value);
  });

async function saveProfile(
  transaction: Transaction,
  userId: string,
  change: ProfileChange,
): Promise<Outcome<Profile>> {
  const [row] = await transaction
    .update(users)
    .set({ ...change, profileUpdatedAt: new Date() })
    .where(eq(users.id, userId))
    .returning(profileColumns);
  return row ? done(row) : refuse("unauthorized");
}

type StoredProfile = Pick<Profile, "name" | "birthday"> & { accountId: string | null };

function checkProfile(stored: StoredProfile, input: ProfileChange): Outcome<ProfileChange> {
  const change = normalizeProfile(input);
  // A household allows shorter names, and a profile keeps its name when it becomes an account.
  const { name, ...others } = change;
  const checked = name === stored.name ? others : change;
  const issues = listProfileIssues(checked, stored.accountId === null ? usernameLength.min : 1);
  if (issues.length > 0) return refuseFields(issues);
  return findBirthdayRefusal(stored, change) ?? done(change);
}

const unique = <Value>(values: readonly Value[]) => [...new Set(values)];

const normalizeProfile = (change: ProfileChange): ProfileChange => ({
  ...change,
  ...(change.name !== undefined && { name: normalizeUsername(change.name) }),
  ...(change.lastName != null && { lastName: normalizeUsername(change.lastName) }),
  ...(change.favoriteAnimes && { favoriteAnimes: unique(change.favoriteAnimes) }),
  ...(change.watchedAnimes && { watchedAnimes: unique(change.watchedAnimes) }),
  ...(change.favoriteStudios && { favoriteStudios: unique(change.favoriteStudios) }),
  ...(change.favoriteGenres && { favoriteGenres: unique(change.favoriteGenres) }),
});

function listProfileIssues({ name, lastName, birthday }: ProfileChange, minNameLength: number): Issue[] {
  const issue = (path: string, message: string | null) => (message ? [{ path, message }] : []);
  return [
    ...(name === undefined ? [] : issue("name", findUsernameError(name, minNameLength))),
    ...(lastName == null ? [] : issue("last_name", findUsernameError(lastName, 1))),
    ...(birthday == null ? [] : issue("birthday", findBirthdayError(birthday))),
  ];
}

/**
 * Minors cannot change their birthday. Otherwise a child could end parental control by entering an earlier one. Only an
 * operator can remove it.
 */
function findBirthdayRefusal(stored: Pick<StoredProfile, "birthday">, { birthday }: ProfileChange) {
  if (birthday === undefined || stored.birthday === birthday || !isMinor(stored.birthday)) return null;
  const message = "can be changed only by an operator of this site, because it says that you are under 18";
  return refuseFields([{ path: "birthday", message }]);
}

/** Records which stored pictures the profile uses, because unused ones are deleted. */
async function storePictureUses(
  transaction: Transaction,
  userId: string,
  { avatarUrl, bannerImage }: ProfileChange,
) {
  const chosen = [
    { kind: "avatar", url: avatarUrl },
    { kind: "banner", url: bannerImage },
  ] as const;
  const pictures = chosen.flatMap(({ kind, url }) =>
    url === undefined ? [] : { kind, cid: /^\/ipfs\/([^/?#]+)$/.exec(url ?? "")?.[1] ?? null },
  );
  if (pictures.length === 0) return null;
  const missing = await replacePictureUses(transaction, userId, pictures);
  if (missing === null) return null;
  return refuse("invalid", "This picture is not stored here; upload it again", [
    {
      path: missing === "avatar" ? "avatar_url" : "banner_image",
      message: "is not stored here; upload it again",
    },
  ]);
}

/** Replaces a title by another among the titles that members chose. */
export async function moveInProfiles(
  transaction: Transaction,
  { from, to }: { from: number; to: number },
): Promise<void> {
  for (const name of ["favoriteAnimes", "watchedAnimes"] as const) {
    const column = users[name];
    const moved = sql`case when ${to} = any(${column}) then array_remove(${column}, ${from})
      else array_replace(${column}, ${from}, ${to}) end`;
    await transaction
      .update(users)
      .set({ [name]: moved })
      .where(sql`${from} = any(${column})`);
  }
}
