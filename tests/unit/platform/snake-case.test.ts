import { expect, test } from "vitest";
import { snakeCaseCopier, toCamelCase, toSnakeCase } from "#app/platform/snake-case.ts";

test("names with underscores become camelCase, and other names stay", () => {
  expect(toCamelCase({ mal_id: 1, trailer_embed_url: null, title: "A", imageUrl: "b" })).toEqual({
    malId: 1,
    trailerEmbedUrl: null,
    title: "A",
    imageUrl: "b",
  });
});

test("names in camelCase become names with underscores, in the same order", () => {
  const copied = toSnakeCase({ startedOn: 1, rewatchCount: 2, tags: 3 });
  expect(Object.entries(copied)).toEqual([
    ["started_on", 1],
    ["rewatch_count", 2],
    ["tags", 3],
  ]);
});

test("a copier reads each field from its camelCase property, in the order of the names, and leaves other fields out", () => {
  const copy = snakeCaseCopier(["title", "mal_id"]);
  const copied = copy({ malId: 1, title: "A", isMature: true });
  expect(Object.entries(copied)).toEqual([
    ["title", "A"],
    ["mal_id", 1],
  ]);
});
