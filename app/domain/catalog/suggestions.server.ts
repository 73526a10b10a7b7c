import type { TitleSuggestion } from "./catalog.ts";
import { listTitlesById } from "./listing.server.ts";
import { findMatches } from "./search.server.ts";

const maxSuggestions = 8;
/** More matches than suggestions are read, because parental control can hide some of them. */
const maxMatchesRead = 40;

export async function suggestTitles(query: string, showMature: boolean): Promise<TitleSuggestion[]> {
  const found = (await findMatches(query)).found.slice(0, maxMatchesRead);
  const aliases = new Map(found.map(({ malId, alias }) => [malId, alias]));
  const shown = await listTitlesById([...aliases.keys()], showMature);
  return shown
    .slice(0, maxSuggestions)
    .map((title) => ({ title, matched: aliases.get(title.malId) ?? title.title }));
}
