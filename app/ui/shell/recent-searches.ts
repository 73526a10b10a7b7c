/** A visitor's recent searches, stored in the browser. The server stores those of members. */
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

export function keepSearch(query: string, mayKeep: boolean) {
  if (!mayKeep) return;
  const others = readRecentSearches().filter((item) => item.toLowerCase() !== query.toLowerCase());
  try {
    localStorage.setItem(key, JSON.stringify([query, ...others].slice(0, maxRecentSearches)));
  } catch {
    // Storage may be full or forbidden; the search works without it.
  }
}
