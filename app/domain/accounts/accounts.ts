/** What browser and server both know of accounts: who is signed in, and the rules of names, addresses and passwords. */

import type { titleLanguages } from "#db/schema/enumerations.ts";

export {
  fanaticLevels,
  genders,
  preferredFormats,
  titleLanguages,
  watchFrequencies,
} from "#db/schema/enumerations.ts";

/** Who is signed in, as every guard and page sees them. */
export type SessionUser = {
  id: string;
  email: string;
  name: string;
  avatar: string | null;
  bannerImage: string | null;
  role: "user" | "operator";
  /** ISO date, or null when not told. */
  birthday: string | null;
  preferences: Preferences;
};

/** As much of an account as its owner's browser is told when it signs up or in. */
export type AccountView = Pick<SessionUser, "id" | "email" | "name" | "avatar">;

export type Preferences = {
  accentColor: string;
  parentalControl: boolean;
  trackSearchHistory: boolean;
  /** IANA name; null: Japan time until the browser tells. */
  timeZone: string | null;
  titleLanguage: (typeof titleLanguages)[number];
};

export const defaultPreferences: Preferences = {
  accentColor: "#0057E7",
  parentalControl: true,
  trackSearchHistory: true,
  timeZone: null,
  titleLanguage: "romaji",
};

export const minAdultAge = 18;

/** A birthday that is not known does not make a child; one that is known decides. */
export function isMinor(birthday: string | null, now = new Date()) {
  if (birthday === null) return false;
  const [year = 0, month = 1, day = 1] = birthday.split("-").map(Number);
  return now.getTime() < Date.UTC(year + minAdultAge, month - 1, day);
}

const minBirthday = "1900-01-01";

/** Why an ISO date can be nobody's birthday; null: it can. */
export function findBirthdayError(birthday: string, now = new Date()): string | null {
  if (birthday < minBirthday) return "must not lie before 1900";
  return birthday > now.toISOString().slice(0, 10) ? "must not lie in the future" : null;
}

/** The stored preference wins over what is asked, and age over both. */
export const canSeeMatureTitles = (user: Pick<SessionUser, "birthday" | "preferences">) =>
  !user.preferences.parentalControl && !isMinor(user.birthday);

export const usernameLength = { min: 3, max: 64 } as const;
const passwordLength = { min: 6, max: 20 } as const;
const maxEmailLength = 254;

type Rule = { readonly id: string; readonly label: string; readonly holds: (text: string) => boolean };

const characters = (text: string) => [...text].length;

export const passwordRules: readonly Rule[] = [
  {
    id: "length",
    label: `${passwordLength.min} to ${passwordLength.max} characters`,
    holds: (text) => characters(text) >= passwordLength.min && characters(text) <= passwordLength.max,
  },
  { id: "lowercase", label: "a lowercase letter", holds: (text) => /[a-z]/.test(text) },
  { id: "uppercase", label: "an uppercase letter", holds: (text) => /[A-Z]/.test(text) },
  { id: "digit", label: "a digit", holds: (text) => /[0-9]/.test(text) },
  { id: "symbol", label: "one of ! @ # $ % ^ & *", holds: (text) => /[!@#$%^&*]/.test(text) },
];

/** The same typed password, however the keyboard composes its accents. */
export const normalizePassword = (text: string) => text.normalize("NFC");

/**
 * What a new password lacks, in words that follow "The password needs"; empty when it will do. What passes has at most
 * 68 bytes, since four of its characters are ASCII, so bcrypt reads all of it.
 */
export function listPasswordErrors(password: string): string[] {
  const text = normalizePassword(password);
  return passwordRules.filter((rule) => !rule.holds(text)).map((rule) => rule.label);
}

/** One spelling an address, so that it is one account however it is typed. */
export const normalizeEmail = (text: string) => text.normalize("NFKC").trim().toLowerCase().normalize("NFKC");

const local = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const domainLabel = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u;

/** Says whether a normalised text can be an address: one that mail could reach, without quotes or comments. */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  if (at < 1 || at > 64 || text.length > maxEmailLength) return false;
  const labels = text.slice(at + 1).split(".");
  return (
    local.test(text.slice(0, at)) &&
    labels.length > 1 &&
    labels.every((label) => label.length <= 63 && domainLabel.test(label))
  );
}

/** Names are shown in lists and mails: one line, no stray spaces, nothing that redirects the text around it. */
export const normalizeUsername = (text: string) => text.normalize("NFC").trim().replace(/\s+/gu, " ");

export function findUsernameError(username: string, least: number = usernameLength.min): string | null {
  const length = characters(username);
  const seen = characters(username.replace(/[\p{Default_Ignorable_Code_Point}\u2800]/gu, ""));
  if (/[\p{Cc}\p{Cs}\p{Co}\p{Cn}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(username))
    return "contains characters that cannot be shown";
  if (seen < least) return least === 1 ? "is missing" : `needs at least ${least} characters`;
  if (length > usernameLength.max) return `must have at most ${usernameLength.max} characters`;
  return null;
}
