import {
  defaultPreferences,
  type Preferences,
  preferenceFields,
  type VisitorPreferenceName,
  visitorPreferenceNames,
} from "#app/domain/accounts/accounts.ts";
import { isTimeZone } from "#app/domain/calendar/calendar.ts";
import { days, inSeconds } from "#app/platform/units.ts";

/**
 * The preferences of a visitor, in one cookie that scripts can read: the server renders with them and scripts change
 * them. The visitor can edit the cookie, so it must only affect what this visitor sees.
 */

/** The language in which a page names titles. */
export type TitleLanguage = Exclude<Preferences["titleLanguage"], "browser">;

const cookieName = "visitor";
const cookieSeconds = inSeconds(days(365));

/** Undefined if the text is malformed. A malformed switch has its default instead. */
function readText(name: VisitorPreferenceName, text: string) {
  const field = preferenceFields[name];
  switch (field.kind) {
    case "color":
      return /^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : undefined;
    case "word":
      return field.words.find((word) => word === text);
    case "switch":
      return text === `${!field.initial}` ? !field.initial : field.initial;
    case "zone":
      return isTimeZone(text) ? text : undefined;
  }
}

/** Preferences without a text, or with a malformed one, are left out. */
export function readVisitorPreferences(
  textOf: (name: VisitorPreferenceName) => string | null | undefined,
): Partial<Preferences> {
  const values = visitorPreferenceNames.map((name) => {
    const text = textOf(name);
    return [name, text == null ? undefined : readText(name, text)] as const;
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Partial<Preferences>;
}

/** The value of a field that is missing in the cookie. */
const impliedOf = (name: VisitorPreferenceName) => {
  const field: { initial: unknown; missingInCookie?: unknown } = preferenceFields[name];
  return field.missingInCookie ?? field.initial;
};

const emptyCookie = {
  ...defaultPreferences,
  ...Object.fromEntries(visitorPreferenceNames.map((name) => [name, impliedOf(name)])),
} as Preferences;

/** A missing or malformed field gets the value that it implies; the other fields stay valid. */
export function parseVisitorCookie(value: string): Preferences {
  const fields = new URLSearchParams(value);
  return {
    ...emptyCookie,
    ...readVisitorPreferences((name) => fields.get(preferenceFields[name].cookie)),
  };
}

/** Writes only fields that differ from what a cookie without them implies. */
export function formatVisitorCookie(preferences: Preferences): string {
  const fields = new URLSearchParams();
  for (const name of visitorPreferenceNames)
    if (preferences[name] !== emptyCookie[name])
      fields.set(preferenceFields[name].cookie, `${preferences[name]}`);
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

const maxLanguagesLength = 200;

/**
 * The title language for an `Accept-Language` header: Japanese if the browser prefers it, and otherwise English, which
 * most people know titles by. A client without the header gets the catalog's own names.
 */
export function negotiateTitleLanguage(acceptLanguage: string | null | undefined): TitleLanguage {
  if (!acceptLanguage) return "romaji";
  let best = { tag: "", weight: 0 };
  for (const part of acceptLanguage.slice(0, maxLanguagesLength).split(",")) {
    const [tag = "", quality] = part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*q=/);
    const weight = quality === undefined ? 1 : Number(quality);
    if (tag !== "" && weight > best.weight) best = { tag, weight };
  }
  return /^ja(?:-|$)/.test(best.tag) ? "japanese" : "english";
}

export const titleLanguageOf = (
  { titleLanguage }: Pick<Preferences, "titleLanguage">,
  acceptLanguage: string | null | undefined,
): TitleLanguage => (titleLanguage === "browser" ? negotiateTitleLanguage(acceptLanguage) : titleLanguage);
