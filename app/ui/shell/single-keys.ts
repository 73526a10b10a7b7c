/**
 * Shortcuts of one key, such as `/` and `k`. People who use speech input would trigger them by accident (WCAG 2.1.4),
 * so they can be switched off.
 */

const storageKey = "singleKeys";

/**
 * Stored in the browser and not in the account, because the setting depends on the keyboard or speech input of this
 * device.
 */
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

/**
 * A new page focuses its heading, which no key can reach. The viewer did not choose that focus, so it counts as none.
 */
export const isFocusOnNothing = () =>
  !(document.activeElement instanceof HTMLElement) || document.activeElement.tabIndex < 0;
