import type { CollectionType } from "#app/domain/library/library.ts";
import { collectionTypes } from "#app/domain/library/library.ts";
import type { TitleLanguage } from "#app/domain/visitor/visitor.ts";
import type { CardTitle } from "../card.tsx";
import { displayTitle, type TitleNames } from "../title.ts";

/** What the list page shows of the list: one tab, one order, one page, all of it in the address. */

export const listOrders = {
  updated: "Last changed",
  title: "Title",
  score: "My score",
  progress: "Progress",
} as const;
export type ListOrder = keyof typeof listOrders;
export type ListQuery = {
  type: CollectionType | null;
  order: ListOrder;
  view: "list" | "grid";
  page: number;
};

export type ListItem = {
  malId: number;
  name: string;
  lang?: "ja";
  titleType: string | null;
  year: number | null;
  episodes: number | null;
  rating: number | null;
  type: CollectionType;
  progress: number;
  score: number | null;
};

export const perPage = 100;

/** "to-watch" in the address, "To Watch" everywhere else. */
export const tabSlug = (type: CollectionType) => type.toLowerCase().replaceAll(" ", "-");

export function readListQuery(search: URLSearchParams): ListQuery {
  const order = search.get("sort") ?? "";
  return {
    type: collectionTypes.find((type) => tabSlug(type) === search.get("tab")) ?? null,
    order: Object.hasOwn(listOrders, order) ? (order as ListOrder) : "updated",
    view: search.get("view") === "grid" ? "grid" : "list",
    page: Math.max(1, Math.trunc(Number(search.get("page"))) || 1),
  };
}

/** The address of a state; what is usual is left out of it. */
export function listPath(query: Partial<ListQuery>): string {
  const search = new URLSearchParams();
  if (query.type) search.set("tab", tabSlug(query.type));
  if (query.order && query.order !== "updated") search.set("sort", query.order);
  if (query.view === "grid") search.set("view", "grid");
  if (query.page && query.page > 1) search.set("page", String(query.page));
  return search.size === 0 ? "/list" : `/list?${search}`;
}

const nullsLast = (a: number | null, b: number | null) => (b ?? -1) - (a ?? -1);
const comparers: Record<ListOrder, (a: ListItem, b: ListItem) => number> = {
  updated: () => 0,
  title: (a, b) => a.name.localeCompare(b.name),
  score: (a, b) => nullsLast(a.score, b.score),
  progress: (a, b) => shareOf(b) - shareOf(a),
};
const shareOf = ({ progress, episodes }: ListItem) =>
  episodes ? progress / episodes : progress > 0 ? 0.5 : 0;

/** Entries come newest change first; sorting is stable, so that stays the order among equals. */
export function viewList(entries: readonly ListItem[], query: ListQuery) {
  const counts = Object.fromEntries(
    collectionTypes.map((type) => [type, entries.filter((entry) => entry.type === type).length]),
  ) as Record<CollectionType, number>;
  const shown = entries
    .filter(({ type }) => query.type === null || type === query.type)
    .sort(comparers[query.order]);
  const lastPage = Math.max(1, Math.ceil(shown.length / perPage));
  const page = Math.min(query.page, lastPage);
  return {
    counts,
    all: entries.length,
    page,
    lastPage,
    items: shown.slice((page - 1) * perPage, page * perPage),
  };
}

/** An entry whose title has not been named in the viewer's language yet. */
type Listed = Omit<ListItem, "name" | "lang"> & {
  title: string;
  titleEnglish: string | null;
  titleJapanese: string | null;
};

export function toListItem(entry: Listed, language: TitleLanguage): ListItem {
  const { malId, titleType, year, episodes, rating, type, progress, score } = entry;
  const names: TitleNames = {
    title: entry.title,
    title_english: entry.titleEnglish,
    title_japanese: entry.titleJapanese,
  };
  const name = displayTitle(names, language);
  const isJapanese = name === entry.titleJapanese && name !== entry.title;
  return {
    malId,
    name,
    ...(isJapanese && { lang: "ja" }),
    titleType,
    year,
    episodes,
    rating,
    type,
    progress,
    score,
  };
}

export const toCard = ({ titleType, rating, type, progress, ...item }: ListItem): CardTitle => ({
  ...item,
  type: titleType,
  score: rating,
  listed: type,
  ...(progress > 0 && { seen: progress }),
});
