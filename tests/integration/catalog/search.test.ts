import { beforeAll, describe, expect, test } from "vitest";
import { countTitles, listTitles } from "#app/domain/catalog/catalog.server.ts";
import { seedStarterCatalog } from "#app/domain/catalog-import/catalog-import.server.ts";
import { listSimilarTitles } from "#app/domain/discovery/discovery.server.ts";
import { anybody, createViewer, type Viewer } from "#app/domain/visibility/visibility.server.ts";
import { importTitles } from "#tests/support/data/import-titles.ts";
import { htmlOf } from "#tests/support/requests/response-data.ts";
import { request } from "#tests/support/site/in-process.ts";

const grownUp = createViewer({ parentalControl: false });

/** Titles of which one is widely known, while the rest share its names or letters. */
const famousAndUnknown = [
  {
    kind: "title",
    mal_id: 920001,
    title: "Vexilo no Tora",
    title_english: "Moon Keeper: Vexilo no Tora",
    title_japanese: "月守りの寅",
    title_synonyms: ["VNT"],
    members: 3_500_000,
  },
  {
    kind: "title",
    mal_id: 920002,
    title: "Zukkoro",
    title_synonyms: ["Moon Keeper"],
    members: 30_000,
  },
  {
    kind: "title",
    mal_id: 920003,
    title: "Vexilo no Tora: Tabiji",
    title_english: "Moon Keeper: Journey",
    title_japanese: "月守りの寅 旅路",
    title_synonyms: ["VNT 2"],
    members: 90_000,
  },
  { kind: "title", mal_id: 920004, title: "Tabiji: Blue Vantage Story", members: 60_000 },
  { kind: "title", mal_id: 920005, title: "Grand Quexolo Hundred", members: 2_000_000 },
  { kind: "title", mal_id: 920006, title: "Haquexolopi", members: 1_000_000 },
  { kind: "title", mal_id: 920007, title: "Quexolo", members: 10 },
];

type Named = { mal_id: number; title: string; matched: string };

beforeAll(async () => {
  expect(await seedStarterCatalog()).toBe(true);
  expect(await seedStarterCatalog()).toBe(false);
  await importTitles([
    {
      kind: "title",
      mal_id: 910001,
      title: "Kuroi Himitsu",
      rating: "Rx - Hentai",
      genres: ["Drama", "Suspense"],
    },
    { kind: "title", mal_id: 910013, title: "Kuroi Himetsa" },
    { kind: "title", mal_id: 910002, title: "Qo" },
    { kind: "relation", from: 910002, to: 910001, relation: "other" },
    { kind: "relation", from: 910001, to: 910003, relation: "other" },
    { kind: "relation", from: 910002, to: 1, relation: "other" },
    { kind: "relation", from: 1, to: 20, relation: "other" },
    { kind: "title", mal_id: 910007, title: "Zorba the Quokka", title_english: "Zora", members: 900_000 },
    { kind: "title", mal_id: 910008, title: "Zany Tales 12", members: 900_000 },
    { kind: "title", mal_id: 910009, title: "Zukk Tame Quills", members: 10 },
    {
      kind: "title",
      mal_id: 910010,
      title: "Zorba the Quokka Specials",
      title_synonyms: ["ZtQ"],
      members: 9000,
    },
    { kind: "title", mal_id: 910005, title: "Wozuraki", members: 9000 },
    { kind: "title", mal_id: 910006, title: "Wozuraki°", members: 90 },
    { kind: "title", mal_id: 910011, title: "◇◆◇◆" },
    { kind: "title", mal_id: 910003, title: "Qoraxi" },
    { kind: "title", mal_id: 910004, title: "Aqoraxi" },
    ...famousAndUnknown,
  ]);
});

async function search(query: string): Promise<Named[]> {
  const response = await request(`/api/animes/full?search_query=${encodeURIComponent(query)}&limit_count=5`);
  return ((await response.json()) as { data: Named[] }).data;
}
async function suggest(query: string): Promise<Named[]> {
  const response = await request(`/api/animes/suggest?q=${encodeURIComponent(query)}`);
  return ((await response.json()) as { data: Named[] }).data;
}

