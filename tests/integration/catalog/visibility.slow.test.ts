import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Told, Walker } from "#tests/support/requests/planted-titles.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/**
 * Plants two titles with unlikely names, walks every route of the site as a reader who may not see them, and searches
 * each answer for them. One title is mature, the other was hidden by an operator.
 */

const folder = temporaryFolder("visibility-films");
Object.assign(process.env, {
  MEDIA_DIR: folder,
  PUBLIC_CACHE: "1",
  INDEXING: "1",
  CATALOG_SHARE: "public",
  RATE_LIMIT_CATALOG_POINTS: "1000",
});
await import("#app/start/site.server.ts");
const { request } = await import("#tests/support/site/in-process.ts");
const { newMember, newOperator, Visitor } = await import("#tests/support/requests/visitor.ts");
const { changeCatalog, watchCatalog } = await import("#app/domain/catalog-version/catalog-version.server.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { companionId } = await import("#tests/support/requests/site-walk.ts");
const { baseTitles, childrenOf, comparable, namesIt, plantedTitle, plantFor, titleOf, walkAs } = await import(
  "#tests/support/requests/planted-titles.ts"
);

const year = new Date().getUTCFullYear();
const mature = plantedTitle(800_001, "quorbleth", "mature");
const hidden = plantedTitle(800_002, "brindwaal", "hidden");
const planted = [mature, hidden];

const asVisitor = (name: string, cookie?: string): Walker => ({
  name,
  ask: ({ path, ...init }) =>
    Object.assign(new Visitor(), cookie && { cookies: new Map([["visitor", cookie]]) }).request(path, init),
});

const asSomebody: Walker = { name: "a member", ask: ({ path, ...init }) => member.request(path, init) };
const asToken: Walker = {
  name: "a token",
  ask: ({ path, json, form: _form, names: _names, varies: _varies, ...init }) =>
    request(path, {
      ...init,
      ...(json !== undefined && { body: JSON.stringify(json), method: init.method ?? "POST" }),
      headers: {
        Authorization: `Bearer ${token}`,
        ...(json !== undefined && { "Content-Type": "application/json" }),
      },
    }),
  skips: ({ path }) => !path.startsWith("/api/"),
};
const walkers = [asVisitor("a visitor"), asSomebody, asToken];
const withoutControl = asVisitor("a visitor without parental control", "parental_control=false");

const before = new Map<string, string>();

// A starting process does the same.
const stopWatching = await watchCatalog();
await importTitles(baseTitles);
const [member, operator] = [await newMember(), await newOperator()];
const made = await member.request("/api/auth/tokens", { json: { name: "walk", scope: "write" } });
const token = ((await made.json()) as { data: { token: string } }).data.token;
for (const walker of walkers)
  for (const told of await walkAs(walker, planted)) before.set(told.at, comparable(told));
await importTitles([
  titleOf(mature, { rating: "Rx - Hentai" }),
  titleOf(hidden, {}),
  ...planted.flatMap(childrenOf),
]);
await changeCatalog([], (on) => plantFor(member.id, planted, { folder, on }));
afterAll(() => stopWatching());

const hide = (intent: "hide" | "show") =>
  operator.request("/admin/hidden", { form: { intent, id: String(hidden.malId), from: "title" } });

test("while both titles may be seen, the walk finds their names, so a later empty result is meaningful", async () => {
  const all = (await walkAs(withoutControl, planted)).filter(namesIt);
  for (const { malId, word } of [mature, hidden]) {
    const found = all.filter(({ text }) => text.includes(word)).map(({ step }) => step.path.split(/[?.]/)[0]);
    for (const path of ["/", "/browse", "/search", "/random", "/schedule", `/seasons/${year}/fall`])
      expect(found, `${word} at ${path}`).toContain(path);
    for (const path of [`/anime/${malId}`, `/watch/${malId}/1`, `/anime/${companionId}/companion`])
      expect(found, `${word} at ${path}`).toContain(path);
  }
  const ofMember = (await walkAs(asSomebody, planted)).filter(namesIt);
  const paths = ofMember.map(({ step }) => step.path);
  for (const path of [
    "/list",
    "/history",
    "/profile",
    "/api/user/watchList",
    "/api/user/continueWatching",
    "/api/user/upNext",
  ])
    expect(paths).toContain(path);
  for (const path of ["/api/animes/full", "/api/user/watchHistory", "/sitemap.xml", "/_.data"])
    expect(paths).toContain(path);
});

describe("a hidden and a mature title", () => {
  beforeAll(async () => {
    expect((await hide("hide")).status).toBe(302);
  });

  test.each(walkers.map((walker) => [walker.name, walker] as const))(
    "are in no answer to %s: each answer is the same as before the titles existed",
    async (_, walker) => {
      const all = await walkAs(walker, planted);
      expect(all.length).toBeGreaterThan(30);
      expect(all.filter(namesIt).map(({ at }) => at)).toEqual([]);
      const asksForMature = ({ step }: Told) =>
        step.names === true && /800001|-mature/.test(JSON.stringify(step));
      const changed = all
        .filter(
          (told) => !told.step.varies && !asksForMature(told) && before.get(told.at) !== comparable(told),
        )
        .map(({ at, status }) => `${at} ${status}`);
      expect(changed).toEqual([]);
    },
  );

  test("without parental control, only the mature title shows", async () => {
    const all = await walkAs(withoutControl, planted);
    expect(all.some(({ text }) => text.includes(mature.word))).toBe(true);
    const naming = all.filter(
      ({ text, step }) => text.includes(hidden.word) && !step.path.includes(hidden.word),
    );
    expect(naming.map(({ at }) => at)).toEqual([]);
    const played = all.filter(({ step }) =>
      step.path.includes(encodeURIComponent(hidden.film.split("/")[0] ?? "")),
    );
    expect(played.map(({ status }) => status)).toEqual([404, 404]);
  });
});
