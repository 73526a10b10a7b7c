import { users } from "#db/schema/accounts.ts";
import { isMinor, type SessionUser } from "../accounts.ts";

export const accountColumns = {
  id: users.id,
  email: users.email,
  name: users.name,
  avatar: users.avatarUrl,
};

/** Guards run on every request, so session and member are read in one query with these columns. */
export const sessionUserColumns = {
  userId: users.id,
  email: users.email,
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
type Row = { userId: string } & Pick<User, Exclude<keyof typeof sessionUserColumns, "userId">>;

export const toSessionUser = (row: Row): SessionUser => ({
  id: row.userId,
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
