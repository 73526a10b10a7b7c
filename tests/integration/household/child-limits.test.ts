import { eq, sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { changeCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import { renewFranchises } from "#app/domain/franchises/franchises.server.ts";
import { createViewer, visibleTo } from "#app/domain/visibility/visibility.server.ts";
import { db } from "#db/client.server.ts";
import { accessTokens, users } from "#db/schema/accounts.ts";
import { titleRelations } from "#db/schema/catalog.ts";
import type { Ceiling } from "#db/schema/enumerations.ts";
import { householdTitles } from "#db/schema/library.ts";
import { someTitle } from "#tests/support/data/database-rows.ts";
import {
  addProfile,
  anotherBrowserOf,
  chooseTitle,
  newChild,
  switchTo,
} from "#tests/support/requests/household.ts";
import { dataOf, htmlOf } from "#tests/support/requests/response-data.ts";
import { newMember, Visitor } from "#tests/support/requests/visitor.ts";

/** The limits of a child's profile: which titles it sees and which actions it may take. */

/** All titles of one studio, so that a listing of this studio finds exactly these. */
const studio = "Children's Test Studio";
const of = (fields: Parameters<typeof someTitle>[0]) =>
  someTitle({ studios: [studio], studioKeys: ["childrensteststudio"], ...fields });
const titles = {
  g: await of({ rating: "g" }),
  gEcchi: await of({ rating: "g", genres: ["Ecchi"] }),
  pg: await of({ rating: "pg" }),
  pgHorror: await of({ rating: "pg", genres: ["Horror"] }),
  pg13: await of({ rating: "pg-13" }),
  pg13Ecchi: await of({ rating: "pg-13", genres: ["Ecchi", "Comedy"] }),
  r: await of({ rating: "r" }),
  unrated: await of({}),
  rPlus: await of({ rating: "r+" }),
  rx: await of({ rating: "rx" }),
};
type Name = keyof typeof titles;

async function seenBy(visitor: Visitor): Promise<Name[]> {
  const path = `/api/animes/full?studio_filter=${encodeURIComponent(studio)}&limit_count=100`;
  const { data } = (await (await visitor.request(path)).json()) as { data: { mal_id: number }[] };
  const ids = new Set(data.map(({ mal_id }) => mal_id));
  return (Object.keys(titles) as Name[]).filter((name) => ids.has(titles[name]));
}

describe("a ceiling", () => {
  test("is the reason that /v4 gives, not that the title is adult", async () => {
    const { child } = await newChild("pg");
    const answer = await child.request(`/v4/anime/${titles.r}?sfw=false`);
    expect([answer.status, await answer.json()]).toMatchObject([
      404,
      { message: "This profile does not show this title" },
    ]);
  });

  test.each<[Ceiling, Name[]]>([
    ["chosen", []],
    ["g", ["g"]],
    ["pg", ["g", "pg"]],
    ["pg-13", ["g", "pg", "pgHorror", "pg13"]],
    ["r", ["g", "gEcchi", "pg", "pgHorror", "pg13", "pg13Ecchi", "r", "unrated"]],
  ])("of %s shows these titles in listings, and no other title by its id", async (ceiling, expected) => {
    const { child } = await newChild(ceiling);
    expect(await seenBy(child)).toEqual(expected);
    for (const [name, malId] of Object.entries(titles)) {
      const answer = await child.request(`/api/animes/getAnime?id=${malId}`);
      expect(answer.status, name).toBe(expected.includes(name as Name) ? 200 : 403);
      expect((await answer.text()).includes(`Title ${malId}`), name).toBe(expected.includes(name as Name));
    }
  });

  test("leaves out the names of related titles that this catalog does not have", async () => {
    const { owner, child } = await newChild("g");
    const malId = await someTitle({ rating: "g" });
    const absent = { malId, relatedId: 812_345, relation: "sequel", name: "Not Held Here" } as const;
    await changeCatalog([malId], (transaction) => transaction.insert(titleRelations).values(absent));
    for (const path of [`/api/animes/getAnime?id=${malId}`, `/v4/anime/${malId}/full`]) {
      expect(await (await owner.request(path)).text(), path).toContain("Not Held Here");
      expect(await (await child.request(path)).text(), path).not.toContain("Not Held Here");
    }
  });

  test("does not change what grown-ups of the household and visitors see", async () => {
    const { owner, child } = await newChild("g");
    const everybodys = Object.keys(titles).filter((name) => name !== "rx");
    expect(await seenBy(new Visitor())).toEqual(everybodys);
    expect(await seenBy(child)).toEqual(["g"]);
    expect(await seenBy(new Visitor())).toEqual(everybodys);
    expect(await seenBy(owner)).toEqual(everybodys);
  });

  test("holds for requests that switch parental control off in the query", async () => {
    const { child } = await newChild("g");
    const path = `/api/animes/full?studio_filter=${encodeURIComponent(studio)}&parental_control=false`;
    const { data } = (await (await child.request(path)).json()) as { data: { mal_id: number }[] };
    expect(data.map(({ mal_id }) => mal_id)).toEqual([titles.g]);
  });

  test("lets a search say whom to ask, the same whether the title exists or not", async () => {
    const { child } = await newChild("chosen");
    const read = async (q: string) =>
      (await htmlOf(child.request(`/search?q=${encodeURIComponent(q)}`))).replaceAll(q, "Q");
    const hidden = await read(`Title ${titles.pg13Ecchi}`);
    expect(hidden).toContain("Nothing found for “Q” that you may watch");
    expect(hidden).toMatch(/or ask [^<]+ if you look for something else\./);
    expect(hidden).toMatch(/href="\/profiles\?redirectTo=[^"]*"[^>]*>Switch profile/);
    const main = (html: string) => html.split(/<\/?main/)[1]?.replaceAll(/redirectTo=[^"]*/g, "");
    expect(main(hidden)).toBe(main(await read("Zzyzx of Nowhere")));
    expect(main(hidden)).not.toMatch(/age limit|allowed/);
  });

  test("lets a filter say that the profile shows no such titles, not that parental control hides them", async () => {
    const { owner, child } = await newChild("g");
    const path = "/browse?rating=r";
    expect(await htmlOf(child.request(path))).toContain(
      "This profile shows no titles of a rating or genre that you chose.",
    );
    expect(await htmlOf(owner.request(path))).not.toContain("This profile shows no titles");
  });

  test("offers a child only the genres of titles that it sees", async () => {
    const { owner, child } = await newChild("chosen");
    const genresOf = async () =>
      [
        ...(await (await child.request("/search?q=zzyzx")).text()).matchAll(
          /class="chip" href="\/browse\?genre=([^"]*)"/g,
        ),
      ].map(([, genre]) => genre);
    expect(await genresOf()).toEqual([]);
    await chooseTitle(owner, titles.pg13Ecchi, "allowed");
    expect((await genresOf()).sort()).toEqual(["comedy", "ecchi"]);
  });

  test("is raised and lowered by the owner only, with immediate effect", async () => {
    const { owner, child } = await newChild("g");
    const fields = { intent: "save", name: "Mio", accent: "#16a34a" };
    expect((await child.request(`/profiles/${child.id}`, { form: { ...fields, ceiling: "r" } })).status).toBe(
      403,
    );
    expect(await seenBy(child)).toEqual(["g"]);
    expect(
      (await owner.request(`/profiles/${child.id}`, { form: { ...fields, ceiling: "pg" } })).status,
    ).toBe(302);
    expect(await seenBy(child)).toEqual(["g", "pg"]);
  });

  test("cannot be given to the first profile of an account", async () => {
    const owner = await newMember();
    await expect(db.update(users).set({ ceiling: "g" }).where(eq(users.id, owner.id))).rejects.toThrow();
  });
});

describe("the household's choices", () => {
  test("show an allowed title whatever its rating, unless parental control hides it, and hide a blocked title", async () => {
    const { owner, child } = await newChild("pg");
    for (const name of ["rPlus", "unrated"] as const) await chooseTitle(owner, titles[name], "allowed");
    await db.insert(householdTitles).values({ userId: owner.id, malId: titles.rx, verdict: "allowed" });
    await chooseTitle(owner, titles.g, "blocked");
    expect(await seenBy(child)).toEqual(["pg", "unrated", "rPlus"]);
    await chooseTitle(owner, titles.rPlus, "none");
    await chooseTitle(owner, titles.g, "none");
    expect(await seenBy(child)).toEqual(["g", "pg", "unrated"]);
  });

  test("apply to all children of the household and to no other household", async () => {
    const { owner, child } = await newChild("chosen");
    const sister = await anotherBrowserOf(owner);
    await switchTo(sister, await addProfile(owner, "Yui", "g"));
    const other = await newChild("chosen");
    await chooseTitle(owner, titles.pg13, "allowed");
    expect([await seenBy(child), await seenBy(sister), await seenBy(other.child)]).toEqual([
      ["pg13"],
      ["g", "pg13"],
      [],
    ]);
  });

  test("can cover a whole franchise", async () => {
    const [first, second, side, crossover] = [await of({}), await of({}), await of({}), await of({})];
    await changeCatalog([first, side], (transaction) =>
      transaction.insert(titleRelations).values([
        { malId: first, relatedId: second, relation: "sequel", name: "Second" },
        { malId: side, relatedId: second, relation: "parent_story", name: "Second" },
        { malId: first, relatedId: crossover, relation: "character", name: "Crossover" },
      ]),
    );
    await renewFranchises();
    const { owner, child } = await newChild("chosen");
    await chooseTitle(owner, second, "allowed", { franchise: "1" });
    const rows = await db.select().from(householdTitles).where(eq(householdTitles.userId, owner.id));
    expect(rows.map(({ malId }) => malId).sort()).toEqual([first, second, side].sort());
    const statusOf = async (malId: number) =>
      (await child.request(`/api/animes/getAnime?id=${malId}`)).status;
    for (const malId of [first, second, side]) expect(await statusOf(malId)).toBe(200);
    expect(await statusOf(crossover)).toBe(403);
  });

  test("are not all read to find out whether a child may see one title", async () => {
    const { owner } = await newChild("chosen");
    await db.execute(sql`insert into titles (mal_id, title, title_key)
      select id, 'Chosen ' || id, 'chosen ' || id from generate_series(22000001, 22000500) as id`);
    await db.execute(sql`insert into household_titles (user_id, mal_id, verdict)
      select ${owner.id}::uuid, id, 'allowed' from generate_series(22000001, 22000500) as id`);
    await db.execute(sql`vacuum analyze titles, household_titles`);
    const ceiling = { limit: "chosen", accountId: owner.id, chosenAt: "" } as const;
    const viewer = createViewer({ parentalControl: true, ceiling });
    for (const [malId, found] of [
      [22_000_007, 1],
      [titles.g, 0],
    ] as const) {
      const query = sql`select from titles where mal_id = ${malId}::int and ${visibleTo(viewer)}`;
      expect(await db.execute(query)).toHaveLength(found);
      const plan = await db.execute(sql`explain (analyze, timing off, format json) ${query}`);
      const rows = [...JSON.stringify(plan).matchAll(/"Actual Rows":([\d.]+)/g)].map(([, count]) =>
        Number(count),
      );
      expect(rows.length).toBeGreaterThan(1);
      expect(Math.max(...rows)).toBeLessThanOrEqual(1);
    }
  });

  test("are made on the title's page, which offers them only to the owner of a household with a child", async () => {
    const { owner, child } = await newChild("chosen");
    const path = `/anime/${titles.g}/title-${titles.g}`;
    const page = async (visitor: Visitor) => (await visitor.request(path)).text();
    expect(await page(owner)).toContain('action="/profiles/titles"');
    expect(await page(owner)).toContain("Mio: not until you allow it.");
    const answer = await chooseTitle(owner, titles.g, "allowed", { redirectTo: path });
    expect(answer.headers.get("Location")).toBe(path);
    expect(await page(owner)).toContain("For your children (Mio): allowed");
    for (const visitor of [child, await newMember(), new Visitor()])
      expect(await page(visitor)).not.toContain("/profiles/titles");
    expect(
      (await child.request("/profiles/titles", { form: { id: `${titles.rPlus}`, verdict: "allowed" } }))
        .status,
    ).toBe(403);
    expect(await (await owner.request("/profiles/titles")).text()).toContain(`Title ${titles.g}`);
  });
});

test("the search says why a child finds nothing", async () => {
  const { child } = await newChild("chosen");
  const page = async (query: string) => (await child.request(`/search${query}`)).text();
  const empty = await page("");
  expect(empty).toContain("has allowed nothing yet.");
  expect(empty).not.toContain("Popular titles");
  expect(await page(`?q=title-${titles.rx}`)).toContain("that you may watch");
});

describe("caches", () => {
  const path = "/api/animes/full?order_by=title_asc&limit_count=5";

  test("neither store answers for a child nor give a child stored answers for others", async () => {
    const { child } = await newChild("chosen");
    const publicAnswer = await new Visitor().request(path);
    expect(publicAnswer.headers.get("Cache-Control")).toContain("public");
    const listed = (await publicAnswer.json()) as { data: unknown[] };
    expect(listed.data.length).toBeGreaterThan(0);
    const own = await child.request(path);
    expect([own.headers.get("Cache-Control"), own.headers.get("Expires")]).toEqual([
      "private, no-store",
      null,
    ]);
    expect(((await own.json()) as { data: unknown[] }).data).toEqual([]);
    const again = (await (await new Visitor().request(path)).json()) as { data: unknown[] };
    expect(again.data.length).toBe(listed.data.length);
  });

  test("store no poster requested by a child's session, which gets no picture of a title above its ceiling", async () => {
    const { child } = await newChild("g");
    const tagOf = async (visitor: Visitor, malId: number) => {
      const answer = await visitor.request(`/poster/${malId}.webp?w=160`);
      return { tag: answer.headers.get("ETag"), control: answer.headers.get("Cache-Control") };
    };
    const visitor = new Visitor();
    expect((await tagOf(visitor, titles.r)).control).toContain("public");
    for (const malId of [titles.g, titles.r])
      expect((await tagOf(child, malId)).control).toBe("private, no-store");
    expect((await tagOf(child, titles.g)).tag).toBe((await tagOf(visitor, titles.g)).tag);
    expect((await tagOf(child, titles.r)).tag).not.toBe((await tagOf(visitor, titles.r)).tag);
  });

  test("in the browser are cleared when the session becomes a child's, but not for a grown-up", async () => {
    const owner = await newMember();
    const [child, grownUp] = [await addProfile(owner, "Mio", "g"), await addProfile(owner, "Ren")];
    expect((await switchTo(owner, grownUp)).headers.get("Clear-Site-Data")).toBeNull();
    expect((await switchTo(owner, child)).headers.get("Clear-Site-Data")).toBe('"cache"');
  });
});

describe("closed to a child", () => {
  let child: Awaited<ReturnType<typeof newChild>>["child"];
  beforeAll(async () => {
    ({ child } = await newChild("r"));
  });

  const pages = [
    "/settings/tokens",
    "/list/import",
    "/profile/edit",
    "/profiles/manage",
    "/profiles/titles",
    "/profiles/leave",
    "/signup",
    "/signup/profile",
    "/signup/tastes",
    "/admin",
  ];
  test.each(pages)("is the page %s", async (path) => {
    const answer = await child.request(path);
    expect(answer.status).toBe(403);
    expect(await answer.text()).toMatch(/For grown-ups only|For the first profile only|For operators only/);
  });

  const forms: [string, Record<string, string>][] = [
    ["/settings/tokens", { name: "bot", scope: "write" }],
    ["/settings/email", { email: "mio@example.org", current: "Abc123!x" }],
    ["/settings/password", { password: "Abc123!x" }],
    ["/settings/sessions", { others: "true" }],
    ["/settings/account", { password: "Abc123!x" }],
    ["/settings/import", {}],
    ["/profile/edit", { name: "Mio", birthday: "1990-01-01" }],
    ["/profiles/manage", { name: "Own", accent: "#16a34a" }],
    ["/profiles/leave", { email: "mio@example.org", password: "Abc123!x" }],
    ["/signup", { username: "Mio", email: "mio@example.org", password: "Abc123!x" }],
  ];
  test.each(forms)("is the form of %s", async (path, form) => {
    expect((await child.request(path, { form })).status).toBe(403);
  });

  const calls: [string, string, unknown?][] = [
    ["GET", "/api/auth/tokens"],
    ["POST", "/api/auth/tokens", { name: "bot", scope: "write" }],
    ["GET", "/api/auth/sessions"],
    ["POST", "/api/auth/password", { password: "Abc123!x" }],
    ["GET", "/api/user/export"],
    ["POST", "/api/user/import", {}],
    ["GET", "/api/user/watchList/export"],
    ["POST", "/api/user/watchList/import", {}],
    ["GET", "/api/user/profile"],
    ["POST", "/api/user/profile", { birthday: "1990-01-01" }],
    ["DELETE", "/api/user/account", {}],
    ["GET", "/api/user/searchHistory"],
    ["POST", "/api/user/searchHistory", { query: "porch" }],
    ["POST", "/api/saveUserPreferences", { birthday: "2020-01-01" }],
    ["POST", "/api/saveUserPreferences", { titleLanguage: "english", avatar: "https://example.org/a.jpg" }],
    ["POST", "/api/uploadImage", {}],
    ["POST", "/api/saveImage", {}],
    ["POST", "/api/auth/signup", { username: "Mio", email: "mio@example.org", password: "Abc123!x" }],
    ["GET", "/sitemap.xml"],
    ["GET", "/api/catalog/changes"],
  ];
  test.each(calls)("is %s %s", async (method, path, json) => {
    const answer = await child.request(path, { method, ...(json !== undefined && { json }) });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ status: 403, error: expect.any(String) });
  });

  test("is relaxing its limits through its own preferences", async () => {
    await dataOf(
      child.request("/api/saveUserPreferences", {
        json: {
          parentalControl: false,
          trackSearchHistory: true,
          forgetsWatched: true,
          titleLanguage: "english",
        },
      }),
    );
    const [row] = await db.select().from(users).where(eq(users.id, child.id));
    expect(row).toMatchObject({
      parentalControl: true,
      trackSearchHistory: false,
      forgetsWatched: false,
      titleLanguage: "english",
    });
    await child.request("/search?q=porch");
    expect(await (await child.request("/history")).text()).not.toContain("porch");
  });
});

