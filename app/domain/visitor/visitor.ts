import { defaultPreferences, type Preferences, titleLanguages } from "../accounts/accounts.ts";

/**
 * What somebody keeps without an account: the same preferences, in one readable cookie, so that the server renders
 * with them and a script may show and change them. Nothing here is trusted further than the visitor's own screen.
 */

export type TitleLanguage = Preferences["titleLanguage"];
export { titleLanguages };

/** Broadcasts are told in this zone, and so is everything until the viewer's own is known. */
export const japan = "Asia/Tokyo";

const cookieName = "visitor";
const cookieSeconds = 365 * 24 * 60 * 60;

export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The cookie's value as preferences; whatever is unknown or malformed falls back by itself, field by field. */
export function parseVisitor(value: string): Preferences {
  const fields = new URLSearchParams(value);
  const accent = fields.get("enfasis")?.toLowerCase();
  const timeZone = fields.get("tz");
  return {
    enfasiscolor:
      accent !== undefined && /^#[0-9a-f]{6}$/.test(accent) ? accent : defaultPreferences.enfasiscolor,
    parentalControl: fields.get("parental_control") !== "false",
    trackSearchHistory: fields.get("trackSearchHistory") !== "false",
    timeZone: timeZone !== null && isTimeZone(timeZone) ? timeZone : null,
    titleLanguage:
      titleLanguages.find((language) => language === fields.get("titles")) ??
      defaultPreferences.titleLanguage,
  };
}

/** Only what differs from the defaults is written, so that a default can change later. */
export function formatVisitor(preferences: Preferences): string {
  const fields = new URLSearchParams();
  if (preferences.enfasiscolor !== defaultPreferences.enfasiscolor)
    fields.set("enfasis", preferences.enfasiscolor);
  if (!preferences.parentalControl) fields.set("parental_control", "false");
  if (!preferences.trackSearchHistory) fields.set("trackSearchHistory", "false");
  if (preferences.timeZone !== null) fields.set("tz", preferences.timeZone);
  if (preferences.titleLanguage !== defaultPreferences.titleLanguage)
    fields.set("titles", preferences.titleLanguage);
  return fields.toString();
}

/** The whole cookie, as `Set-Cookie` and as `document.cookie` take it: readable by scripts on purpose. */
export const visitorCookie = (preferences: Preferences, isSecure: boolean): string =>
  `${cookieName}=${formatVisitor(preferences)}; Path=/; Max-Age=${cookieSeconds}; SameSite=Lax${isSecure ? "; Secure" : ""}`;

/** The visitor of a `Cookie` header, or of `document.cookie`. */
export function visitorOfCookies(cookies: string): Preferences {
  for (const pair of cookies.split(";")) {
    const at = pair.indexOf("=");
    if (at > 0 && pair.slice(0, at).trim() === cookieName) return parseVisitor(pair.slice(at + 1).trim());
  }
  return defaultPreferences;
}
