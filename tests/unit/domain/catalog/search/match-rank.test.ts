import { expect, test } from "vitest";
import { type Candidate, fitOfSimilar, fits, ranked } from "#app/domain/catalog/search/match-rank.ts";

const candidate = (alias: string, fields: Partial<Candidate>): Candidate => ({
  malId: alias.length,
  alias,
  kind: "title",
  fit: fits.whole,
  coverage: 1,
  members: 0,
  ...fields,
});
const order = (...candidates: Candidate[]) => ranked(candidates).map(({ alias }) => alias);

const famous = 3_500_000;
const unknown = 30_000;

test("a synonym that equals the typed text comes after the beginning of a famous title's name, but not of an unknown one's", () => {
  const synonym = candidate("synonym", { kind: "synonym", members: unknown });
  const beginning = (members: number) =>
    candidate("beginning", { fit: fits.beginning, coverage: 0.5, members });
  expect(order(synonym, beginning(famous))).toEqual(["beginning", "synonym"]);
  expect(order(synonym, beginning(unknown))).toEqual(["synonym", "beginning"]);
});

test("an official name that equals the typed text comes before the beginning of any other name", () => {
  const official = candidate("official", { members: 0 });
  const beginning = candidate("beginning", { fit: fits.beginning, coverage: 0.9, members: 9_000_000 });
  expect(order(beginning, official)).toEqual(["official", "beginning"]);
});

test("of two titles with the same name, the known one comes first, even if the name is its synonym", () => {
  const official = candidate("official", { members: unknown });
  const synonym = candidate("known synonym", { kind: "synonym", members: famous });
  expect(order(official, synonym)).toEqual(["known synonym", "official"]);
});

test("among similar names, one wrong letter fewer counts more than popularity", () => {
  const closer = candidate("closer", { fit: fitOfSimilar(0.95), members: 0 });
  const famousName = candidate("famous name", { fit: fitOfSimilar(0.83), members: 1_000_000 });
  expect(order(famousName, closer)).toEqual(["closer", "famous name"]);
});

test("a name that matches less than half as well as the best is left out", () => {
  const inside = candidate("inside", { fit: fits.inside, members: famous });
  expect(order(inside, candidate("words", { fit: fits.words }))).toEqual(["words"]);
  expect(order(inside)).toEqual(["inside"]);
});

test("a title with several matching names is listed once, with its best name", () => {
  const names = [
    candidate("begun", { malId: 1, fit: fits.wordsBegun }),
    candidate("whole", { malId: 1, fit: fits.whole }),
  ];
  expect(order(...names)).toEqual(["whole"]);
});