describe("a grown-up's profile that becomes a child's", () => {
  test("loses its birthday, its tokens and its sessions, whose cookies lack the mark", async () => {
    const owner = await newMember();
    const id = await addProfile(owner, "Mio");
    const browser = await anotherBrowserOf(owner);
    await switchTo(browser, id);
    await dataOf(
      browser.request("/api/user/profile", {
        json: { name: "Mio", gender: "female", birthday: "2015-01-01", last_name: "Sato" },
      }),
    );
    await dataOf(browser.request("/api/auth/tokens", { json: { name: "bot", scope: "read" } }), 201);
    const form = { intent: "save", name: "Mio", accent: "#16a34a", ceiling: "chosen", pin: "2580" };
    expect((await owner.request(`/profiles/${id}`, { form })).status).toBe(302);
    const [row] = await db.select().from(users).where(eq(users.id, id));
    expect(row).toMatchObject({ birthday: null, lastName: null, gender: null, ceiling: "chosen" });
    expect(await db.select().from(accessTokens).where(eq(accessTokens.userId, id))).toEqual([]);
    expect((await browser.request("/api/user/watchList")).status).toBe(401);
  });
});

describe("the owner's file", () => {
  test("holds the household's choices and all of a child's data, and can be imported again", async () => {
    const { owner, child } = await newChild("g");
    await dataOf(child.request("/api/user/watchList", { json: { animeId: titles.g, type: "Watching" } }));
    await chooseTitle(owner, titles.rPlus, "blocked");
    const file = (await (await owner.request("/api/user/export")).json()) as Record<string, unknown>;
    expect(file).toMatchObject({
      profiles: [{ name: "Mio", ceiling: "g" }],
      household_titles: [{ mal_id: titles.rPlus, verdict: "blocked" }],
      children: [{ format: "engawa-account", watch_list: [{ mal_id: titles.g }] }],
    });
    const other = await newChild("r");
    const report = await dataOf<{ household_titles: number }>(
      other.owner.request("/api/user/import", {
        json: {
          ...file,
          household_titles: [{ mal_id: titles.g, verdict: "blocked", chosen_at: "2026-01-01T00:00:00Z" }],
        },
      }),
    );
    expect(report.household_titles).toBe(1);
    expect(await seenBy(other.child)).not.toContain("g");
  });

  test("holds the household's choices after its last child is deleted", async () => {
    const { owner, child } = await newChild("g");
    await chooseTitle(owner, titles.rPlus, "blocked");
    const form = { intent: "delete" };
    expect((await owner.request(`/profiles/${child.id}`, { form })).status).toBe(302);
    expect(await (await owner.request("/api/user/export")).json()).toMatchObject({
      household_titles: [{ mal_id: titles.rPlus, verdict: "blocked" }],
    });
  });
});

