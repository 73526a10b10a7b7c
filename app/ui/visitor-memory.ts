import { useEffect } from "react";
import { useRevalidator } from "react-router";
import type { Preferences } from "#app/domain/accounts/accounts.ts";

/** Keeps the local storage keys that other clients of this service read, and tells the viewer's time zone once. */
export function useVisitorMemory(preferences: Preferences) {
  const { revalidate } = useRevalidator();
  useEffect(() => mirror(preferences), [preferences]);
  useEffect(() => {
    if (preferences.timeZone === null) tellTimeZone().then(revalidate, () => {});
  }, [preferences.timeZone, revalidate]);
}

function mirror({ enfasiscolor, parentalControl, trackSearchHistory }: Preferences) {
  try {
    localStorage.setItem("enfasis", enfasiscolor);
    localStorage.setItem("parental_control", JSON.stringify(parentalControl));
    localStorage.setItem("trackSearchHistory", JSON.stringify(trackSearchHistory));
  } catch {
    // Storage may be full or forbidden; the cookie is what counts.
  }
}

let hasTold = false;

/** Once a page load: a browser that keeps no cookies would be asked for ever. */
async function tellTimeZone() {
  if (hasTold) throw new Error("told already");
  hasTold = true;
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  await fetch("/visitor", { method: "POST", body: new URLSearchParams({ timeZone }), redirect: "manual" });
  if (document.querySelector("time") === null) throw new Error("no times to tell");
}
