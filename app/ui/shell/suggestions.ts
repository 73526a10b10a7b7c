import { searchHistoryApiPath, searchPath, suggestionsPath } from "#app/paths.ts";
import { maxRecentSearches, readRecentSearches } from "./recent-searches.ts";

/** A title as the search field offers it, in the language of titles that the viewer has chosen. */
export type SuggestedTitle = { malId: number; name: string; lang?: "ja"; note: string; to: string };

export type SearchSuggestion =
  | ({ kind: "title" } & SuggestedTitle)
  | { kind: "recent" | "all"; name: string; to: string };

/** The answers of this page view: whoever deletes a letter or types a word again need not wait. */
const memory = new Map<string, readonly SuggestedTitle[]>();
const maxAnswers = 100;
let last: { query: string; titles: readonly SuggestedTitle[] } = { query: "", titles: [] };

async function findTitles(
  query: string,
  viewerKey: string,
  signal: AbortSignal,
): Promise<readonly SuggestedTitle[]> {
  const key = `${viewerKey} ${query}`;
  const titles = memory.get(key) ?? (await askForTitles(query, signal));
  if (titles === null) return titlesNear(query);
  memory.delete(key);
  memory.set(key, titles);
  if (memory.size > maxAnswers) memory.delete(memory.keys().next().value ?? "");
  last = { query, titles };
  return titles;
}

/** Null if there is no answer, because the site is busy or this address has asked too often. */
async function askForTitles(query: string, signal: AbortSignal): Promise<readonly SuggestedTitle[] | null> {
  try {
    const response = await fetch(suggestionsPath(query), { signal });
    if (!response.ok) return null;
    return ((await response.json()) as { titles: SuggestedTitle[] }).titles;
  } catch {
    return null;
  }
}

/** Without an answer, the list stays while somebody types the same word on or deletes letters of it. */
const titlesNear = (query: string) =>
  query.startsWith(last.query) || last.query.startsWith(query) ? last.titles : [];

/** The server stores the searches of members, the browser those of visitors. */
async function listRecentSearches(isMember: boolean, signal: AbortSignal): Promise<string[]> {
  if (!isMember) return readRecentSearches();
  const response = await fetch(searchHistoryApiPath({ limit: 40 }), { signal });
  if (!response.ok) return [];
  const { data } = (await response.json()) as { data: { query: string }[] };
  return [...new Set(data.map(({ query }) => query))].slice(0, maxRecentSearches);
}

type SuggestionViewer = {
  isMember: boolean;
  /** What else an answer depends on. */
  key: string;
};

/** An empty field offers recent searches. Typed text offers titles, and last the search for that text. */
export async function findSuggestions(
  query: string,
  { isMember, key }: SuggestionViewer,
  signal: AbortSignal,
): Promise<SearchSuggestion[]> {
  if (query === "") {
    const searches = await listRecentSearches(isMember, signal).catch(() => []);
    return searches.map((name) => ({ kind: "recent", name, to: searchPath({ q: name }) }));
  }
  const titles = await findTitles(query, key, signal);
  return [
    ...titles.map((title) => ({ kind: "title" as const, ...title })),
    { kind: "all", name: query, to: searchPath({ q: query }) },
  ];
}
