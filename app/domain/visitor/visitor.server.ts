import {
  defaultPreferences,
  type Preferences,
  preferenceFields,
  preferenceNames,
} from "#app/domain/accounts/accounts.ts";
import { visitorPreferencesOf } from "./visitor.ts";

/** `cookies` is a `Cookie` header. Visitors with the same key get the same page from the cache. Null: no page from the cache. */
export const visitorKeyOf = (cookies = ""): string | null =>
  cookies === "" ? unknownVisitor : keyOf(visitorPreferencesOf(cookies));

const dividesPages = (name: keyof Preferences) => "dividesPages" in preferenceFields[name];
const dividing = preferenceNames.filter(dividesPages);
const others = preferenceNames.filter((name) => !dividesPages(name));

const keyOf = (preferences: Preferences): string | null =>
  others.every((name) => preferences[name] === defaultPreferences[name])
    ? dividing.map((name) => preferences[name]).join(" ")
    : null;

/** Computed once: most visitors send no cookie, and this runs for each cached response. */
const unknownVisitor = keyOf(defaultPreferences);
