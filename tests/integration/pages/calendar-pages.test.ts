import { beforeAll, expect, test } from "vitest";
import { dateIn, japanTimeZone } from "#app/domain/calendar/calendar.ts";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { newChild } from "#tests/support/requests/household.ts";
import { dataOf, wordsShown } from "#tests/support/requests/response-data.ts";
import { newMember, Visitor } from "#tests/support/requests/visitor.ts";

/** The pages of seasons and of the schedule. */

/** A broadcast 150 minutes from now, in Japanese time. */
const soon = new Date(Date.now() + 150 * 60_000);
const inJapan = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-GB", { timeZone: "Asia/Tokyo", ...options }).format(soon);

beforeAll(async () => {
  const tv = { kind: "title", type: "TV" };
  const spring = { ...tv, year: 2001, season: "Spring", aired_from: "2001-04-05T00:00:00Z", episodes: 12 };
  const slot = {
    broadcast_day: inJapan({ weekday: "long" }),
    broadcast_time: inJapan({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
    broadcast_timezone: "Asia/Tokyo",
    aired_from: "2020-01-01T00:00:00Z",
    status: "Currently Airing",
  };
  await importTitles([
    { ...spring, mal_id: 1, title: "Well Known", popularity: 1, score: 6 },
    { ...spring, mal_id: 2, title: "Well Liked", popularity: 2, score: 9 },
    {
      ...tv,
      mal_id: 3,
      title: "Long Runner",
      year: 2000,
      season: "Fall",
      aired_from: "2000-10-05T00:00:00Z",
      episodes: 60,
    },
    {
      kind: "title",
      mal_id: 7,
      title: "Movie of That Year",
      type: "Movie",
      year: 2001,
      aired_from: "2001-06-30T00:00:00Z",
    },
    {
      kind: "title",
      mal_id: 8,
      title: "Movie of Any Day",
      type: "Movie",
      year: 2001,
      aired_from: "2001-01-01T00:00:00Z",
    },
    { ...tv, ...slot, mal_id: 4, title: "Followed" },
    { ...tv, ...slot, mal_id: 5, title: "Of Others" },
    { ...tv, mal_id: 6, title: "At Any Time", aired_from: slot.aired_from, status: slot.status },
  ]);
});

const htmlOf = async (visitor: Visitor, path: string) => (await visitor.request(path)).text();
const namesOn = (html: string) =>
  [...html.matchAll(/class="(?:card|airing)-name"[^>]*>([^<]+)</g)].map(([, name]) => name);

test("a season shows its titles in the chosen order, and separately those continuing from before", async () => {
  const visitor = new Visitor();
  const popular = await htmlOf(visitor, "/seasons/2001/spring");
  expect(namesOn(popular)).toEqual(["Well Known", "Well Liked", "Movie of That Year", "Long Runner"]);
  expect(popular).toMatch(/>3 titles</);
  expect(namesOn(popular.slice(popular.lastIndexOf(">Continuing from earlier seasons<")))).toEqual([
    "Long Runner",
  ]);
  expect(namesOn(await htmlOf(visitor, "/seasons/2001/spring?sort=score"))).toEqual([
    "Well Liked",
    "Well Known",
    "Movie of That Year",
    "Long Runner",
  ]);
  expect(namesOn(await htmlOf(visitor, "/seasons/2000/fall"))).toEqual(["Long Runner"]);
});

test("a movie without a season is in the season of its first day, also in the filter of /browse and in /v4", async () => {
  const visitor = new Visitor();
  expect(namesOn(await htmlOf(visitor, "/seasons/2001/spring?part=movies"))).toEqual(["Movie of That Year"]);
  expect(namesOn(await htmlOf(visitor, "/seasons/2001/summer"))).not.toContain("Movie of That Year");
  expect(namesOn(await htmlOf(visitor, "/browse?season=spring&type=movie"))).toEqual(["Movie of That Year"]);
  expect(namesOn(await htmlOf(visitor, "/browse?season=spring&type=movie&from=1900&to=2001"))).toEqual([
    "Movie of That Year",
  ]);
  expect(namesOn(await htmlOf(visitor, "/browse?season=spring&type=movie&from=2002&to=2200"))).toEqual([]);
  const ids = async (path: string) => {
    const { data } = (await (await visitor.request(path)).json()) as { data: { mal_id: number }[] };
    return data.map(({ mal_id }) => mal_id);
  };
  expect(await ids("/v4/seasons/2001/spring?filter=movie")).toEqual([7]);
  // Only its year is known.
  expect(namesOn(await htmlOf(visitor, "/seasons/2001/winter"))).not.toContain("Movie of Any Day");
  expect(namesOn(await htmlOf(visitor, "/browse?season=winter&type=movie"))).toEqual([]);
  expect(await ids("/v4/seasons/2001/winter?filter=movie")).toEqual([]);
  expect(await ids("/api/animes/full?season_filter=spring&type_filter=movie")).toEqual([]);
});

test("a long season comes in pages and parts, and order, part and season are chosen without losing each other", async () => {
  const visitor = new Visitor();
  await importTitles(
    Array.from({ length: 40 }, (_, index) => ({
      kind: "title" as const,
      mal_id: 1000 + index,
      title: `Short ${index}`,
      type: index < 38 ? "Movie" : "OVA",
      year: 1987,
      season: "Summer",
      popularity: 1000 + index,
    })),
  );
  const path = "/seasons/1987/summer";
  expect(namesOn(await htmlOf(visitor, path))).toHaveLength(36);
  expect(namesOn(await htmlOf(visitor, `${path}?page=2`))).toEqual(
    [36, 37, 38, 39].map((one) => `Short ${one}`),
  );
  expect(namesOn(await htmlOf(visitor, `${path}?part=specials`))).toEqual(["Short 38", "Short 39"]);
  expect(await htmlOf(visitor, `${path}?sort=title`)).toContain(
    `href="${path}?sort=title&amp;part=specials"`,
  );
  const specials = await htmlOf(visitor, `${path}?part=specials`);
  expect(specials).toContain('href="/seasons/1987/fall?part=specials"');
  expect(specials).toContain('name="part" value="specials"');
  const sorted = await visitor.request("/seasons?part=specials&season=summer&year=1987&sort=title");
  expect(sorted.headers.get("Location")).toBe(`${path}?sort=title&part=specials`);
});

test("the schedule's head links to the time zone choice, which stands after the week", async () => {
  const html = await htmlOf(new Visitor(), "/schedule");
  expect(html).toContain('href="#time-zone"');
  expect(html.indexOf('id="time-zone"')).toBeGreaterThan(html.lastIndexOf('class="airing-name"'));
});

test("the pickers lead to the chosen season and keep the order, and offer the years that have titles", async () => {
  const visitor = new Visitor();
  const chosen = await visitor.request("/seasons?season=fall&year=2000&sort=score");
  expect(chosen.headers.get("Location")).toBe("/seasons/2000/fall?sort=score");
  const { status } = await visitor.request("/seasons/2000.5/fall");
  expect(status).toBe(404);
  const unknown = await visitor.request("/seasons?season=monsoon&year=x&sort=__proto__");
  expect(unknown.headers.get("Location")).toMatch(/^\/seasons\/\d{4}\/\w+$/);
  expect(await htmlOf(visitor, "/seasons/2001/spring")).toContain(`<option value="2000">`);
});

test("the schedule says how soon a broadcast is, marks a member's titles and can show only these", async () => {
  const member = await newMember();
  await dataOf(member.request("/api/user/watchList", { json: { animeId: 4, type: "Watching" } }));
  // Occasionally a week ends between now and the broadcast, which is then on the next page.
  const pages = [`/schedule`, `/schedule?week=${dateIn(soon, japanTimeZone)}`];
  const shown = async (visitor: Visitor, query = "") => {
    for (const page of pages) {
      const html = await htmlOf(visitor, page + (query && `${page.includes("?") ? "&" : "?"}${query}`));
      if (html.includes("in 2 h") || html.includes("in 3 h")) return html;
    }
    return "";
  };
  const html = await shown(member);
  expect(namesOn(html)).toEqual(expect.arrayContaining(["Followed", "Of Others"]));
  expect(html.match(/data-mine="true"/g)).toHaveLength(html.match(/>Followed</g)?.length ?? 0);
  expect(new Set(namesOn(await shown(member, "mine=1")))).toEqual(new Set(["Followed"]));
  const visitors = await shown(new Visitor(), "mine=1");
  expect(namesOn(visitors)).toContain("Of Others");
  expect(visitors).not.toContain("data-mine");
  for (const entry of [{ type: "Watching", state: "on_hold" }, { type: "Completed" }]) {
    await dataOf(member.request("/api/user/watchList", { json: { animeId: 4, ...entry } }));
    expect(await htmlOf(member, "/schedule?mine=1")).toContain("No title on your list airs in this week.");
  }
  await dataOf(member.request("/api/user/watchList", { json: { animeId: 6, type: "Watching" } }));
  const unslotted = await htmlOf(member, "/schedule?mine=1");
  expect(unslotted).toContain("No title on your list has a fixed time in this week.");
  expect(namesOn(unslotted)).toEqual(["At Any Time"]);
});

test("a child is told that its profile shows none, and who chooses", async () => {
  const { owner, child } = await newChild("chosen");
  const chooses = `${owner.username} chooses what it shows.`;
  expect(await htmlOf(child, "/seasons/1999/spring")).toContain(
    `This profile shows no title of this season. ${chooses}`,
  );
  expect(await htmlOf(child, "/schedule")).toMatch(/This profile shows no title that \w+ in this week\. /);
  const franchise = await child.request("/franchise/999999");
  expect(franchise.status).toBe(404);
  expect(await franchise.text()).toContain(
    `This profile shows no title of a franchise at this address. ${chooses}`,
  );
});

test("the schedule names the year of a week of another year", async () => {
  const html = await htmlOf(new Visitor(), "/schedule?week=2024-12-30");
  expect(wordsShown(html)).toContain("30 Dec to 5 Jan 2025, in Japan time.");
});