describe("the cards of an owner", () => {
  const path = `/browse?${new URLSearchParams({ studio })}`;
  async function verdictsOf(visitor: Visitor) {
    const answer = await visitor.request(path);
    expect(answer.status).toBe(200);
    const page = await answer.text();
    return [...page.matchAll(/>Children: (?:<!-- -->)?(\w+)</g)].map(([, verdict]) => verdict);
  }

  test("say what the owner has decided, and the form that decides comes back to them without scripts", async () => {
    const { owner, child } = await newChild("chosen");
    expect(await verdictsOf(owner)).toEqual([]);
    const form = { id: String(titles.pg), redirectTo: path, verdict: "allowed" };
    const answer = await owner.request("/profiles/titles", { form });
    expect([answer.status, answer.headers.get("Location")]).toEqual([302, path]);
    expect(await verdictsOf(owner)).toEqual(["allowed"]);
    expect(await seenBy(child)).toEqual(["pg"]);
  });

  test("say nothing of it to children, other profiles, members without a child and visitors", async () => {
    const { owner, child } = await newChild("r");
    const form = { id: String(titles.pg), redirectTo: path, verdict: "allowed" };
    expect((await owner.request("/profiles/titles", { form })).status).toBe(302);
    const brother = await anotherBrowserOf(owner);
    await switchTo(brother, await addProfile(owner, "Ren"));
    for (const visitor of [child, brother, await newMember(), new Visitor()])
      expect(await verdictsOf(visitor)).toEqual([]);
  });
});