describe("the best-known matching title comes first", () => {
  test.each([
    ["cowboy bebop", 1, "as it is written"],
    ["COWBOY  BEBOP!", 1, "case, spaces and punctuation"],
    ["cowbyo bebop", 1, "two letters swapped"],
    ["cowboy bebp", 1, "a letter missing"],
    ["bebop", 1, "one word of it"],
    ["naruto", 20, "a title that others begin with"],
    ["nartuo", 20, "a short title with a typo"],
    ["ナルト", 20, "its Japanese name"],
    ["なると", 20, "the same in the other syllabary"],
    ["attak on titan", 16498, "an English name with a typo"],
    ["titan attack", 16498, "its words in another order"],
    ["shingeki no kyojin", 16498, "its romanised name"],
    ["AoT", 16498, "an abbreviation"],
    ["fullmetal alchemist brotherhood", 5114, "a colon left out"],
    ["steins gate", 9253, "a semicolon left out"],
    ["steinsgate", 9253, "words run together"],
    ["your name", 32281, "an English name"],
    ["kimi no na wa", 32281, "a full stop left out"],
    ["k-on", 5680, "a hyphen"],
    ["sosou no frieen", 52991, "two typos in a long name"],
    ["frieen", 52991, "a typo in one word of many"],
    ["totroo", 523, "letters swapped in a word inside a name"],
    ["jujustu", 40748, "letters swapped in the first word"],
    ["tirgun", 6, "letters swapped in a short name"],
    ["haikyu", 20583, "a long vowel written short"],
    ["Pokémon", 527, "an accent"],
    ["\u202ecowboy\u200b bebop\u202c", 1, "invisible characters"],
    ["moon keeper", 920001, "the beginning of a famous name, before an unknown title's synonym"],
    ["tabiji", 920004, "the beginning of a name, before a name that contains the word"],
    ["vnt tabiji", 920003, "a word of each of two names, one an abbreviation"],
    ["moon keeper tabiji", 920003, "words of two names"],
    ["moon kepeer", 920001, "letters swapped at the beginning of a name"],
    ["grand quxe", 920005, "letters swapped in a name that goes on"],
    ["月守の寅", 920001, "a letter missing in a Japanese name"],
    ["月守りの寅旅絡", 920003, "a wrong letter in a Japanese name"],
    ["守り", 920001, "two letters inside a Japanese name"],
  ])("%s finds %i: %s", async (query, malId) => {
    expect((await search(query))[0]?.mal_id).toBe(malId);
  });
});

test("initials find titles with many members, and a number among them must match whole", async () => {
  expect((await search("ztq")).map(({ mal_id }) => mal_id)).toEqual([910007, 910010]);
  expect((await search("zt12")).map(({ mal_id }) => mal_id)).toEqual([910008]);
  expect((await suggest("ztq"))[0]).toMatchObject({ mal_id: 910007, matched: "Zorba the Quokka" });
});

test.each([
  ["cote", 35507],
  ["kny", 38000],
  ["hxh", 11061],
  ["fsn", 356],
  ["nge", 30],
  ["snk", 16498],
  ["jjk", 40748],
  ["fmab", 5114],
  ["bnha", 31964],
  ["mha", 31964],
  ["sao", 11757],
  ["sxf", 50265],
  ["mp100", 32182],
  ["mia", 34599],
])("the abbreviation %s finds %i", async (query, malId) => {
  expect((await search(query))[0]?.mal_id).toBe(malId);
});

test("two letters find whole names and beginnings of names; more letters also match the middle", async () => {
  expect((await search("qo")).map(({ mal_id }) => mal_id)).toEqual([910002, 910003]);
  expect((await search("oraxi")).map(({ mal_id }) => mal_id).slice(0, 2)).toEqual([910003, 910004]);
});

test("a sign that normalising removes still ranks the name with that sign first", async () => {
  expect((await search("wozuraki")).map(({ mal_id }) => mal_id)).toEqual([910005, 910006]);
  expect((await search("Wozuraki°")).map(({ mal_id }) => mal_id)).toEqual([910006, 910005]);
});

test("a search that resembles no name, or has no letters, finds nothing and is no error", async () => {
  for (const query of ["xyzzyplughfrotz", "%", "\u200b", "☆"]) expect(await search(query), query).toEqual([]);
  expect(await suggest("")).toEqual([]);
});

