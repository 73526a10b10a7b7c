import { useEffect } from "react";
import { useRevalidator } from "react-router";
import type { Preferences } from "#app/domain/accounts/accounts.ts";
import { visitorCookie, visitorOfCookies } from "#app/domain/visitor/visitor.ts";

/** Writes changed preferences where the next request and the other scripts of this site find them. */
export function rememberVisitor(change: Partial<Preferences>) {
  const next = { ...visitorOfCookies(document.cookie), ...change };
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http
  document.cookie = visitorCookie(next, location.protocol === "https:");
  mirror(next);
}

/** The local storage keys that other clients of this service read. */
function mirror(preferences: Preferences) {
  try {
    localStorage.setItem("enfasis", preferences.enfasiscolor);
    localStorage.setItem("parental_control", JSON.stringify(preferences.parentalControl));
    localStorage.setItem("trackSearchHistory", JSON.stringify(preferences.trackSearchHistory));
  } catch {
    // Storage may be full or forbidden; the cookie is what counts.
  }
}

/** Keeps the copies up to date, and tells the server the viewer's time zone once. */
export function useVisitorMemory(preferences: Preferences) {
  const { revalidate } = useRevalidator();
  useEffect(() => mirror(preferences), [preferences]);
  useEffect(() => {
    if (preferences.timeZone !== null || visitorOfCookies(document.cookie).timeZone !== null) return;
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    rememberVisitor({ timeZone });
    if (visitorOfCookies(document.cookie).timeZone !== null && document.querySelector("time") !== null)
      revalidate();
  }, [preferences.timeZone, revalidate]);
}
