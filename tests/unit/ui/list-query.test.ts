import { expect, test } from "vitest";
import { listStatePath, readListQuery } from "#app/ui/list-query.ts";

test("every state of the list page is in its URL, without default values", () => {
  const query = { type: "To Watch", order: "score", view: "grid", page: 3 } as const;
  expect(listStatePath(query)).toBe("/list?tab=to-watch&sort=score&view=grid&page=3");
  expect(readListQuery(new URL(listStatePath(query), "http://x").searchParams)).toEqual(query);
  expect(listStatePath({ type: null, order: "updated", view: "list", page: 1 })).toBe("/list");
  expect(readListQuery(new URLSearchParams("tab=x&sort=__proto__&page=-1&view=y"))).toEqual({
    type: null,
    order: "updated",
    view: "list",
    page: 1,
  });
});
