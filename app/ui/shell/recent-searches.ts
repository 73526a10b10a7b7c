/** A visitor's last searches stay in their own browser; an account's are kept by the server. */
const key = "recentSearches";
export const maxRecentSearches = 8;

export function readRecentSearches(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(stored)
      ? stored.filter((item) => typeof item === "string").slice(0, maxRecentSearches)
      : [];
  } catch {
    return [];
  }
}

export function rememberSearch(query: string, isTracked: boolean) {
  if (!isTracked) return;
  const others = readRecentSearches().filter((item) => item.toLowerCase() !== query.toLowerCase());
  try {
    localStorage.setItem(key, JSON.stringify([query, ...others].slice(0, maxRecentSearches)));
  } catch {
    // Storage may be full or forbidden; searching goes on without a memory.
  }
}
