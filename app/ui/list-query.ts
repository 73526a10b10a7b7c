import { type ListOrder, type ListStatus, listStatuses } from "#app/domain/library/library.ts";
import { listPath } from "#app/paths.ts";

/** Every state of the list page is in its address: one tab, one order, one view, one page. */

export const listOrderLabels: Record<ListOrder, string> = {
  updated: "Last changed",
  title: "Title",
  score: "My score",
  progress: "Progress",
};
export type ListQuery = {
  type: ListStatus | null;
  order: ListOrder;
  view: "list" | "grid";
  page: number;
};

/** "to-watch" in the address, "To Watch" everywhere else. */
export const tabSlug = (type: ListStatus) => type.toLowerCase().replaceAll(" ", "-");

export function readListQuery(search: URLSearchParams): ListQuery {
  const order = search.get("sort") ?? "";
  return {
    type: listStatuses.find((type) => tabSlug(type) === search.get("tab")) ?? null,
    order: Object.hasOwn(listOrderLabels, order) ? (order as ListOrder) : "updated",
    view: search.get("view") === "grid" ? "grid" : "list",
    page: Math.max(1, Math.trunc(Number(search.get("page"))) || 1),
  };
}

/** The path of a state, without its default values. */
export function listStatePath(query: Partial<ListQuery>): string {
  const search = new URLSearchParams();
  if (query.type) search.set("tab", tabSlug(query.type));
  if (query.order && query.order !== "updated") search.set("sort", query.order);
  if (query.view === "grid") search.set("view", "grid");
  if (query.page && query.page > 1) search.set("page", String(query.page));
  return listPath(search.size === 0 ? "" : `?${search}`);
}
