import { useEffect } from "react";
import { useRevalidator } from "react-router";
import { visitorPath } from "#app/paths.ts";
import type { SiteData, SitePreferences } from "./site.ts";

/** Writes the local storage keys that other clients of this service read, and sends the browser's time zone once. */
export function useVisitorMemory({ preferences, isClosed }: Pick<SiteData, "preferences" | "isClosed">) {
  const { revalidate } = useRevalidator();
  useEffect(() => copyToLocalStorage(preferences), [preferences]);
  useEffect(() => {
    if (preferences.timeZone !== null) hasSentTimeZone = false;
    else if (!isClosed)
      sendTimeZone().then(
        (hasTimes) => (hasTimes ? revalidate() : undefined),
        () => {},
      );
  }, [preferences.timeZone, isClosed, revalidate]);
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
async function sendTimeZone(): Promise<boolean> {
  if (hasSentTimeZone) return false;
  hasSentTimeZone = true;
  const { timeZone: browserTimeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const body = new URLSearchParams({ browserTimeZone });
  await fetch(visitorPath(), { method: "POST", body, redirect: "manual" });
  return document.querySelector("time") !== null;
}
