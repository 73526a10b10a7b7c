import { readFileSync } from "node:fs";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import { describe, expect, test } from "vitest";
import routes from "#app/routes.ts";
import { pageStates } from "#tests/bench/pictures/page-states.ts";
import { readPageScores } from "#tests/support/checks/page-scores.ts";

/** docs/page-scores.md has every page, in each state of which `npm run bench -- pictures` takes a picture. */

const scores = readPageScores();

/** A route with a component that is not shown within another page. */
const isPage = ({ file }: RouteConfigEntry) =>
  /^export default /m.test(readFileSync(new URL(`../../app/${file}`, import.meta.url), "utf8"));

const pages = (routes as RouteConfigEntry[]).filter(isPage).map(({ path = "" }) => `/${path}`);

const nameOf = ({ page, state }: { page: string; state: string }) => `${page}, ${state}`;

describe("the scores of pages", () => {
  test("every page of routes.ts has a row, and every row is of a page", () => {
    expect([...new Set(scores.map(({ page }) => page))].sort()).toEqual([...pages].sort());
  });

  test("the table has the states of which a picture is taken, each once", () => {
    expect(scores.map(nameOf)).toEqual(pageStates.map(nameOf));
  });

  test("every score is from 1 to 10, and each row says what holds the page down", () => {
    expect(scores.filter(({ score }) => !(score >= 1 && score <= 10))).toEqual([]);
    expect(scores.filter(({ weakness }) => weakness === "").map(nameOf)).toEqual([]);
  });
});
