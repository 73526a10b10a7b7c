import type { ServerBuild } from "react-router";
import { expect, test } from "vitest";
import { cachedPage, createCachedPages } from "#app/http/pipeline/cached-pages.server.ts";
import type { IncomingRequest } from "#app/http/server/incoming-request.server.ts";

const page = { loader: () => null, default: () => null };
const storedPage = { ...page, middleware: [() => null, cachedPage({ tag: "all", q: "first" })] };
const modules = {
  "": storedPage,
  "title/:id/:slug?": storedPage,
  search: storedPage,
  "search/more": page,
  mine: page,
};
const built = {
  root: { id: "root", path: "", module: { default: () => null } },
  ...Object.fromEntries(
    Object.entries(modules).map(([path, module]) => [
      `routes/${path}`,
      { id: `routes/${path}`, parentId: "root", path, module },
    ]),
  ),
};
const { isCached, withReadQuery } = createCachedPages(built as unknown as ServerBuild["routes"]);

test("only pages that declare the query parameters they read are cached for visitors, also as data", () => {
  for (const path of [
    "/",
    "/_root.data",
    "/title/1",
    "/title/1/",
    "/title/1/a",
    "/title/1/a.data",
    "/search",
  ])
    expect([path, isCached(path)]).toEqual([path, true]);
  for (const path of ["/title", "/title/1/a/b", "/search/more", "/searching", "/mine", "/nowhere"])
    expect([path, isCached(path)]).toEqual([path, false]);
});

const read = (target: string, method = "GET") => {
  const [path = "", query] = target.split("?");
  const incoming = { method, path, query: query === undefined ? "" : `?${query}` } as IncomingRequest;
  return withReadQuery(incoming).query;
};

test.each([
  ["/search", ""],
  ["/search?utm_source=a&x", ""],
  ["/search?q=b&q=c&utm_source=a", "?q=b"],
  ["/search?q=&q=c", ""],
  ["/search?q=b&tag=2&tag=&tag=1", "?tag=2&tag=&tag=1&q=b"],
  ["/search/?q=b&x=1", "?q=b"],
  ["/search?index&_routes=root", "?index="],
  ["/search.data?_routes=root%2Croutes%2Fsearch%2Cx%2Croutes%2Fmine", "?_routes=root%2Croutes%2Fsearch"],
  ["/search.data?_routes=x", "?_routes=none"],
  ["/title/1/a.data?q=a%20b%00", "?q=a+b%00"],
  ["/mine?utm_source=a&q=1", "?utm_source=a&q=1"],
])("the page at %s reads the parameters %s", (target, expected) => {
  expect(read(target)).toBe(expected);
  expect(read(target, "HEAD")).toBe(expected);
});

test("a sent form keeps its query", () => {
  expect(read("/search?x=1", "POST")).toBe("?x=1");
});
