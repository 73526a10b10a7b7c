import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import { Pager } from "#app/ui/pager.tsx";

const linksOf = (page: number, lastPage: number) => {
  const html = renderToStaticMarkup(
    <MemoryRouter initialEntries={[`/browse?q=sea&page=${page}`]}>
      <Pager page={page} lastPage={lastPage} />
    </MemoryRouter>,
  );
  return [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href?.split("&amp;page=")[1] ?? "1");
};

test("a page links to the one before and after it, to the first and the last, and a single page to none", () => {
  expect(linksOf(3, 9)).toEqual(["2", "1", "2", "3", "4", "9", "4"]);
  expect(linksOf(1, 1)).toEqual([]);
});

test("a page past the end links back to the last one", () => {
  expect(linksOf(7, 4)).toEqual(["4", "1", "4"]);
  expect(linksOf(2, 1)).toEqual(["1", "1"]);
});
