import { renderToString } from "react-dom/server";
import { createRoutesStub, Outlet, useLoaderData } from "react-router";
import { expect, test } from "vitest";
import { CardGrid, type CardTitle } from "#app/ui/titles/card.tsx";

const card = (malId: number, change: Partial<CardTitle> = {}): CardTitle => ({
  malId,
  path: `/anime/${malId}/night-ferry`,
  name: `Night & <Ferry> ${malId}`,
  type: "TV",
  year: 2004,
  episodes: 12,
  score: malId % 2 === 0 ? null : 8.5,
  ...change,
});
const copyOf = (titles: readonly CardTitle[]) => titles.map((title) => ({ ...title }));

const Cards = () => <CardGrid titles={useLoaderData<CardTitle[]>()} label="Titles" eager={1} />;
const Page = createRoutesStub([
  { id: "root", path: "/", Component: Outlet, children: [{ id: "cards", index: true, Component: Cards }] },
]);

/** As the server writes it. */
function written(titles: readonly CardTitle[], site: Record<string, unknown> = {}): string {
  const root = { user: null, forChildren: null, newPictures: {}, ...site };
  return renderToString(<Page hydrationData={{ loaderData: { root, cards: titles } }} />);
}

const member = { user: { name: "Haruka" } };
const titles = [card(1), card(2), card(3, { why: "Same studio", lang: "ja" }), card(4)];

test.each([
  ["a visitor", {}],
  ["a member", member],
  ["an owner of a household with a child", { ...member, forChildren: { 2: "blocked" } }],
  ["a site with another picture", { ...member, newPictures: { 2: "mark2" } }],
])("cards whose HTML is kept are written as React writes them, for %s", (_, site) => {
  const once = written(copyOf(titles), site);
  for (let time = 0; time < 3; time++) expect(written(titles, site)).toBe(once);
});

test("the HTML of a card follows its picture, its state and who looks", () => {
  for (let time = 0; time < 2; time++) written(titles, member);
  expect(written(titles, { ...member, newPictures: { 2: "mark2" } })).toContain(
    "/poster/2.webp?w=320&amp;v=mark2",
  );
  expect(written(titles, member)).not.toContain("mark2");
  expect(written(titles)).not.toContain("card-bookmark");
  expect(written([...copyOf(titles.slice(0, 3)), { ...card(4), listed: "Watching" }], member)).toContain(
    "Watching",
  );
});
