import { readFileSync } from "node:fs";
import { relationKinds, titleTypes } from "#app/domain/catalog/catalog.ts";
import type { FranchiseRelation, FranchiseTitle } from "#app/domain/franchises/order/links.ts";
import { searchKey } from "#app/domain/names/names.ts";

/** Reads the franchises of tests/fixtures/franchises. */

type ExpectedFranchise = { main: number[]; story: number[]; released: number[]; skip: string[] };
export type LaidDown = {
  name: string;
  titles: FranchiseTitle[];
  relations: FranchiseRelation[];
  franchises: ExpectedFranchise[];
};

export function readLaidDown(file: "laid-down" | "held-out"): LaidDown[] {
  const text = readFileSync(`tests/fixtures/franchises/${file}.txt`, "utf8");
  return text.split(/^# /m).slice(1).map(readCase);
}

function readCase(text: string): LaidDown {
  const [name = "", ...lines] = text.split("\n");
  const laidDown: LaidDown = { name, titles: [], relations: [], franchises: [] };
  for (const line of lines) {
    const [, from, kind, to] = /^(\d+) (\w+) (\d+)$/.exec(line) ?? [];
    const [, order, rest = ""] = /^(main|story|released|skip): ?(.*)$/.exec(line) ?? [];
    if (line.includes(" | ")) laidDown.titles.push(readTitle(line));
    else if (from !== undefined && to !== undefined)
      laidDown.relations.push({
        from: Number(from),
        to: Number(to),
        kind: oneOf(relationKinds, kind),
        sources: 1,
        isUntyped: false,
      });
    else if (order === "main")
      laidDown.franchises.push({ main: rest.split(" ").map(Number), story: [], released: [], skip: [] });
    else if (order === "story" || order === "released")
      Object.assign(laidDown.franchises.at(-1) ?? {}, { [order]: rest.split(" ").map(Number) });
    else if (order === "skip")
      Object.assign(laidDown.franchises.at(-1) ?? {}, { skip: rest === "" ? [] : rest.split(", ") });
    else if (line !== "") throw new Error(`not a line of a franchise: ${line}`);
  }
  return laidDown;
}

function readTitle(line: string): FranchiseTitle {
  const [malId, type, episodes, minutes, day = "", members, ...name] = line.split(" | ");
  const numberOf = (value: string | undefined) => (value === "-" ? null : Number(value));
  return {
    malId: Number(malId),
    type: type === "-" ? null : oneOf(titleTypes, type),
    episodes: numberOf(episodes),
    // The long series among them still air.
    weeksOnAir: type === "TV" && episodes === "-" ? weeksUntil2026(day) : null,
    minutes: numberOf(minutes),
    releasedAt: day === "-" ? Number.POSITIVE_INFINITY : Date.parse(day),
    members: Number(members),
    names: [searchKey(name.join(" | "))],
    sumsUpUntil: null,
  };
}

const weeksUntil2026 = (day: string): number | null =>
  day === "-" ? null : Math.floor((Date.parse("2026-01-01") - Date.parse(day)) / (7 * 24 * 60 * 60 * 1000));

function oneOf<Word extends string>(words: readonly Word[], text: string | undefined): Word {
  const found = words.find((word) => word === text);
  if (found === undefined) throw new Error(`${text} is none of ${words.join(", ")}`);
  return found;
}
