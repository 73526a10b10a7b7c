import {
  type EntryStatus,
  entryStatuses,
  type ListFilters,
  type ListOrder,
} from "#app/domain/library/library.ts";
import { listPath } from "#app/paths.ts";

/** The whole state of the list page is in its address: filters, order, view, page and the entry being edited. */

export const listOrderLabels: Record<ListOrder, string> = {
  updated: "Last changed",
  title: "Title",
  score: "My score",
  community: "Community score",
  progress: "Progress",
  added: "Added",
  started: "Started",
  finished: "Finished",
};
export type ListQuery = ListFilters & {
  /** The search text. */
  words: string;
  order: ListOrder;
  view: "list" | "grid";
  page: number;
  /** The id of the entry that is being edited. */
  edit: number | null;
  /** True while rows have checkboxes, to change several entries at once. */
  isChoosing: boolean;
  /** True when all entries of the page are ticked. */
  isAllTicked: boolean;
};

/** The slug of a list status in an address: "To Watch" becomes "to-watch". */
export const tabSlug = (status: EntryStatus) => status.toLowerCase().replaceAll(/[ _]/g, "-");

const maxWordsLength = 200;

export function readListQuery(search: URLSearchParams): ListQuery {
  const order = search.get("sort") ?? "";
  const word = (name: string) => search.get(name)?.slice(0, maxWordsLength) || null;
  const number = (name: string) => Math.max(0, Math.trunc(Number(search.get(name))) || 0);
  return {
    status: entryStatuses.find((status) => tabSlug(status) === search.get("tab")) ?? null,
    format: word("format"),
    genre: word("genre"),
    year: number("year") || null,
    tag: word("tag"),
    words: word("q")?.trim() ?? "",
    order: Object.hasOwn(listOrderLabels, order) ? (order as ListOrder) : "updated",
    view: search.get("view") === "grid" ? "grid" : "list",
    page: number("page") || 1,
    edit: number("edit") || null,
    isChoosing: search.get("choose") === "1" || search.get("all") === "1",
    isAllTicked: search.get("all") === "1",
  };
}

/** The path of the list with this query, without its default values. */
export function listQueryPath(query: Partial<ListQuery>): string {
  const search = new URLSearchParams();
  const set = (name: string, value: string | number | null | undefined) =>
    value && search.set(name, `${value}`);
  set("tab", query.status && tabSlug(query.status));
  set("q", query.words);
  set("format", query.format);
  set("genre", query.genre);
  set("year", query.year);
  set("tag", query.tag);
  if (query.order !== "updated") set("sort", query.order);
  if (query.view === "grid") set("view", "grid");
  if (query.page !== 1) set("page", query.page);
  set("edit", query.edit);
  if (query.isChoosing) set("choose", 1);
  if (query.isAllTicked) set("all", 1);
  return listPath(search.size === 0 ? "" : `?${search}`);
}

/** The path of the list with this list status, for links on other pages. */
export const listStatusPath = (status: EntryStatus) => listQueryPath({ status });
