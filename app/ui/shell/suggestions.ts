import { searchHistoryApiPath, searchPath, suggestionsPath } from "#app/paths.ts";
import { maxRecentSearches, readRecentSearches } from "./recent-searches.ts";

/** A title as the search field shows it, in the viewer's title language. */
export type SuggestedTitle = {
  malId: number;
  name: string;
  lang?: "ja";
  drawnIn?: "en";
  note: string;
  to: string;
};

/** A studio, person or character. `note` says which. */
type SuggestedName = Omit<SuggestedTitle, "malId" | "drawnIn">;

export type Suggested = {
  titles: readonly SuggestedTitle[];
  names: readonly SuggestedName[];
  /** The titles are only spelled like the text, so names that contain it are shown before them. */
  areNamesFirst: boolean;
};

export type SearchSuggestion =
  | ({ kind: "title" } & SuggestedTitle)
  | ({ kind: "name" } & SuggestedName)
  | { kind: "recent" | "all"; name: string; to: string };

/** Caches the answers of this page view, for a viewer who deletes a letter or types the same word again. */
const memory = new Map<string, Suggested>();
const maxAnswers = 100;
const nothing: Suggested = { titles: [], names: [], areNamesFirst: false };
let last: { query: string; found: Suggested } = { query: "", found: nothing };

async function getSuggested(query: string, viewerKey: string, signal: AbortSignal): Promise<Suggested> {
  const key = `${viewerKey} ${query}`;
  const suggested = memory.get(key) ?? (await askForSuggested(query, signal));
  if (suggested === null) return suggestedNear(query);
  memory.delete(key);
  memory.set(key, suggested);
  if (memory.size > maxAnswers) memory.delete(memory.keys().next().value ?? "");
  last = { query, found: suggested };
  return suggested;
}

/** Null if the site is busy or this address has reached its rate limit. */
async function askForSuggested(query: string, signal: AbortSignal): Promise<Suggested | null> {
  try {
    const response = await fetch(suggestionsPath(query), { signal });
    if (!response.ok) return null;
    return (await response.json()) as Suggested;
  } catch {
    return null;
  }
}

/** Without an answer, the last names stay while the viewer continues the same word or deletes its last letters. */
const suggestedNear = (query: string) =>
  query.startsWith(last.query) || last.query.startsWith(query) ? last.found : nothing;

/** The server stores the searches of members, and the browser stores those of visitors. */
async function listRecentSearches(isMember: boolean, signal: AbortSignal): Promise<string[]> {
  if (!isMember) return readRecentSearches();
  const response = await fetch(searchHistoryApiPath({ limit: 40 }), { signal });
  if (!response.ok) return [];
  const { data } = (await response.json()) as { data: { query: string }[] };
  return [...new Set(data.map(({ query }) => query))].slice(0, maxRecentSearches);
}

type SuggestionViewer = {
  isMember: boolean;
  /** The other facts that an answer depends on, as part of the cache key. */
  key: string;
};

/** An empty field offers recent searches. A text offers titles and other names, then the search for that text. */
export async function findSuggestions(
  query: string,
  { isMember, key }: SuggestionViewer,
  signal: AbortSignal,
): Promise<SearchSuggestion[]> {
  if (query === "") {
    const searches = await listRecentSearches(isMember, signal).catch(() => []);
    return searches.map((name) => ({ kind: "recent", name, to: searchPath({ q: name }) }));
  }
  const suggested = await getSuggested(query, key, signal);
  const titles = suggested.titles.map((title) => ({ kind: "title" as const, ...title }));
  const names = suggested.names.map((name) => ({ kind: "name" as const, ...name }));
  return [
    ...(suggested.areNamesFirst ? [...names, ...titles] : [...titles, ...names]),
    { kind: "all", name: query, to: searchPath({ q: query }) },
  ];
}
