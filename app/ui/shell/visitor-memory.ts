import { useEffect } from "react";
import { useNavigation, useRevalidator } from "react-router";
import { visitorPath } from "#app/paths.ts";
import type { SiteData, SitePreferences } from "./site.ts";

/** Writes the local storage keys that other clients of this service read, and sends the browser's time zone once. */
export function useVisitorMemory({ preferences, isClosed }: Pick<SiteData, "preferences" | "isClosed">) {
  const { revalidate } = useRevalidator();
  const isChoosing = useNavigation().formAction?.startsWith(visitorPath()) === true;
  useEffect(() => copyToLocalStorage(preferences), [preferences]);
  useEffect(() => {
    if (preferences.timeZone !== null) hasSentTimeZone = false;
    if (preferences.timeZone !== null || isClosed || isChoosing) return;
    // The answer sets the whole cookie, so it must not come after that of a choice.
    const request = new AbortController();
    sendTimeZone(request.signal).then(
      (hasTimes) => (hasTimes ? revalidate() : undefined),
      () => {},
    );
    return () => request.abort();
  }, [preferences.timeZone, isClosed, isChoosing, revalidate]);
}

function copyToLocalStorage({ accentColor, parentalControl, trackSearchHistory }: SitePreferences) {
  try {
    localStorage.setItem("enfasis", accentColor);
    localStorage.setItem("parental_control", JSON.stringify(parentalControl));
    localStorage.setItem("trackSearchHistory", JSON.stringify(trackSearchHistory));
  } catch {
    // Storage may be full or forbidden; the server reads only the cookie.
  }
}

let hasSentTimeZone = false;

/**
 * Sends the time zone once per page load. A browser without cookies would otherwise send it again and again. Resolves
 * with true if the page shows times, which the new time zone changes.
 */
async function sendTimeZone(signal: AbortSignal): Promise<boolean> {
  if (hasSentTimeZone) return false;
  const { timeZone: browserTimeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const body = new URLSearchParams({ browserTimeZone });
  await fetch(visitorPath(), { method: "POST", body, redirect: "manual", signal });
  hasSentTimeZone = true;
  return document.querySelector("time") !== null;
}
