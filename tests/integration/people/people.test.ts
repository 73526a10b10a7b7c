import { beforeAll, describe, expect, test } from "vitest";
import { changeCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import { titleStreams, titleTags } from "#db/schema/details.ts";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { addPeople } from "#tests/support/data/people.ts";
import { chooseTitle, newChild } from "#tests/support/requests/household.ts";
import { dataOf, htmlOf } from "#tests/support/requests/response-data.ts";
import { newGrownUp, newMember, Visitor } from "#tests/support/requests/visitor.ts";
import { request } from "#tests/support/site/in-process.ts";

/** People and characters are found and shown where the viewer sees one of their titles, and nowhere else. */

const title = (malId: number, fields: object = {}) => ({
  kind: "title",
  mal_id: malId,
  title: `Harbour ${malId}`,
  type: "TV",
  episodes: 12,
  rating: "pg",
  year: 2000 + (malId % 100),
  ...fields,
});

const [open, mature, local, second] = [701, 702, 900_100_703, 704];
const personOf = { open: 1_000_001, mature: 1_000_002, local: 1_000_003 };
const characterOf = { open: 1_100_001, mature: 1_100_002, local: 1_100_003 };

beforeAll(async () => {
  await importTitles([title(open), title(second), title(mature, { rating: "rx" }), title(local)]);
  await addPeople({ malId: open, personId: personOf.open, characterId: characterOf.open });
  await addPeople({ malId: second, personId: personOf.open, characterId: characterOf.open, role: "Music" });
  await addPeople({ malId: mature, personId: personOf.mature, characterId: characterOf.mature });
  await addPeople({ malId: local, personId: personOf.local, characterId: characterOf.local });
  await changeCatalog([open], async (transaction) => {
    const tag = { malId: open, category: null, rank: 90 };
    await transaction.insert(titleTags).values([
      { ...tag, name: "Lighthouses", isSpoiler: false },
      { ...tag, name: "The keeper did it", isSpoiler: true },
    ]);
    await transaction
      .insert(titleStreams)
      .values({ malId: open, url: "https://films.invalid/701", site: "Pier", language: null, position: 0 });
  });
});

type Reader = Pick<Visitor, "request">;
const tokenReader = async (): Promise<Reader> => {
  const member = await newMember();
  const made = member.request("/api/auth/tokens", { json: { name: "Script", scope: "read" } });
  const { token } = await dataOf<{ token: string }>(made, 201);
  return { request: (path) => request(path, { headers: { Authorization: `Bearer ${token}` } }) };
};

/** Which of the pages and endpoints answer this reader with a person and a character. */
async function shownTo(reader: Reader, malId: number, personId: number, characterId: number, sfw = "") {
  const statusOf = async (path: string) => (await reader.request(path)).status;
  const suggested = await (await reader.request(`/search/suggestions?q=person+${personId}`)).text();
  const found = await (await reader.request(`/search?q=character+${characterId}`)).text();
  return {
    pages: [
      await statusOf(`/people/${personId}/person-${personId}`),
      await statusOf(`/characters/${characterId}/character-${characterId}`),
    ],
    people: await statusOf(`/api/animes/people?id=${malId}${sfw && "&parental_control=false"}`),
    jikan: [
      await statusOf(`/v4/people/${personId}${sfw}`),
      await statusOf(`/v4/characters/${characterId}${sfw}`),
      await statusOf(`/v4/anime/${malId}/characters${sfw}`),
      await statusOf(`/v4/anime/${malId}/staff${sfw}`),
    ],
    suggested: suggested.includes(`/people/${personId}`),
    found: found.includes(`/characters/${characterId}`),
  };
}
const everywhere = {
  pages: [200, 200],
  people: 200,
  jikan: [200, 200, 200, 200],
  suggested: true,
  found: true,
};
const nowhere = { pages: [404, 404], jikan: [404, 404, 404, 404], suggested: false, found: false };

describe("who is shown", () => {
  test("everybody sees the people of a title for everybody", async () => {
    for (const reader of [new Visitor(), await newMember()])
      expect(await shownTo(reader, open, personOf.open, characterOf.open)).toEqual(everywhere);
  });

  test("the people of a mature title are shown only without parental control", async () => {
    const mine = [mature, personOf.mature, characterOf.mature] as const;
    expect(await shownTo(new Visitor(), ...mine)).toEqual({ ...nowhere, people: 403 });
    expect(await shownTo(await newMember(), ...mine)).toEqual({ ...nowhere, people: 403 });
    expect(await shownTo(await newGrownUp(), ...mine, "?sfw=false")).toEqual(everywhere);
  });

  test("the people of a local title are shown to members alone", async () => {
    const mine = [local, personOf.local, characterOf.local] as const;
    expect(await shownTo(new Visitor(), ...mine)).toEqual({ ...nowhere, people: 404 });
    const { pages, suggested, found } = await shownTo(await newMember(), ...mine);
    expect({ pages, suggested, found }).toEqual({ pages: [200, 200], suggested: true, found: true });
  });

  test("a child sees the people of allowed titles, and only those titles on their pages", async () => {
    const { owner, child } = await newChild("chosen");
    const mine = [open, personOf.open, characterOf.open] as const;
    expect(await shownTo(child, ...mine)).toEqual({ ...nowhere, people: 403 });
    await chooseTitle(owner, open, "allowed");
    expect(await shownTo(child, ...mine)).toEqual(everywhere);
    const page = await (await child.request(`/people/${personOf.open}/person-${personOf.open}`)).text();
    expect(page).toContain(`Harbour ${open}`);
    expect(page).not.toContain(`Harbour ${second}`);
  });

  test("a token sees the people of its member's titles in the API", async () => {
    const reader = await tokenReader();
    expect((await reader.request(`/api/animes/people?id=${open}`)).status).toBe(200);
    expect((await reader.request(`/api/animes/people?id=${mature}&parental_control=false`)).status).toBe(403);
  });
});

describe("a search", () => {
  test("names one known title of each, the best known that the viewer sees", async () => {
    const [known, hidden, personId, characterId] = [721, 722, 1_000_201, 1_100_201];
    await importTitles([
      title(720, { members: 10 }),
      title(known, { members: 500 }),
      title(hidden, { members: 9000, rating: "rx" }),
    ]);
    for (const malId of [720, known, hidden]) await addPeople({ malId, personId, characterId });
    const find = async (reader: Reader) => {
      const page = await htmlOf(reader.request(`/search?q=${personId}`));
      const character = await htmlOf(reader.request(`/search?q=${characterId}`));
      const suggested = await (await reader.request(`/search/suggestions?q=person+${personId}`)).text();
      return [page, character, suggested].map((text) => [
        text.includes(`Harbour ${known}`),
        text.includes(`Harbour ${hidden}`),
      ]);
    };
    expect(await find(new Visitor())).toEqual(Array(3).fill([true, false]));
    expect(await find(await newMember())).toEqual(Array(3).fill([true, false]));
    expect(await find(await newGrownUp())).toEqual(Array(3).fill([false, true]));
  });

  test("names to a child only a title that its owner allows", async () => {
    const { owner, child } = await newChild("chosen");
    await chooseTitle(owner, second, "allowed");
    const html = await htmlOf(child.request(`/search?q=${personOf.open}`));
    expect(html).toContain(`Harbour ${second}`);
    expect(html).not.toContain(`Harbour ${open}`);
  });
});

describe("the pages", () => {
  test("list a person's titles by year, the newest first, with roles and one's own list status", async () => {
    const member = await newMember();
    await dataOf(member.request("/api/user/watchList", { json: { animeId: open, type: "Watching" } }));
    const html = await (await member.request(`/people/${personOf.open}/person-${personOf.open}`)).text();
    expect(html.indexOf("<h2>2004</h2>")).toBeGreaterThan(0);
    expect(html.indexOf("<h2>2001</h2>")).toBeGreaterThan(html.indexOf("<h2>2004</h2>"));
    expect(html).toContain(`Character ${characterOf.open}, Director`);
    expect(html).toContain(">Watching");
  });

  test("redirect a wrong slug to the right address", async () => {
    const answer = await new Visitor().request(`/characters/${characterOf.open}/somebody-else`);
    expect(answer.status).toBe(301);
    expect(answer.headers.get("Location")).toBe(
      `/characters/${characterOf.open}/character-${characterOf.open}`,
    );
  });

  test("a title's page has characters, voices, staff, legal offers and tags, but no spoilers", async () => {
    const html = await (await new Visitor().request(`/anime/${open}/harbour-${open}`)).text();
    for (const text of [
      `Character ${characterOf.open}`,
      `/people/${personOf.open}/`,
      "Where to watch it legally",
      'href="https://films.invalid/701"',
      "Lighthouses",
    ])
      expect(html).toContain(text);
    expect(html).not.toContain("The keeper did it");
  });

  test("the tags of a title's page leave out weak ones and its own themes", async () => {
    const malId = 710;
    await importTitles([title(malId, { themes: ["Mecha"] })]);
    await changeCatalog([malId], async (transaction) => {
      const tag = { malId, category: null, isSpoiler: false };
      await transaction.insert(titleTags).values([
        { ...tag, name: "Lanterns", rank: 40 },
        { ...tag, name: "Mecha", rank: 80 },
        { ...tag, name: "Harbours", rank: 39 },
      ]);
    });
    const html = await (await new Visitor().request(`/anime/${malId}/harbour-${malId}`)).text();
    const [, tags = ""] = /id="tags"(.*?)<\/section>/s.exec(html) ?? [];
    expect(tags).toMatch(/<li class="chip">Lanterns/);
    expect(tags).not.toMatch(/Mecha|Harbours/);
  });

  test("a title's page begins with a few people, and a link leads to all of them", async () => {
    const malId = 708;
    await importTitles([title(malId)]);
    for (let at = 0; at < 9; at++)
      await addPeople({ malId, personId: 1_000_100 + at, characterId: 1_100_100 + at });
    const read = (path: string) => htmlOf(new Visitor().request(path));
    const path = `/anime/${malId}/harbour-${malId}`;
    const charactersIn = (html: string) => new Set(html.match(/\/characters\/11001\d\d\//g)).size;
    const first = await read(path);
    expect(charactersIn(first)).toBe(6);
    expect(first).toContain(`href="${path}?details=all"`);
    expect(first).toContain("Show 3 more characters");
    const whole = await read(`${path}?details=all`);
    expect(charactersIn(whole)).toBe(9);
    expect(whole).not.toContain("more characters");
  });

  test("a title's page without details has none of these parts", async () => {
    const malId = 705;
    await importTitles([title(malId)]);
    const html = await (await new Visitor().request(`/anime/${malId}/harbour-${malId}`)).text();
    for (const id of ["characters", "staff", "streams", "tags"]) expect(html).not.toContain(`id="${id}"`);
  });
});

test("the API answers 404 in words for a title without people", async () => {
  const malId = 706;
  await importTitles([title(malId)]);
  for (const path of [`/api/animes/people?id=${malId}`, `/v4/anime/${malId}/staff`]) {
    const answer = await new Visitor().request(path);
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain("of this title");
  }
});

const found = (query: string) => htmlOf(new Visitor().request(`/search?q=${query}`));

test("a search finds studios by the beginnings of their words", async () => {
  await importTitles([title(707, { studios: ["North Pier Works"] })]);
  expect(await found("pier+north")).toContain("studio=North");
});

test("a studio comes after titles of the typed name, and before titles that are only spelled like it", async () => {
  await importTitles([title(709, { title: "Quellmark", studios: ["Quellmork Works"] })]);
  const first = (html: string) => /id="studios"|\/anime\/709\//.exec(html)?.[0];
  expect(first(await found("quellm"))).toBe("/anime/709/");
  const suggested = async (query: string) =>
    (await (await new Visitor().request(`/search/suggestions?q=${query}`)).json()).areNamesFirst;
  expect([await suggested("quellm"), await suggested("quellmork")]).toEqual([false, true]);
  const similar = await found("quellmork");
  expect(similar).toContain("1 title with a similar name");
  expect(first(similar)).toBe('id="studios"');
});

test("a whole name comes before the beginning of a better known one", async () => {
  for (const id of [1_000_200, 10_002_001]) await addPeople({ malId: second, personId: id, characterId: id });
  const { names } = await (await new Visitor().request("/search/suggestions?q=person+1000200")).json();
  expect(names).toMatchObject([{ name: "Person 1000200" }, { name: "Person 10002001" }]);
});
