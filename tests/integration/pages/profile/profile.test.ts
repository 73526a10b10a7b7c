import { expect, test } from "vitest";
import { someTitle } from "#tests/support/data/database-rows.ts";
import { newChild } from "#tests/support/requests/household.ts";
import { dataOf } from "#tests/support/requests/response-data.ts";
import { newMember, Visitor } from "#tests/support/requests/visitor.ts";

/** The numbers of a member's own page. Each drawing has its numbers as a table, which browsers show without scripts. */

const textOf = (html: string) => html.replaceAll("<!-- -->", "");
const rowOf = (html: string, name: string) =>
  new RegExp(`<tr><th scope="row">(?:<a href="([^"]*)"[^>]*>)?${name}(?:</a>)?</th>(.*?)</tr>`)
    .exec(html)
    ?.slice(1)
    .map((part) => part?.replaceAll(/<td>|<\/td>$/g, "").replaceAll("</td>", " | "));

test("my page draws scores, genres, years and formats, and has each as a table with links to the list", async () => {
  const member = await newMember();
  const series = await someTitle({ type: "TV", year: 2001, genres: ["Drama"], duration: "30 min per ep" });
  const film = await someTitle({ type: "Movie", year: 2003, genres: ["Drama", "Sports"], duration: "2 hr" });
  for (const [animeId, score, progress] of [
    [series, 8, 4],
    [film, 9, 1],
  ])
    await dataOf(
      member.request("/api/user/watchList", { json: { animeId, type: "Watching", score, progress } }),
    );
  const html = textOf(await (await member.request("/profile")).text());
  expect(html.match(/<svg class="chart"/g)?.length).toBe(4);
  expect(html).toContain("Mean 8.5");
  expect(rowOf(html, "8")).toEqual([undefined, "1"]);
  expect(rowOf(html, "Drama")).toEqual(["/list?genre=Drama", "2 | 8.5 | 4 h"]);
  expect(rowOf(html, "2003")).toEqual(["/list?year=2003", "1 | 9.0 | 2 h"]);
  expect(rowOf(html, "2002")).toEqual([undefined, "0 | – | 0 min"]);
  expect(rowOf(html, "Movie")).toEqual(["/list?format=Movie", "1 | 9.0 | 2 h"]);

  await dataOf(member.request("/api/saveUserPreferences", { json: { scoreFormat: "stars" } }));
  const inStars = textOf(await (await member.request("/profile")).text());
  expect(inStars).toContain("Mean 4.3 ★");
  expect(rowOf(inStars, "4")).toEqual([undefined, "1"]);
  expect(rowOf(inStars, "6")).toBeUndefined();
  expect(rowOf(inStars, "Drama")).toEqual(["/list?genre=Drama", "2 | 4.3 ★ | 4 h"]);
});

test("my page counts each status as the tabs of the list do, and leads to them", async () => {
  const member = await newMember();
  for (const entry of [
    { type: "Watching" },
    { type: "Watching", state: "on_hold" },
    { type: "Collection", state: "dropped" },
  ])
    await dataOf(member.request("/api/user/watchList", { json: { animeId: await someTitle(), ...entry } }));
  const html = textOf(await (await member.request("/profile")).text());
  const counts = [...html.matchAll(/<dt><a href="([^"]+)"[^>]*>([^<]+)<\/a><\/dt><dd[^>]*>(\d+)</g)];
  expect(counts.map(([, path, name, count]) => [name, Number(count), path])).toEqual([
    ["Watching", 1, "/list?tab=watching"],
    ["On hold", 1, "/list?tab=on-hold"],
    ["To Watch", 0, "/list?tab=to-watch"],
    ["Completed", 0, "/list?tab=completed"],
    ["Dropped", 1, "/list?tab=dropped"],
    ["Collection", 0, "/list?tab=collection"],
  ]);
  expect(html).toContain("Time, about");
  expect(html).toContain("at the lengths that this site knows");
});

const mainIn = (html: string) => html.split(/<\/?main/)[1] ?? "";

test("my page of an empty list suggests a first step in place of drawings and zeros", async () => {
  const html = mainIn(await (await (await newMember()).request("/profile")).text());
  expect(html).not.toContain('<svg class="chart"');
  expect(html).not.toContain("at the lengths that this site knows");
  expect(html).toContain("Choose the titles you love");
  for (const path of ["/browse", "/list/import", "/profile/edit#tastes"])
    expect(html).toContain(`href="${path}"`);
});

test("my page of a child with an empty list links to titles, but not to an import", async () => {
  const { child } = await newChild("pg");
  const html = mainIn(await (await child.request("/profile")).text());
  expect(html).toContain('href="/browse"');
  expect(html).not.toContain('href="/list/import"');
});

const menuIn = (html: string) => /<nav [^>]*class="member-menu".*?<\/nav>/s.exec(html)?.[0];
const menuOf = async (visitor: Pick<Visitor, "request">) => menuIn(await (await visitor.request("/")).text());

test("the menu at the avatar leads to the member's own pages and signs out, and visitors have none", async () => {
  const member = await newMember();
  const menu = await menuOf(member);
  expect([...(menu ?? "").matchAll(/href="([^"]+)"/g)].map(([, path]) => path)).toEqual([
    "/profile",
    "/list",
    "/history",
    "/settings",
  ]);
  expect(menu).toMatch(/<form [^>]*action="\/api\/auth\/signout"/);
  expect(await menuOf(new Visitor())).toBeUndefined();
});

test("the menu of a household leads to the other profiles, and a child's has no button to sign out", async () => {
  const { owner, child } = await newChild("pg");
  expect(await menuOf(owner)).toContain("Switch profile");
  const menu = await menuOf(child);
  expect(menu).toContain("Switch profile");
  expect(menu).not.toContain("Sign out");
});
