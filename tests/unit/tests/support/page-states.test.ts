import { expect, test } from "vitest";
import routes from "#app/routes.ts";
import { operatorPages, type PageState, picturedPages, visitorPages } from "#tests/support/page-states.ts";

/** A page is a route with a component, so its file is a `.tsx`. */

const partOfSettings = { "/settings/tokens": "a part of the page of settings" };

const withoutPicture: Record<string, string> = {
  ...partOfSettings,
  "/people/:id/:slug?": "the starter catalog has no people",
  "/characters/:id/:slug?": "as people",
};

const notWalked: Record<string, string> = {
  ...partOfSettings,
  "/setup": "closed once the site has an operator",
  "/wishes": "only with a media folder; tests/journeys/wishes.test.ts opens it",
  "/profiles/leave": "only for another grown-up of the account",
  "/profiles/:id": "only for another profile of the account",
  "/admin/films/decide": "only with a media folder",
};

type Route = {
  path?: string | undefined;
  file: string;
  children?: Route[] | undefined;
};

const pagesIn = (from: readonly Route[], parent = ""): string[] =>
  from.flatMap(({ path = "", file, children = [] }) => {
    const own = `${parent}/${path}`;
    return [...(file.endsWith(".tsx") ? [own] : []), ...pagesIn(children, own)];
  });

test.each<[way: string, states: readonly PageState[], without: Record<string, string>]>([
  ["a picture", picturedPages, withoutPicture],
  ["a visit of the walks", [...visitorPages, ...operatorPages], notWalked],
])("every page has %s, or a reason why not", (_, states, without) => {
  const known = new Set([...states.map(({ page }) => page), ...Object.keys(without)]);
  expect([...known].sort()).toEqual([...new Set(pagesIn(routes))].sort());
});
