/**
 * Handles the code in the fragment of the address that a phone has read from a QR code. A phone that is not signed in
 * stores the code while its member signs in. The code is removed from the address, so that it stays out of the history.
 */

const key = "engawa-link-code";

function takeFromAddress(): string | null {
  const code = location.hash.slice(1);
  if (!/^[A-Z]{4}-[A-Z]{4}$/.test(code)) return null;
  history.replaceState(history.state, "", location.pathname + location.search);
  return code;
}

/** Whether there was a code to store. */
export function storeCode(): boolean {
  const code = takeFromAddress();
  if (code === null) return false;
  try {
    sessionStorage.setItem(key, code);
  } catch {
    // If storage is not available, the member types the code.
  }
  return true;
}

export function takeCode(): string | null {
  const code = takeFromAddress();
  try {
    const stored = sessionStorage.getItem(key);
    sessionStorage.removeItem(key);
    return code ?? stored;
  } catch {
    return code;
  }
}
