import { renderToString } from "react-dom/server";
import { createRoutesStub, Outlet, useLoaderData } from "react-router";
import { beforeAll, expect, test } from "vitest";
import { latePartsLoaded } from "#app/ui/late.tsx";
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

const Cards = () => <CardGrid titles={useLoaderData<CardTitle[]>()} label="Titles" eager={1} />;
const Page = createRoutesStub([
  { id: "root", path: "/", Component: Outlet, children: [{ id: "cards", index: true, Component: Cards }] },
]);

/** The card's HTML as the server renders it. */
function written(titles: readonly CardTitle[], site: Record<string, unknown> = {}): string {
  const root = { user: null, forChildren: null, newPictures: {}, ...site };
  return renderToString(<Page hydrationData={{ loaderData: { root, cards: titles } }} />);
}

const member = { user: { name: "Haruka" } };
const titles = [card(1), card(2), card(3, { why: "Same studio", lang: "ja" }), card(4)];

beforeAll(latePartsLoaded);

test("a card says what its household's owner has decided for the children", () => {
  const shown = written(titles, { ...member, forChildren: { 2: "blocked" } }).replaceAll("<!-- -->", "");
  expect(shown.split("Children: ")).toHaveLength(2);
  expect(shown).toMatch(/Ferry&gt; 2<.*Children: blocked.*Ferry&gt; 3</);
});

test("the HTML of a card follows its picture, its state and its viewer", () => {
  expect(written(titles, { ...member, newPictures: { 2: "mark2" } })).toContain(
    "/poster/2.webp?w=320&amp;v=mark2",
  );
  expect(written(titles, member)).not.toContain("mark2");
  expect(written(titles)).not.toContain("card-bookmark");
  const listed = written([...titles.slice(0, 3), card(4, { listed: "Watching", seen: 1 })], member);
  expect(listed).toContain("Watching");
  // The link's name says what the bar shows. The bar itself would add a bare number to it.
  expect(listed.replaceAll("<!-- -->", "")).toContain(", at episode 1 of 12");
  expect(listed).toMatch(/<progress[^>]*aria-hidden="true"/);
});
