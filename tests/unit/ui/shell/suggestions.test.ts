import { afterEach, expect, test, vi } from "vitest";
import { findSuggestions } from "#app/ui/shell/suggestions.ts";

afterEach(() => vi.unstubAllGlobals());

/** The kinds of suggestions in the order of the list. */
async function kindsOf(query: string, areNamesFirst: boolean) {
  const suggested = {
    titles: [{ malId: 1, name: "Miyazawa", note: "", to: "/anime/1" }],
    names: [{ name: "Miyazaki", note: "person", to: "/people/1" }],
    areNamesFirst,
  };
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json(suggested)));
  const viewer = { isMember: false, key: "" };
  return (await findSuggestions(query, viewer, new AbortController().signal)).map(({ kind }) => kind);
}

test("names come before titles only if the titles are merely spelled like the text", async () => {
  expect(await kindsOf("miyaza", false)).toEqual(["title", "name", "all"]);
  expect(await kindsOf("miyazaki", true)).toEqual(["name", "title", "all"]);
});
