import { expect, test } from "vitest";
import { type ListQuery, listQueryPath, readListQuery } from "#app/wire/list-query.ts";

const whole: ListQuery = {
  status: null,
  format: null,
  genre: null,
  year: null,
  tag: null,
  words: "",
  order: "updated",
  view: "list",
  page: 1,
  edit: null,
  isChoosing: false,
  isAllTicked: false,
};
const readBack = (query: ListQuery) => readListQuery(new URL(listQueryPath(query), "http://x").searchParams);

test("every state of the list page is in its URL, without default values", () => {
  const query = { ...whole, status: "To Watch", order: "score", view: "grid", page: 3 } as const;
  expect(listQueryPath(query)).toBe("/list?tab=to-watch&sort=score&view=grid&page=3");
  expect(readBack(query)).toEqual(query);
  const filtered = { ...whole, format: "TV", genre: "Drama", year: 2001, tag: "a & b", words: "é x" };
  const edited = { ...filtered, status: "on_hold" as const, edit: 7, isChoosing: true, isAllTicked: true };
  for (const one of [filtered, edited]) expect(readBack(one)).toEqual(one);
  expect(listQueryPath(whole)).toBe("/list");
  expect(
    readListQuery(new URLSearchParams("tab=x&sort=__proto__&page=-1&view=y&edit=x&year=x&all=x")),
  ).toEqual(whole);
});
