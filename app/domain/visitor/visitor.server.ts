import {
  defaultPreferences,
  type Preferences,
  preferenceFields,
  preferenceNames,
} from "#app/domain/accounts/accounts.ts";
import { negotiateTitleLanguage, visitorPreferencesOf } from "./visitor.ts";

type VisitorHeaders = { cookie?: string | undefined; "accept-language"?: string | undefined };

/** Visitors with the same key get the same cached page. A visitor without a key (null) gets none. */
export function visitorKeyOf({ cookie = "", ...headers }: VisitorHeaders): string | null {
  const key = cookie === "" ? unknownVisitor : keyOf(visitorPreferencesOf(cookie));
  if (key === null) return null;
  return key.followsBrowser ? `${key.text} ${negotiateTitleLanguage(headers["accept-language"])}` : key.text;
}

const dividesPages = (name: keyof Preferences) => "dividesPages" in preferenceFields[name];
const dividing = preferenceNames.filter(dividesPages);
const others = preferenceNames.filter((name) => !dividesPages(name));

const keyOf = (preferences: Preferences) =>
  others.every((name) => preferences[name] === defaultPreferences[name])
    ? {
        text: dividing.map((name) => preferences[name]).join(" "),
        followsBrowser: preferences.titleLanguage === "browser",
      }
    : null;

/** Computed once, because most visitors send no cookie and `visitorKeyOf` runs for each cached response. */
const unknownVisitor = keyOf(defaultPreferences);
