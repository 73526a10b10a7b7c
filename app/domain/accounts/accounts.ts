/**
 * The door of accounts for code that also runs in browsers: the signed-in member, their preferences, and the rules for
 * names, emails, passwords and birthdays.
 */

import type { Ceiling, roles, themes } from "#db/schema/enumerations.ts";
import { isMinor } from "./person-rules.ts";
import type { Preferences } from "./preference-fields.ts";

export type { Ceiling, TitleVerdict } from "#db/schema/enumerations.ts";
export { ceilings, titleVerdicts } from "#db/schema/enumerations.ts";
export {
  findBirthdayError,
  findUsernameError,
  isEmail,
  isLanguage,
  isMinor,
  isPin,
  isSoundLanguage,
  listPasswordErrors,
  maxEmailLength,
  normalizeEmail,
  normalizePassword,
  normalizeUsername,
  passwordLength,
  passwordPattern,
  passwordRules,
  pinLength,
  usernameLength,
} from "./person-rules.ts";
export {
  defaultPreferences,
  mapPreferences,
  type Preferences,
  preferenceFields,
  preferenceNames,
  type VisitorPreferenceName,
  visitorPreferenceNames,
} from "./preference-fields.ts";

/** The signed-in member, as guards and pages read it. */
export type SessionUser = {
  /** The profile that the session or the token acts for. */
  id: string;
  /** Equal to `id` for the owner, who is the account's first profile. */
  accountId: string;
  /** The account has more than one profile. */
  isOneOfSeveral: boolean;
  /** The account's email, which all of its profiles share. */
  email: string;
  name: string;
  avatar: string | null;
  bannerImage: string | null;
  role: (typeof roles)[number];
  /** ISO date; null if the member has not given one. */
  birthday: string | null;
  /** The highest age rating that a child's profile may see. Null for a grown-up's profile. */
  ceiling: Ceiling | null;
  /** A profile of the account belongs to a child. */
  isBesideChild: boolean;
  /** The time at which the household last allowed or blocked a title, as text. */
  titlesChosenAt: string;
  /** Part of the signed addresses of films. Raising it makes earlier addresses invalid. */
  filmGeneration: number;
  preferences: Preferences;
};

/** Whether this is the account's first profile, which alone manages the household and the account. */
export const isOwner = ({ id, accountId }: Pick<SessionUser, "id" | "accountId">) => id === accountId;

/** Enough for a household. Everybody else should have their own account. */
export const maxProfiles = 8;

/** The part of an account that is sent to the browser at sign-up and sign-in. */
export type AccountView = Pick<SessionUser, "id" | "email" | "name" | "avatar">;

export type Theme = (typeof themes)[number];

/** A child's profile sees less than others, and cannot change the account. */
export const isChild = ({ ceiling }: Pick<SessionUser, "ceiling">) => ceiling !== null;

/** True also for a browser that was left alone beside a child: somebody else may sit there now. */
export const mayBeChild = ({ user, asksWho }: { user: SessionUser; asksWho: boolean }) =>
  isChild(user) || asksWho;

/** A request cannot override the stored preference, and a minor never sees mature titles. */
export const canSeeMatureTitles = (user: Pick<SessionUser, "birthday" | "preferences">) =>
  !user.preferences.parentalControl && !isMinor(user.birthday);
