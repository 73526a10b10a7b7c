import { expect, test } from "vitest";
import type { UndecidedFilm } from "#app/domain/scanning/scanning.ts";
import { listSelected, selectionName, selectionValue } from "#app/routes/admin/selected-matches.ts";

const film: UndecidedFilm = {
  id: "f1",
  path: "Kaze - 07.mkv",
  state: "unsure",
  name: "Kaze",
  episode: 7,
  lastEpisode: null,
  isSpecial: false,
  piece: null,
  reasons: [],
  isBeyondMatch: false,
  match: { malId: 5, title: "Kaze" },
};

test.each([
  ["an episode", {}, { episode: 7 }],
  ["two episodes in one video", { lastEpisode: 8 }, { episode: 7, lastEpisode: 8 }],
  ["a special", { isSpecial: true, episode: null }, { episode: null }],
])("a selected match of %s is read as it was shown", (_, change, read) => {
  const value = selectionValue({ ...film, ...change });
  expect(listSelected({ [selectionName(film)]: value ?? "" })).toEqual([{ filmId: "f1", malId: 5, ...read }]);
});

test.each([
  ["without a match", { match: null }],
  ["with a number that the title does not have", { isBeyondMatch: true }],
  ["of a part of an episode", { piece: 1 }],
])("a video %s cannot be selected", (_, change) => {
  expect(selectionValue({ ...film, ...change })).toBeNull();
});

test("a match whose title has a number above any of the catalog is not read", () => {
  expect(listSelected({ [selectionName(film)]: "2147483647 7" })).toHaveLength(1);
  expect(listSelected({ [selectionName(film)]: "2147483648 7" })).toEqual([]);
});