test("symbols find a name of symbols, wherever it contains them", async () => {
  expect((await search("◇◆◇")).map(({ mal_id }) => mal_id)).toEqual([910011]);
  expect((await search("◆◇◆")).map(({ mal_id }) => mal_id)).toEqual([910011]);
});

test("if a name is or begins with the typed word, names with these letters inside a word are left out", async () => {
  expect((await search("quexolo")).map(({ mal_id }) => mal_id)).toEqual([920007, 920005]);
  expect((await search("uexolo")).map(({ mal_id }) => mal_id)).toEqual([920005, 920006, 920007]);
});

test("a search with filters and an order obeys both", async () => {
  const { titles, total } = await listTitles({ filters: { search: "one piece", types: ["TV"] } }, anybody);
  expect(total).toBeGreaterThan(0);
  expect(titles.every((title) => title.type === "TV")).toBe(true);
  const byTitle = await listTitles({ filters: { search: "naruto" }, order: "title_asc" }, anybody);
  expect(byTitle.titles.map((title) => title.title)).toEqual(
    byTitle.titles.map((title) => title.title).toSorted(),
  );
});

const guessFor = async (search: string, viewer = anybody) =>
  (await listTitles({ filters: { search } }, viewer)).guess;

test("a search with a typo names the closest title, and one without a typo does not", async () => {
  expect(await guessFor("cowbyo bebop")).toEqual({ closest: "Cowboy Bebop" });
  expect(await guessFor("cowboy bebop")).toBeUndefined();
});

test("a search that finds only names with something in common names none of them", async () => {
  await importTitles([{ mal_id: 800_000_071, title: "Zubrikal Traveller" }]);
  expect(await guessFor("zubrital travelur")).toEqual({ closest: "Zubrikal Traveller" });
  expect(await guessFor("zubrikix")).toEqual({ closest: null });
  const html = (q: string) => htmlOf(request(`/search?q=${q}`));
  expect(await html("zubrital+travelur")).toContain("Showing results for <b>Zubrikal Traveller</b>");
  const page = await html("zubrikix");
  expect(page).toContain("Only similar names were found for “zubrikix”. ");
  expect(page).not.toContain("Showing results for");
});

test("a search without results says so once, where screen readers announce the number of results", async () => {
  const page = await htmlOf(request("/search?q=qqqxxqqq"));
  expect(page).toMatch(/role="status"[^>]*><div class="empty"><h2>Nothing found for “qqqxxqqq”/);
  expect(page).not.toContain("0 titles");
});

test("a search with a typo does not name a mature title that parental control hides", async () => {
  const closest = async (viewer: Viewer) => (await guessFor("kuroi himitsa", viewer))?.closest;
  expect([await closest(grownUp), await closest(anybody)]).toEqual(["Kuroi Himitsu", "Kuroi Himetsa"]);
});

test("a suggestion has the matching name and a picture, and there are at most eight", async () => {
  const [first] = await suggest("attack on ti");
  expect(first).toMatchObject({
    mal_id: 16498,
    title: "Shingeki no Kyojin",
    matched: "Attack on Titan",
    type: "TV",
    year: 2013,
  });
  expect(first).toMatchObject({ image: expect.stringMatching(/^https?:/) });
  expect(await suggest("s")).toHaveLength(8);
});

test("a title found by a search has the matching name, and a listing without a search has no such field", async () => {
  const [first] = await search("attack on titan");
  expect(first).toMatchObject({ title: "Shingeki no Kyojin", matched: "Attack on Titan" });
  const response = await request("/api/animes/full?limit_count=1");
  expect(((await response.json()) as { data: Named[] }).data[0]).not.toHaveProperty("matched");
  const page = await (await request("/search?q=attack+on+titan")).text();
  expect(page).toContain("also known as Attack on Titan");
  expect(await (await request("/browse?q=attack+on+titan")).text()).toContain(
    "also known as Attack on Titan",
  );
  expect(await (await request("/search?q=shingeki+no+kyojin")).text()).not.toContain(
    "also known as Shingeki no Kyojin<",
  );
});

