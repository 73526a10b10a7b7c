import { beforeAll, expect, test } from "vitest";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { formOf, untouchedFields } from "#tests/support/requests/page-form.ts";
import { dataOf, htmlOf } from "#tests/support/requests/response-data.ts";
import { newMember, type Visitor } from "#tests/support/requests/visitor.ts";

/** How favorites are chosen by a search, and the step of signing up, posted as a browser without scripts posts them. */

const [lantern, third, guest, hidden] = [1, 3, 4, 900];

beforeAll(async () => {
  const title = (mal_id: number, name: string, popularity: number) => ({
    kind: "title",
    mal_id,
    title: name,
    popularity,
  });
  await importTitles([
    title(lantern, "Lantern", 1),
    // The second part is missing among the popular titles, and joins the first and the third.
    title(2, "Lantern Returns", 5000),
    title(third, "Lantern Ends", 2),
    title(guest, "A Guest of the Lantern", 3),
    ...Array.from({ length: 120 }, (_, index) => title(100 + index, `Filler ${index}`, 10 + index)),
    title(hidden, "Umbrella in the Attic", 6000),
    { kind: "relation", from: lantern, to: 2, relation: "sequel" },
    { kind: "relation", from: 2, to: third, relation: "sequel" },
    { kind: "relation", from: guest, to: lantern, relation: "character" },
  ]);
});

const step = "/signup/tastes?redirectTo=%2Fbrowse";
const offers = (html: string, malId: number) => html.includes(`name="favorite:${malId}"`);
const favoritesOf = async (member: Visitor) =>
  (await dataOf<{ favorite_animes: number[] }>(member.request("/api/user/profile"))).favorite_animes;

async function send(member: Visitor, path: string, more: Record<string, string>) {
  const fields = untouchedFields(await formOf(member, path, "find"));
  for (const [name, value] of Object.entries(more)) fields.set(name, value);
  const answer = await member.request(path, { method: "POST", body: fields });
  return [answer.status, answer.headers.get("Location")];
}

test("the step offers one title of each franchise, and a title that only shares a figure with it", async () => {
  const html = await htmlOf((await newMember()).request(step));
  expect([lantern, third, guest].map((malId) => offers(html, malId))).toEqual([true, false, true]);
  expect(html.match(/name="favorite:/g)?.length).toBe(30);
});

test("a search on the step keeps what is ticked, shows what it finds, and Finish leads to where one came from", async () => {
  const member = await newMember();
  expect(offers(await htmlOf(member.request(step)), hidden)).toBe(false);
  const found = "/signup/tastes?q=umbrela&redirectTo=%2Fbrowse";
  const ticked = { [`favorite:${guest}`]: "on" };
  expect(await send(member, step, { ...ticked, q: "umbrela", find: "1" })).toEqual([302, found]);
  expect(await favoritesOf(member)).toEqual([guest]);
  const html = await htmlOf(member.request(found));
  expect(html).toContain("Found for “umbrela”");
  expect(offers(html, hidden)).toBe(true);
  expect(await send(member, found, { [`favorite:${hidden}`]: "on" })).toEqual([302, "/browse"]);
  expect(await favoritesOf(member)).toEqual([guest, hidden]);
});

test("Search with nothing to search, which Enter in another field also presses, does not finish the step", async () => {
  const member = await newMember();
  const typed = { q: " ", find: "1", [`favorite:${guest}`]: "on" };
  expect(await send(member, "/signup/tastes?q=umbrela&redirectTo=%2Fbrowse", typed)).toEqual([302, step]);
  expect(await favoritesOf(member)).toEqual([guest]);
  expect(offers(await htmlOf(member.request(step)), lantern)).toBe(true);
});

test("a member with a list is offered neither its titles nor the import, and finds the titles by a search", async () => {
  const member = await newMember();
  const hasImport = (html: string) => html.includes("Import a list");
  expect(hasImport(await htmlOf(member.request(step)))).toBe(true);
  for (const animeId of [lantern, 100])
    await dataOf(member.request("/api/user/watchList", { json: { animeId, type: "Completed" } }));
  const html = await htmlOf(member.request(step));
  expect([lantern, 100, guest, 101].map((malId) => offers(html, malId))).toEqual([false, false, true, true]);
  expect(hasImport(html)).toBe(false);
  expect(html).toContain("Your list has 2 titles.");
  expect(offers(await htmlOf(member.request("/signup/tastes?q=lantern")), lantern)).toBe(true);
});

test("the step leads to the import of a list, which leads back after it", async () => {
  const member = await newMember();
  const href =
    /<a class="button" href="(\/list\/import[^"]*)"/.exec(await htmlOf(member.request(step)))?.[1] ?? "";
  const form = new FormData();
  form.set("intent", "import");
  form.set("file", new Blob(['{"format":"engawa-list","version":1,"entries":[]}']), "list.json");
  const before = await htmlOf(member.request(href));
  expect(before).toContain(`action="${href}"`);
  const answer = await member.request(href, { method: "POST", body: form });
  for (const html of [before, await answer.text()])
    expect(html).toContain('<a class="button" href="/signup/tastes?redirectTo=%2Fbrowse"');
  const other = await htmlOf(member.request("/list/import?redirectTo=https%3A%2F%2Fexample.org"));
  expect(other).toContain(`<a class="button" href="/"`);
  expect(other).not.toContain(`href="https://example.org`);
});

test("favorites are found on the page for editing the profile, whose one button saves all", async () => {
  const member = await newMember();
  const edit = "/profile/edit";
  expect(await htmlOf(member.request(edit))).toContain("None yet. Search for a title");
  const found = `${edit}?q=umbrella#favorites`;
  expect(await send(member, edit, { q: "umbrella", find: "1" })).toEqual([302, found]);
  expect(await send(member, `${edit}?q=umbrella`, { [`favorite:${hidden}`]: "on" })).toEqual([
    302,
    `${edit}?saved=1#save`,
  ]);
  expect(await favoritesOf(member)).toEqual([hidden]);
  const html = await htmlOf(member.request(`${edit}?saved=1`));
  expect(html.match(/Saved\./g)?.length).toBe(1);
  expect(offers(html, hidden)).toBe(true);
  expect(await htmlOf(member.request(`${edit}?q=zzzzqqqq`))).toContain("Nothing has a name like “zzzzqqqq”");
});
