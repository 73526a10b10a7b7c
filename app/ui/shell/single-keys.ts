/** Keys that act alone, such as `/` and `k`. Somebody who speaks to the computer would press them by accident (WCAG 2.1.4). */

const storageKey = "singleKeys";

/** Stored in the browser and not in the account: it is about the keyboard or the voice that is used here. */
export function hasSingleKeys(): boolean {
  try {
    return localStorage.getItem(storageKey) !== "off";
  } catch {
    return true;
  }
}

export function saveSingleKeys(isOn: boolean) {
  try {
    localStorage.setItem(storageKey, isOn ? "on" : "off");
  } catch {
    // Storage may be full or forbidden; the keys then stay on.
  }
}

/** A new page focuses its heading, which no key can reach. That is no choice of the viewer, so it counts as nothing. */
export const isFocusOnNothing = () =>
  !(document.activeElement instanceof HTMLElement) || document.activeElement.tabIndex < 0;
