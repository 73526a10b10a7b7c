import { sortKey } from "#app/domain/catalog/catalog.server.ts";
import { type ListedEntry, listPageOf } from "#app/domain/library/library.server.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import { titlePath } from "#app/paths.ts";
import type { ListQuery } from "#app/ui/list-query.ts";
import { nameIn } from "#app/ui/titles/title-name.ts";
import type { ListItem } from "./list-item.ts";

/** The page of a member's list that the query selects, with names in the member's title language. */
export function toListView(entries: readonly ListedEntry[], query: ListQuery, language: TitleLanguage) {
  const { entries: shown, ...page } = listPageOf(entries, query, (entry) =>
    sortKey(nameIn(entry, language).name),
  );
  return { ...page, items: shown.map((entry) => toListItem(entry, language)) };
}

function toListItem(entry: ListedEntry, language: TitleLanguage): ListItem {
  const { malId, titleType, year, episodes, rating, type, progress, score } = entry;
  const path = titlePath(malId, entry.title);
  return {
    malId,
    path,
    ...nameIn(entry, language),
    titleType,
    year,
    episodes,
    rating,
    type,
    progress,
    score,
  };
}
