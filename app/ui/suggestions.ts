import { mostRecent, recentSearches } from "./recent-searches.ts";
import { titlePath } from "./title.ts";

/** As `/api/animes/suggest` answers. */
type Suggested = { mal_id: number; title: string; matched: string; type: string | null; year: number | null };

export type Suggestion =
  | { kind: "title"; malId: number; name: string; note: string; to: string }
  | { kind: "recent" | "all"; name: string; to: string };

const searchPath = (query: string) => `/search?q=${encodeURIComponent(query)}`;

const noteOf = ({ title, matched, type, year }: Suggested) =>
  [matched !== title && matched, type, year].filter(Boolean).join(" · ");

async function findTitles(query: string, isFiltered: boolean, signal: AbortSignal): Promise<Suggestion[]> {
  const url = `/api/animes/suggest?q=${encodeURIComponent(query)}${isFiltered ? "" : "&parental_control=false"}`;
  const response = await fetch(url, { signal });
  if (!response.ok) return [];
  const { data } = (await response.json()) as { data: Suggested[] };
  return data.map((item) => ({
    kind: "title",
    malId: item.mal_id,
    name: item.title,
    note: noteOf(item),
    to: titlePath(item.mal_id, item.title),
  }));
}

/** An account's searches are kept by the server, a visitor's by the browser. */
async function lastSearches(isMember: boolean, signal: AbortSignal): Promise<string[]> {
  if (!isMember) return recentSearches();
  const response = await fetch("/api/user/searchHistory?limit=40", { signal });
  if (!response.ok) return [];
  const { data } = (await response.json()) as { data: { query: string }[] };
  return [...new Set(data.map(({ query }) => query))].slice(0, mostRecent);
}

type Viewer = { isFiltered: boolean; isMember: boolean };

/** An empty field offers the last searches; a filled one titles, and the search itself as the last choice. */
export async function findSuggestions(
  query: string,
  { isFiltered, isMember }: Viewer,
  signal: AbortSignal,
): Promise<Suggestion[]> {
  if (query === "") {
    const searches = await lastSearches(isMember, signal).catch(() => []);
    return searches.map((name) => ({ kind: "recent", name, to: searchPath(name) }));
  }
  const titles = await findTitles(query, isFiltered, signal).catch(() => []);
  return [...titles, { kind: "all", name: query, to: searchPath(query) }];
}
