import { expect, test } from "vitest";
import { profileStats } from "#app/ui/profile/profile-stats.ts";
import { type ListItem, listPath, readListQuery, viewList } from "#app/ui/watch-list/list-view.ts";

const item = (malId: number, fields: Partial<ListItem> = {}): ListItem => ({
  malId,
  name: `T${malId}`,
  titleType: "TV",
  year: 2000,
  episodes: 12,
  rating: 8,
  type: "Watching",
  progress: 0,
  score: null,
  ...fields,
});

test("every state of the page is its address, and what is usual is left out of it", () => {
  const query = { type: "To Watch", order: "score", view: "grid", page: 3 } as const;
  expect(listPath(query)).toBe("/list?tab=to-watch&sort=score&view=grid&page=3");
  expect(readListQuery(new URL(listPath(query), "http://x").searchParams)).toEqual(query);
  expect(listPath({ type: null, order: "updated", view: "list", page: 1 })).toBe("/list");
  expect(readListQuery(new URLSearchParams("tab=x&sort=__proto__&page=-1&view=y"))).toEqual({
    type: null,
    order: "updated",
    view: "list",
    page: 1,
  });
});

test("tabs count everything, orders keep the newest change first among equals, pages end", () => {
  const items = [item(1, { score: 5 }), item(2, { type: "Completed" }), item(3, { score: 9 }), item(4)];
  const view = viewList(items, { type: "Watching", order: "score", view: "list", page: 9 });
  expect(view.items.map(({ malId }) => malId)).toEqual([3, 1, 4]);
  expect([view.counts.Watching, view.counts.Completed, view.all, view.page, view.lastPage]).toEqual([
    3, 1, 4, 1, 1,
  ]);
});

test("a profile's numbers", () => {
  const entries = [
    { type: "Watching" as const, progress: 3, score: 8, genres: ["Action", "Drama"] },
    { type: "Completed" as const, progress: 12, score: null, genres: ["Drama"] },
  ];
  expect(profileStats(entries)).toMatchObject({
    episodes: 15,
    meanScore: 8,
    genres: [
      { genre: "Drama", count: 2 },
      { genre: "Action", count: 1 },
    ],
  });
  expect(profileStats([]).meanScore).toBeNull();
});
