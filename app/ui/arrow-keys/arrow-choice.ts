import { days, inSeconds } from "#app/platform/units.ts";
import { arrowModeChanged } from "./arrow-mode-event.ts";

/** Stores whether arrow keys move the focus on this screen. A stored no keeps the site from offering it again. */

export const arrowModeCookie = (isOn: boolean, isSecure: boolean): string =>
  `screen=${isOn ? "arrows" : "plain"}; Path=/; Max-Age=${inSeconds(days(365))}; SameSite=Lax${isSecure ? "; Secure" : ""}`;

export function saveArrowMode(isOn: boolean) {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API does not exist in the browsers of televisions.
  document.cookie = arrowModeCookie(isOn, location.protocol === "https:");
  document.dispatchEvent(new Event(arrowModeChanged));
}
