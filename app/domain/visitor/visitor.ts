import {
  defaultPreferences,
  type Preferences,
  themes,
  titleLanguages,
} from "#app/domain/accounts/accounts.ts";
import { isTimeZone } from "#app/domain/calendar/calendar.ts";
import { days, inSeconds } from "#app/platform/units.ts";

/**
 * The preferences of a visitor, in one cookie that scripts can read: the server renders with them and scripts change
 * them. The visitor can edit the cookie, so it must only affect what this visitor sees.
 */

export type TitleLanguage = Preferences["titleLanguage"];
export { titleLanguages };

const cookieName = "visitor";
const cookieSeconds = inSeconds(days(365));

/** A missing or malformed field gets its default; the other fields stay valid. */
export function parseVisitorCookie(value: string): Preferences {
  const fields = new URLSearchParams(value);
  const accent = fields.get("enfasis")?.toLowerCase();
  const timeZone = fields.get("tz");
  return {
    accentColor:
      accent !== undefined && /^#[0-9a-f]{6}$/.test(accent) ? accent : defaultPreferences.accentColor,
    theme: themes.find((theme) => theme === fields.get("theme")) ?? defaultPreferences.theme,
    parentalControl: fields.get("parental_control") !== "false",
    // A visitor has no list, and their browser keeps what they choose in the player.
    forgetsWatched: defaultPreferences.forgetsWatched,
    skipsSegments: defaultPreferences.skipsSegments,
    playsNext: defaultPreferences.playsNext,
    listsWatched: defaultPreferences.listsWatched,
    scoreFormat: defaultPreferences.scoreFormat,
    soundLanguage: defaultPreferences.soundLanguage,
    subtitleLanguages: defaultPreferences.subtitleLanguages,
    plainSubtitles: defaultPreferences.plainSubtitles,
    trackSearchHistory: fields.get("trackSearchHistory") !== "false",
    timeZone: timeZone !== null && isTimeZone(timeZone) ? timeZone : null,
    titleLanguage:
      titleLanguages.find((language) => language === fields.get("titles")) ??
      defaultPreferences.titleLanguage,
  };
}

/** Writes only fields that differ from the defaults, so that visitors follow a default that changes later. */
export function formatVisitorCookie(preferences: Preferences): string {
  const fields = new URLSearchParams();
  if (preferences.accentColor !== defaultPreferences.accentColor)
    fields.set("enfasis", preferences.accentColor);
  if (preferences.theme !== defaultPreferences.theme) fields.set("theme", preferences.theme);
  if (!preferences.parentalControl) fields.set("parental_control", "false");
  if (!preferences.trackSearchHistory) fields.set("trackSearchHistory", "false");
  if (preferences.timeZone !== null) fields.set("tz", preferences.timeZone);
  if (preferences.titleLanguage !== defaultPreferences.titleLanguage)
    fields.set("titles", preferences.titleLanguage);
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
