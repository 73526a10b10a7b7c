/** The rules for names, emails, passwords, PINs, birthdays and languages that people enter. */

/** A language, and where it is written or spoken: `en`, `pt-BR`, `zh-Hans` (BCP 47). */
export const isLanguage = (text: string) => /^[a-z]{2,3}(?:-[a-z]{2,4}|-\d{3})?$/i.test(text);
export const isSoundLanguage = (text: string) => text === "original" || isLanguage(text);

export const minAdultAge = 18;

/** A member without a birthday counts as an adult. */
export function isMinor(birthday: string | null) {
  if (birthday === null) return false;
  const [year = 0, month = 1, day = 1] = birthday.split("-").map(Number);
  return Date.now() < Date.UTC(year + minAdultAge, month - 1, day);
}

const minBirthday = "1900-01-01";

/** Null if the ISO date is a possible birthday. */
export function findBirthdayError(birthday: string): string | null {
  if (birthday < minBirthday) return "must not be before 1900";
  return birthday > new Date().toISOString().slice(0, 10) ? "must not be in the future" : null;
}

export const usernameLength = { min: 3, max: 64 } as const;
export const passwordLength = { min: 6, max: 20 } as const;
export const maxEmailLength = 254;

/** A PIN has only digits, because a remote control has no other keys. */
export const pinLength = { min: 4, max: 8 } as const;
const pin = new RegExp(`^[0-9]{${pinLength.min},${pinLength.max}}$`);
export const isPin = (text: string) => pin.test(text);

type Rule = { readonly id: string; readonly label: string; readonly holds: (text: string) => boolean };

const characters = (text: string) => [...text].length;

/** Each kind of character that a password needs, as the inside of a character class. */
const passwordCharacters = [
  { id: "lowercase", label: "a lowercase letter", kind: "a-z" },
  { id: "uppercase", label: "an uppercase letter", kind: "A-Z" },
  { id: "digit", label: "a digit", kind: "0-9" },
  { id: "symbol", label: "one of ! @ # $ % ^ & *", kind: "!@#$%^&*" },
];

export const passwordRules: readonly Rule[] = [
  {
    id: "length",
    label: `${passwordLength.min} to ${passwordLength.max} characters`,
    holds: (text) => characters(text) >= passwordLength.min && characters(text) <= passwordLength.max,
  },
  ...passwordCharacters.map(({ id, label, kind }) => {
    const pattern = new RegExp(`[${kind}]`);
    return { id, label, holds: (text: string) => pattern.test(text) };
  }),
];

/** All rules except the length as one regular expression, for documents that programs read. */
export const passwordPattern = `^${passwordCharacters.map(({ kind }) => `(?=[\\s\\S]*[${kind}])`).join("")}`;

/** Keyboards compose accents differently; without normalizing, the same typed password would not match. */
export const normalizePassword = (text: string) => text.normalize("NFC");

/**
 * Lists the rules that a new password breaks, worded to follow "The password needs". A password that passes has at most
 * 68 bytes, because four of its characters are ASCII, so bcrypt (72 bytes) reads all of it.
 */
export function listPasswordErrors(password: string): string[] {
  const text = normalizePassword(password);
  return passwordRules.filter((rule) => !rule.holds(text)).map((rule) => rule.label);
}

/** Gives all spellings of an email one form, so that they belong to one account. */
export const normalizeEmail = (text: string) => text.normalize("NFKC").trim().toLowerCase().normalize("NFKC");

const local = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const domainLabel = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u;

/** Accepts a normalized email that mail could reach. Quoted local parts and comments (RFC 5322) are refused. */
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

/** Names are shown in lists and mails, so they are one line without extra spaces. */
export const normalizeUsername = (text: string) => text.normalize("NFC").trim().replace(/\s+/gu, " ");

export function findUsernameError(username: string, minLength: number = usernameLength.min): string | null {
  const length = characters(username);
  const visibleLength = characters(username.replace(/[\p{Default_Ignorable_Code_Point}\u2800]/gu, ""));
  // Direction marks would reverse the text around the name.
  if (/[\p{Cc}\p{Cs}\p{Co}\p{Cn}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u.test(username))
    return "contains characters that cannot be shown";
  if (visibleLength < minLength)
    return minLength === 1 ? "is missing" : `needs at least ${minLength} characters`;
  if (length > usernameLength.max) return `must have at most ${usernameLength.max} characters`;
  return null;
}
