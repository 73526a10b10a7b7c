import { type SQL, sql } from "drizzle-orm";
import { users } from "#db/schema/accounts.ts";
import { isMinor, type SessionUser } from "../accounts.ts";

/**
 * Written as text, because the columns are not qualified when a statement returns what it has written, and would then be
 * those of `account`.
 */
const ofAccount = (column: "email" | "disabled") =>
  sql.raw(`(select account.${column} from users as account where account.id = users.account_id)`);

export const accountEmail: SQL<string> = sql`coalesce(users.email, ${ofAccount("email")})`;

/** A disabled account is closed to all of its profiles. */
export const isEnabled: SQL<boolean> = sql`not coalesce(${ofAccount("disabled")}, users.disabled)`;

const isOneOfSeveral: SQL<boolean> = sql`(users.account_id is not null
  or exists (select from users as profile where profile.account_id = users.id))`;

export const accountColumns = {
  id: users.id,
  email: accountEmail,
  name: users.name,
  avatar: users.avatarUrl,
};

/** Guards run on every request, so session and member are read in one query with these columns. */
export const sessionUserColumns = {
  userId: users.id,
  accountId: users.accountId,
  isOneOfSeveral,
  email: accountEmail,
  name: users.name,
  avatarUrl: users.avatarUrl,
  bannerImage: users.bannerImage,
  role: users.role,
  birthday: users.birthday,
  accent: users.accent,
  parentalControl: users.parentalControl,
  trackSearchHistory: users.trackSearchHistory,
  listsWatched: users.listsWatched,
  timeZone: users.timeZone,
  titleLanguage: users.titleLanguage,
  scoreFormat: users.scoreFormat,
  soundLanguage: users.soundLanguage,
  subtitleLanguages: users.subtitleLanguages,
  plainSubtitles: users.plainSubtitles,
};

type User = typeof users.$inferSelect;
type Computed = "userId" | "email" | "isOneOfSeveral";
type Row = { userId: string; email: string; isOneOfSeveral: boolean } & Pick<
  User,
  Exclude<keyof typeof sessionUserColumns, Computed>
>;

export const toSessionUser = (row: Row): SessionUser => ({
  id: row.userId,
  accountId: row.accountId ?? row.userId,
  isOneOfSeveral: row.isOneOfSeveral,
  email: row.email,
  name: row.name,
  avatar: row.avatarUrl,
  bannerImage: row.bannerImage,
  role: row.role,
  birthday: row.birthday,
  preferences: {
    accentColor: row.accent,
    // The birthday may have been entered after the preference was stored.
    parentalControl: row.parentalControl || isMinor(row.birthday),
    trackSearchHistory: row.trackSearchHistory,
    listsWatched: row.listsWatched,
    timeZone: row.timeZone,
    titleLanguage: row.titleLanguage,
    scoreFormat: row.scoreFormat,
    soundLanguage: row.soundLanguage,
    subtitleLanguages: row.subtitleLanguages,
    plainSubtitles: row.plainSubtitles,
  },
});
