import { beforeAll, expect, test } from "vitest";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { dataOf } from "#tests/support/requests/response-data.ts";
import { newMember, Visitor } from "#tests/support/requests/visitor.ts";

/** The list of episodes on the page of a long title. */

beforeAll(async () => {
  const title = { kind: "title", type: "TV", episodes: 64 };
  await importTitles([
    { ...title, mal_id: 1, title: "Told" },
    { ...title, mal_id: 2, title: "Counted" },
    ...[1, 30].map((number) => ({ kind: "episode", mal_id: 1, number, title: `Part ${number}` })),
    { ...title, mal_id: 3, title: "After midnight", episodes: 2 },
    { kind: "episode", mal_id: 3, number: 1, date: "2025-01-06T16:30:00Z" },
    { kind: "episode", mal_id: 3, number: 2, date: "2025-01-14" },
  ]);
});

async function episodesOn(visitor: Visitor, path: string) {
  const html = await (await visitor.request(path)).text();
  const list = /<ol class="episode.*?<\/ol>/s.exec(html)?.[0] ?? "";
  const numbers = [...list.matchAll(/Episode <\/span>(?:<!-- -->)?(\d+)/g)].map(([, number]) =>
    Number(number),
  );
  return { html, first: numbers[0], last: numbers.at(-1) };
}

test("a visitor gets twelve episodes, and a jump to the others", async () => {
  const { html, first, last } = await episodesOn(new Visitor(), "/anime/1/told");
  expect([first, last]).toEqual([1, 12]);
  expect(html).toMatch(/<option value="6">61–64<\/option>/);
  expect(await episodesOn(new Visitor(), "/anime/1/told?episodes=6")).toMatchObject({ first: 61, last: 64 });
  for (const beyond of ["7", "9".repeat(20)])
    expect(await episodesOn(new Visitor(), `/anime/1/told?episodes=${beyond}`)).toMatchObject({ first: 61 });
});

test("the links to other episodes, and the form that ticks one, keep all details open", async () => {
  const path = "/anime/1/told?episodes=2&details=all";
  const { html } = await episodesOn(new Visitor(), path);
  for (const part of [1, 3]) expect(html).toContain(`href="/anime/1/told?episodes=${part}&amp;details=all"`);
  expect(html).toContain('<input type="hidden" name="details" value="all"/>');
  const own = await episodesOn(await newMember(), path);
  expect(own.html).toContain('action="/anime/1/told?episodes=2&amp;details=all"');
});

test("episodes known only by number are all shown at once", async () => {
  const { html, first, last } = await episodesOn(new Visitor(), "/anime/2/counted");
  expect([first, last]).toEqual([1, 64]);
  expect(html).not.toContain("episode-pager");
});

test("an episode shows the day in Japan on which it aired", async () => {
  const { html } = await episodesOn(new Visitor(), "/anime/3/after-midnight");
  expect(html).toContain("7 January 2025");
  expect(html).toContain("14 January 2025");
});

test("for a member, the list opens at the next episode to watch, unless the address says otherwise", async () => {
  const member = await newMember();
  await dataOf(
    member.request("/api/user/watchList", { json: { animeId: 1, type: "Watching", progress: 24 } }),
  );
  expect(await episodesOn(member, "/anime/1/told")).toMatchObject({ first: 25, last: 36 });
  expect(await episodesOn(member, "/anime/1/told?episodes=1")).toMatchObject({ first: 1, last: 12 });
});

test("the list does not jump when its last episode is ticked", async () => {
  const member = await newMember();
  await dataOf(
    member.request("/api/user/watchList", { json: { animeId: 1, type: "Watching", progress: 23 } }),
  );
  const { html } = await episodesOn(member, "/anime/1/told");
  expect(html).toContain('aria-label="Episode 24 seen"');
  const [, action = ""] = /<form[^>]* action="([^"]*)"[^>]*>(?:(?!<\/form>).)*episode-tick/s.exec(html) ?? [];
  const form = { intent: "save", mal_id: "1", tick: "24" };
  const ticked = await (await member.request(action, { form })).text();
  expect(ticked).toContain("Ticked episode 24 of Told");
  expect(ticked).toContain('aria-label="Episode 13 seen"');
  expect(await episodesOn(member, "/anime/1/told")).toMatchObject({ first: 25 });
});
