import { searchHistoryApiPath, searchPath, suggestApiPath, titlePath } from "#app/paths.ts";
import { maxRecentSearches, readRecentSearches } from "./recent-searches.ts";

/** A title in the answer of `/api/animes/suggest`. */
type SuggestedTitle = {
  mal_id: number;
  title: string;
  matched: string;
  type: string | null;
  year: number | null;
};

export type SearchSuggestion =
  | { kind: "title"; malId: number; name: string; note: string; to: string }
  | { kind: "recent" | "all"; name: string; to: string };

const suggestionNote = ({ title, matched, type, year }: SuggestedTitle) =>
  [matched !== title && matched, type, year].filter(Boolean).join(" · ");

async function findTitleSuggestions(
  query: string,
  isFiltered: boolean,
  signal: AbortSignal,
): Promise<SearchSuggestion[]> {
  const url = suggestApiPath(query, { parentalControl: isFiltered });
  const response = await fetch(url, { signal });
  if (!response.ok) return [];
  const { data } = (await response.json()) as { data: SuggestedTitle[] };
  return data.map((item) => ({
    kind: "title",
    malId: item.mal_id,
    name: item.title,
    note: suggestionNote(item),
    to: titlePath(item.mal_id, item.title),
  }));
}

/** The server stores the searches of members, the browser those of visitors. */
async function listRecentSearches(isMember: boolean, signal: AbortSignal): Promise<string[]> {
  if (!isMember) return readRecentSearches();
  const response = await fetch(searchHistoryApiPath({ limit: 40 }), { signal });
  if (!response.ok) return [];
  const { data } = (await response.json()) as { data: { query: string }[] };
  return [...new Set(data.map(({ query }) => query))].slice(0, maxRecentSearches);
}

type SuggestionViewer = { isFiltered: boolean; isMember: boolean };

/** An empty field offers recent searches. Typed text offers titles, and last the search for that text. */
export async function findSuggestions(
  query: string,
  { isFiltered, isMember }: SuggestionViewer,
  signal: AbortSignal,
): Promise<SearchSuggestion[]> {
  if (query === "") {
    const searches = await listRecentSearches(isMember, signal).catch(() => []);
    return searches.map((name) => ({ kind: "recent", name, to: searchPath({ q: name }) }));
  }
  const titles = await findTitleSuggestions(query, isFiltered, signal).catch(() => []);
  return [...titles, { kind: "all", name: query, to: searchPath({ q: query }) }];
}
