import { expect, test } from "vitest";
import { assignNumbers } from "#app/domain/catalog-import/tags/assign-numbers.ts";

const tag = (kind: "theme" | "producer", malId: number, name: string) => ({ kind, malId, name });
const keyed = (kind: "theme" | "producer", malId: number, name: string) => ({
  ...tag(kind, malId, name),
  key: name.toLowerCase(),
});

test("names without a known number get our own numbers, in one series for all kinds", () => {
  const names = [tag("theme", 0, "Zoo"), tag("producer", 0, "Bones"), tag("theme", 0, "Isekai")];
  expect(assignNumbers([], [tag("theme", 62, "Isekai")], names)).toEqual([
    keyed("theme", 62, "Isekai"),
    keyed("producer", 1_000_000, "Bones"),
    keyed("theme", 1_000_001, "Zoo"),
  ]);
});

test("a number stays the same when more names are added, and other spellings of a name share it", () => {
  const present = [keyed("producer", 1_000_004, "mappa")];
  expect(assignNumbers(present, [], [tag("producer", 0, "MAPPA"), tag("producer", 0, "Aaa")])).toEqual([
    keyed("producer", 1_000_005, "Aaa"),
  ]);
});

test("a number from MyAnimeList replaces our own number, and no other number replaces one", () => {
  const present = [keyed("producer", 1_000_000, "bones"), keyed("producer", 4, "sunrise")];
  expect(assignNumbers(present, [tag("producer", 4, "Bones")], []), "taken").toEqual([]);
  expect(assignNumbers(present, [tag("producer", 9, "Sunrise")], []), "has one").toEqual([]);
  expect(assignNumbers(present, [tag("producer", 1_000_009, "Bones")], []), "has one").toEqual([]);
  expect(assignNumbers(present, [tag("producer", 7, "Bones")], [])).toEqual([keyed("producer", 7, "Bones")]);
});

test("our numbers do not continue after a huge one, and pass over numbers in use", () => {
  const huge = keyed("theme", 2_147_483_647, "zoo");
  const names = [tag("producer", 0, "Aaa")];
  expect(assignNumbers([keyed("producer", 1_000_002, "mappa"), huge], [], names)).toEqual([
    keyed("producer", 1_000_003, "Aaa"),
  ]);
  const atTheLimit = [keyed("theme", 999_999_999, "isekai"), keyed("theme", 1_000_000_000, "school")];
  expect(assignNumbers(atTheLimit, [], names)).toEqual([keyed("producer", 1_000_000_001, "Aaa")]);
});
