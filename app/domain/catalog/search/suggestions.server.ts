import type { Viewer } from "#app/domain/visibility/visibility.server.ts";
import type { TitleSuggestion } from "../catalog.ts";
import { listTitlesById } from "../listing.server.ts";
import { shownMatch } from "./name-similarity.ts";
import { findMatches } from "./search.server.ts";

const maxSuggestions = 8;

export async function suggestTitles(query: string, viewer: Viewer): Promise<TitleSuggestion[]> {
  const found = (await findMatches(query, viewer)).found.slice(0, maxSuggestions);
  const aliases = new Map(found.map(({ malId, alias }) => [malId, alias]));
  const shown = await listTitlesById([...aliases.keys()], viewer);
  return shown.map((title) => ({
    title,
    matched: shownMatch(title, aliases.get(title.malId) ?? title.title, query),
  }));
}
