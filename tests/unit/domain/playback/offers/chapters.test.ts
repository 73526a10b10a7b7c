import { describe, expect, test } from "vitest";
import { skipSegmentsOf } from "#app/domain/playback/offers/chapters.ts";

describe("chapters that can be skipped", () => {
  const kindsOf = (...chapters: [title: string, length: number][]) =>
    skipSegmentsOf(chapters.map(([title, length]) => ({ title, start: 100, end: 100 + length }))).map(
      ({ kind }) => kind,
    );
  test.each<[string, number, string[]]>([
    ["OP", 90, ["intro"]],
    ["オープニング", 90, ["intro"]],
    ["Credits", 90, ["outro"]],
    ["Intro", 90, ["intro"]],
    ["Intro", 150, []],
    ["Avant", 90, []],
    ["アバン", 90, []],
    ["Prologue", 90, []],
    ["Preview", 30, []],
    ["OP", 19, []],
    ["Ending", 181, []],
    ["Operation", 90, []],
  ])("%s of %i seconds: %j", (title, length, kinds) => expect(kindsOf([title, length])).toEqual(kinds));

  test("beside a chapter that is called opening, an intro is the scene before the opening", () => {
    expect(kindsOf(["Intro", 90], ["Opening", 90])).toEqual(["intro"]);
  });
});
