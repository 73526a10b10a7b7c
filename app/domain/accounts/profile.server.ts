import { eq } from "drizzle-orm";
import { done, type Issue, type Outcome, refuse } from "#app/domain/errors.ts";
import { claimStoredPicture, releaseStoredPicture } from "#app/domain/images/images.server.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/accounts.ts";
import { findBirthdayError, findUsernameError, normalizeUsername } from "./accounts.ts";

/** Who somebody says they are, and what they like. */

const profileColumns = {
  id: users.id,
  email: users.email,
  username: users.username,
  name: users.name,
  lastName: users.lastName,
  avatarUrl: users.avatarUrl,
  bannerImage: users.bannerImage,
  birthday: users.birthday,
  gender: users.gender,
  favoriteAnimes: users.favoriteAnimes,
  watchedAnimes: users.watchedAnimes,
  favoriteStudios: users.favoriteStudios,
  favoriteGenres: users.favoriteGenres,
  frequencyOfWatch: users.frequencyOfWatch,
  fanaticLevel: users.fanaticLevel,
  preferredFormat: users.preferredFormat,
  createdAt: users.createdAt,
  updatedAt: users.profileUpdatedAt,
};

type Own = "id" | "email" | "username" | "createdAt" | "updatedAt";
export type Profile = Pick<typeof users.$inferSelect, Exclude<keyof typeof profileColumns, "updatedAt">> & {
  updatedAt: Date;
};
/** What is not named stays. Pictures are root-relative when they are ours. */
export type ProfileChange = { [Field in Exclude<keyof Profile, Own>]?: Profile[Field] | undefined };

export async function getProfile(userId: string): Promise<Outcome<Profile>> {
  const [row] = await db.select(profileColumns).from(users).where(eq(users.id, userId));
  return row ? done(row) : refuse("unauthorized");
}

export async function updateProfile(userId: string, asked: ProfileChange): Promise<Outcome<Profile>> {
  const change = normalised(asked);
  const issues = faultsOf(change);
  if (issues.length > 0) return refuse("invalid", `${issues[0]?.path} ${issues[0]?.message}`, issues);
  const missing = await claimPictures(userId, change);
  if (missing) return missing;
  const [row] = await db
    .update(users)
    .set({ ...change, profileUpdatedAt: new Date() })
    .where(eq(users.id, userId))
    .returning(profileColumns);
  return row ? done(row) : refuse("unauthorized");
}

const unique = <Value>(values: readonly Value[]) => [...new Set(values)];

/** Lists keep their order and lose what repeats. */
const normalised = (change: ProfileChange): ProfileChange => ({
  ...change,
  ...(change.name !== undefined && { name: normalizeUsername(change.name) }),
  ...(change.lastName != null && { lastName: normalizeUsername(change.lastName) }),
  ...(change.favoriteAnimes && { favoriteAnimes: unique(change.favoriteAnimes) }),
  ...(change.watchedAnimes && { watchedAnimes: unique(change.watchedAnimes) }),
  ...(change.favoriteStudios && { favoriteStudios: unique(change.favoriteStudios) }),
  ...(change.favoriteGenres && { favoriteGenres: unique(change.favoriteGenres) }),
});

function faultsOf({ name, lastName, birthday }: ProfileChange): Issue[] {
  const issue = (path: string, message: string | null) => (message ? [{ path, message }] : []);
  return [
    ...(name === undefined ? [] : issue("name", findUsernameError(name))),
    ...(lastName == null ? [] : issue("last_name", findUsernameError(lastName, 1))),
    ...(birthday == null ? [] : issue("birthday", findBirthdayError(birthday))),
  ];
}

/** A picture of ours stays stored for as long as somebody shows it. */
async function claimPictures(userId: string, { avatarUrl, bannerImage }: ProfileChange) {
  for (const [kind, address] of [
    ["avatar", avatarUrl],
    ["banner", bannerImage],
  ] as const) {
    if (address === undefined) continue;
    const cid = /^\/ipfs\/([^/?#]+)$/.exec(address ?? "")?.[1];
    if (!cid) await releaseStoredPicture({ userId, kind });
    else if (!(await claimStoredPicture(cid, { userId, kind })))
      return refuse("invalid", "That picture is not stored here");
  }
  return null;
}
