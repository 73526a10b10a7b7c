import {
  defaultPreferences,
  mapPreferences,
  type Preferences,
  preferenceFields,
  preferenceNames,
} from "#app/domain/accounts/accounts.ts";
import { isTimeZone } from "#app/domain/calendar/calendar.ts";
import { days, inSeconds } from "#app/platform/units.ts";

/**
 * The preferences of a visitor, in one cookie that scripts can read: the server renders with them and scripts change
 * them. The visitor can edit the cookie, so it must only affect what this visitor sees.
 */

export type TitleLanguage = Preferences["titleLanguage"];

const cookieName = "visitor";
const cookieSeconds = inSeconds(days(365));

const cookieOf = (name: keyof Preferences): string | null => {
  const field = preferenceFields[name];
  return "cookie" in field ? field.cookie : null;
};
export const visitorPreferenceNames = preferenceNames.filter((name) => cookieOf(name) !== null);

type TextOf = (name: keyof Preferences, cookie: string) => string | null | undefined;

/** Preferences of which there is no text, or a malformed one, are left out. */
export function readVisitorPreferences(textOf: TextOf): Partial<Preferences> {
  const readText = <Value>(name: keyof Preferences, read: (text: string) => Value | undefined) => {
    const cookie = cookieOf(name);
    const text = cookie === null ? null : textOf(name, cookie);
    return text == null ? undefined : read(text);
  };
  const ofMembers = () => undefined;
  const read = mapPreferences({
    color: (_, name) =>
      readText(name, (text) => (/^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : undefined)),
    word: ({ words }, name) => readText(name, (text) => words.find((word) => word === text)),
    switch: ({ initial }, name) => readText(name, (text) => (text === `${!initial}` ? !initial : initial)),
    zone: (_, name) => readText(name, (text) => (isTimeZone(text) ? text : undefined)),
    sound: ofMembers,
    languages: ofMembers,
  });
  const found = Object.entries(read).filter(([, value]) => value !== undefined);
  return Object.fromEntries(found) as Partial<Preferences>;
}

/** A missing or malformed field gets its default; the other fields stay valid. */
export function parseVisitorCookie(value: string): Preferences {
  const fields = new URLSearchParams(value);
  return { ...defaultPreferences, ...readVisitorPreferences((_, cookie) => fields.get(cookie)) };
}

/** Writes only fields that differ from the defaults, so that visitors follow a default that changes later. */
export function formatVisitorCookie(preferences: Preferences): string {
  const fields = new URLSearchParams();
  for (const name of visitorPreferenceNames)
    if (preferences[name] !== defaultPreferences[name])
      fields.set(cookieOf(name) ?? "", `${preferences[name]}`);
  return fields.toString();
}

/** The cookie for `Set-Cookie` and `document.cookie`. Not HttpOnly, because scripts read and change it. */
export const visitorCookie = (preferences: Preferences, isSecure: boolean): string =>
  `${cookieName}=${formatVisitorCookie(preferences)}; Path=/; Max-Age=${cookieSeconds}; SameSite=Lax${isSecure ? "; Secure" : ""}`;

/** Reads the preferences from a `Cookie` header or `document.cookie`. */
export function visitorPreferencesOf(cookies: string): Preferences {
  for (const pair of cookies.split(";")) {
    const at = pair.indexOf("=");
    if (at > 0 && pair.slice(0, at).trim() === cookieName)
      return parseVisitorCookie(pair.slice(at + 1).trim());
  }
  return defaultPreferences;
}