test("a mature title is found only with parental_control=false", async () => {
  // With parental control, the title's own name finds the same as a misspelling, so its existence is not revealed.
  const found = [...(await search("kuroi himitsu")), ...(await suggest("kuroi himi"))];
  expect([...new Set(found.map(({ mal_id }) => mal_id))]).toEqual([910013]);
  const response = await request("/api/animes/suggest?q=kuroi+himitsu&parental_control=false");
  expect(((await response.json()) as { data: Named[] }).data.map(({ mal_id }) => mal_id)).toEqual([910001]);
});

test("similar titles have a reason, and are neither the title itself nor mature", async () => {
  const similar = await listSimilarTitles(1535, 12, anybody);
  expect(similar.length).toBe(12);
  expect(similar.every(({ reason }) => reason !== "")).toBe(true);
  const ids = similar.map(({ title }) => title.malId);
  expect(ids).not.toContain(1535);
  expect(ids).not.toContain(910001);
  expect(new Set(ids).size).toBe(12);
  expect(await listSimilarTitles(424242, 12, anybody)).toEqual([]);
});

test("a mature title between two others neither connects them nor is named", async () => {
  const similar = await listSimilarTitles(910002, 12, anybody);
  expect(similar.map(({ title }) => title.malId)).toContain(20);
  expect(new Set(similar.map(({ reason }) => reason))).toEqual(new Set(["Connected through Cowboy Bebop"]));
});

test.each([
  { genres: ["Comedy" as const], allGenres: true },
  { search: "cowboy" },
  { search: "cowboy", types: ["Movie" as const] },
  { genres: ["Gourmet" as const], years: [1963] },
])("the count for %j equals the total of its listing", async (filters) => {
  expect(await countTitles(filters, anybody)).toBe((await listTitles({ filters }, anybody)).total);
});

test("an empty browse page offers to drop each filter that alone hides titles, with their number", async () => {
  const page = await (await request("/browse?genre=gourmet&type=tv&year=1963")).text();
  const offers = [...page.matchAll(/Without <b>([^<]+)<\/b><\/span><span class="numeric">(\d+)</g)];
  const genres = ["Gourmet" as const];
  const types = ["TV" as const];
  const counted = {
    Gourmet: await countTitles({ types, years: [1963] }, anybody),
    TV: await countTitles({ genres, years: [1963] }, anybody),
    "1963": await countTitles({ genres, types }, anybody),
  };
  const useful = Object.entries(counted).filter(([, total]) => total > 0);
  expect(useful.length).toBeGreaterThan(0);
  expect(offers.map(([, label, total]) => [label, Number(total)])).toEqual(
    useful.toSorted(([, one], [, other]) => other - one),
  );
});

test("a word in thousands of names finds all of their titles, also with a filter that only the worst match passes", async () => {
  const known = Array.from({ length: 2050 }, (_, at) => ({
    mal_id: 930_000 + at,
    title: `Plimbrok ${at}`,
    members: 5000,
  }));
  const worst = { mal_id: 929_999, title: "Tale of a Lost Plimbrok", year: 1985, type: "OVA" };
  const byTwoNames = { mal_id: 929_998, title: "Plimbrok Zone", title_synonyms: ["Yuvantal"] };
  await importTitles([...known, worst, byTwoNames].map((title) => ({ kind: "title", ...title })));
  const answerOf = async (path: string) => (await request(path)).json();
  expect(await answerOf("/api/animes/full?search_query=plimbrok&page_number=69")).toMatchObject({
    data: expect.toSatisfy((titles: Named[]) => titles.at(-1)?.mal_id === worst.mal_id),
    meta: { total_items: known.length + 2, last_page: 69 },
  });
  expect(await answerOf("/api/animes/full?search_query=plimbrok&year_filter=1985")).toMatchObject({
    data: [{ mal_id: worst.mal_id, matched: worst.title }],
    meta: { total_items: 1 },
  });
  expect(await answerOf("/api/animes/random?search_query=plimbrok&year_filter=1985")).toMatchObject({
    data: { mal_id: worst.mal_id },
  });
  expect(await answerOf("/v4/anime?q=plimbrok&type=ova")).toMatchObject({
    data: [{ mal_id: worst.mal_id }],
    pagination: { items: { total: 1 } },
  });
  expect((await search("plimbrok yuvantal")).map(({ mal_id }) => mal_id)).toEqual([byTwoNames.mal_id]);
});
