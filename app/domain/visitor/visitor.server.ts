import { defaultPreferences, type Preferences } from "#app/domain/accounts/accounts.ts";
import { visitorPreferencesOf } from "./visitor.ts";

/**
 * Tells visitors apart for whom a page differs, so that the others can get the same one from memory. A preference without a decision here does not compile. With `default`, visitors who changed it get no page from memory.
 */
const keyDecisions: Record<keyof Preferences, "in the key" | "default"> = {
  accentColor: "default",
  theme: "in the key",
  parentalControl: "default",
  trackSearchHistory: "in the key",
  timeZone: "in the key",
  titleLanguage: "in the key",
  // Only members have these.
  forgetsWatched: "default",
  skipsSegments: "default",
  playsNext: "default",
  listsWatched: "default",
  scoreFormat: "default",
  soundLanguage: "default",
  subtitleLanguages: "default",
  plainSubtitles: "default",
};
const keyFields = Object.keys(keyDecisions) as (keyof Preferences)[];

/** `cookies` is a `Cookie` header. Null: the page is made for this visitor alone. */
export const visitorKeyOf = (cookies = ""): string | null =>
  cookies === "" ? unknownVisitor : keyOf(visitorPreferencesOf(cookies));

function keyOf(preferences: Preferences): string | null {
  let key = "";
  for (const field of keyFields)
    if (keyDecisions[field] === "in the key") key += `${preferences[field]} `;
    else if (preferences[field] !== defaultPreferences[field]) return null;
  return key;
}

/** Most visitors send no cookie, and this runs for each answer from memory. */
const unknownVisitor = keyOf(defaultPreferences);
