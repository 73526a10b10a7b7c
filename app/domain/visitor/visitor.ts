import { defaultPreferences, type Preferences, titleLanguages } from "#app/domain/accounts/accounts.ts";
import { isTimeZone } from "#app/domain/calendar/calendar.ts";
import { days, inSeconds } from "#app/platform/units.ts";

/**
 * What somebody keeps without an account: the same preferences, in one readable cookie, so that the server renders
 * with them and a script may show and change them. Nothing here is trusted further than the visitor's own screen.
 */

export type TitleLanguage = Preferences["titleLanguage"];
export { titleLanguages };

const cookieName = "visitor";
const cookieSeconds = inSeconds(days(365));

/** The cookie's value as preferences; whatever is unknown or malformed falls back by itself, field by field. */
export function parseVisitorCookie(value: string): Preferences {
  const fields = new URLSearchParams(value);
  const accent = fields.get("enfasis")?.toLowerCase();
  const timeZone = fields.get("tz");
  return {
    accentColor:
      accent !== undefined && /^#[0-9a-f]{6}$/.test(accent) ? accent : defaultPreferences.accentColor,
    parentalControl: fields.get("parental_control") !== "false",
    trackSearchHistory: fields.get("trackSearchHistory") !== "false",
    timeZone: timeZone !== null && isTimeZone(timeZone) ? timeZone : null,
    titleLanguage:
      titleLanguages.find((language) => language === fields.get("titles")) ??
      defaultPreferences.titleLanguage,
  };
}

/** Only what differs from the defaults is written, so that a default can change later. */
export function formatVisitorCookie(preferences: Preferences): string {
  const fields = new URLSearchParams();
  if (preferences.accentColor !== defaultPreferences.accentColor)
    fields.set("enfasis", preferences.accentColor);
  if (!preferences.parentalControl) fields.set("parental_control", "false");
  if (!preferences.trackSearchHistory) fields.set("trackSearchHistory", "false");
  if (preferences.timeZone !== null) fields.set("tz", preferences.timeZone);
  if (preferences.titleLanguage !== defaultPreferences.titleLanguage)
    fields.set("titles", preferences.titleLanguage);
  return fields.toString();
}

/** The whole cookie, as `Set-Cookie` and as `document.cookie` take it: readable by scripts on purpose. */
export const visitorCookie = (preferences: Preferences, isSecure: boolean): string =>
  `${cookieName}=${formatVisitorCookie(preferences)}; Path=/; Max-Age=${cookieSeconds}; SameSite=Lax${isSecure ? "; Secure" : ""}`;

/** The visitor of a `Cookie` header, or of `document.cookie`. */
export function visitorPreferencesOf(cookies: string): Preferences {
  for (const pair of cookies.split(";")) {
    const at = pair.indexOf("=");
    if (at > 0 && pair.slice(0, at).trim() === cookieName)
      return parseVisitorCookie(pair.slice(at + 1).trim());
  }
  return defaultPreferences;
}
