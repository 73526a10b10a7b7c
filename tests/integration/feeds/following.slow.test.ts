import { randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import { asc, eq } from "drizzle-orm";
import fc from "fast-check";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { sendBytes, startUpstream } from "#tests/support/servers/upstream.ts";

/** A feed that is another Engawa, which may be slow, cut off or hostile. */

let answer: RequestListener;
const asked: { since: string; authorization: string | undefined }[] = [];
const server = await startUpstream((request, response) => {
  const since = new URL(request.url ?? "", "http://x").searchParams.get("since") ?? "";
  asked.push({ since, authorization: request.headers.authorization });
  answer(request, response);
});
process.env.CATALOG_FEEDS = `engawa 1h ${server.origin}/`;
process.env.CATALOG_FEED_TOKENS = `127.0.0.1:${server.port} the-token`;
process.env.CATALOG_SHARE = "public";

const { db } = await import("#db/client.server.ts");
const { feeds } = await import("#db/schema/feeds.ts");
const { episodeSources } = await import("#db/schema/episodes.ts");
const { titleIds, titleRecords, titleRelations, titles } = await import("#db/schema/catalog.ts");
const { titleChanges } = await import("#db/schema/catalog-state.ts");
const { listFeeds, makeAllDue, readDueFeeds } = await import("#app/domain/feeds/feeds.server.ts");
const { editTitle } = await import("#app/domain/catalog-editing/catalog-editing.server.ts");
const { findCatalogIdentity } = await import("#app/domain/catalog-version/catalog-version.server.ts");
const { someUser } = await import("#tests/support/data/database-rows.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { request } = await import("#tests/support/site/in-process.ts");

async function follow(settings = {}) {
  await makeAllDue();
  await readDueFeeds({ pauseMs: 0, ...settings });
  const [feed] = await listFeeds();
  const run = feed?.runs[0];
  if (!run) throw new Error("the feed was not read");
  return { ...run, nextAt: feed.nextAt };
}

type Fields = Record<string, unknown>;
/** The catalog of the other site: its titles, each with the number of its last change. */
class OtherSite {
  readonly identity = randomUUID();
  readonly titles = new Map<number, { change: number; fields: Fields }>();
  #changes = 0;

  set(malId: number, fields: Fields) {
    this.titles.set(malId, { change: ++this.#changes, fields: { mal_id: malId, ...fields } });
  }

  lines(since: string, { perAnswer = 1000 } = {}) {
    const after = since.startsWith(this.identity) ? Number(since.split(".")[1]) : 0;
    const news = [...this.titles.values()]
      .filter(({ change }) => change > after)
      .sort((a, b) => a.change - b.change);
    const sent = news.slice(0, perAnswer);
    const position = (change: number) => `${this.identity}.${change}.0`;
    return [
      { kind: "changes", catalogs: [this.identity] },
      ...sent.flatMap(({ change, fields }) => [
        { kind: "title", ...fields },
        { kind: "position", since: position(change) },
      ]),
      { kind: "end", since: position(sent.at(-1)?.change ?? after), more: sent.length < news.length },
    ];
  }
}

const textOf = (lines: readonly object[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");
const serve =
  (site: OtherSite, settings = {}): RequestListener =>
  (_, response) =>
    void response.end(textOf(site.lines(asked.at(-1)?.since ?? "", settings)));

beforeEach(async () => {
  await db.delete(titles);
  await db.delete(titleChanges);
  await db.delete(feeds);
  asked.length = 0;
});

const stored = async () => {
  const ids = await db.select().from(titleIds).orderBy(asc(titleIds.site), asc(titleIds.externalId));
  return (await db.select().from(titles).orderBy(asc(titles.malId))).map((row) => ({
    mal_id: row.malId,
    title: row.title,
    score: row.score,
    episodes: row.episodes,
    title_synonyms: row.titleSynonyms,
    external_ids: ids
      .filter(({ malId }) => malId === row.malId)
      .map(({ site, externalId }) => `${site}:${externalId}`),
  }));
};
const changeOf = async (malId: number) =>
  (await db.select().from(titleChanges).where(eq(titleChanges.malId, malId)))[0]!;
const expected = (site: OtherSite) =>
  [...site.titles.values()]
    .map(({ fields }) => ({ score: null, episodes: null, title_synonyms: [], external_ids: [], ...fields }))
    .sort((a, b) => Number((a as Fields).mal_id) - Number((b as Fields).mal_id));

/** Titles whose values appear, change and disappear, and whose ids move between them. */
const change = fc.record({
  malId: fc.integer({ min: 1, max: 12 }),
  score: fc.option(fc.integer({ min: 1, max: 9 })),
  episodes: fc.option(fc.integer({ min: 1, max: 24 })),
  synonyms: fc.subarray(["First", "Second"]),
  id: fc.option(fc.integer({ min: 1, max: 4 })),
});
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

function apply(site: OtherSite, { malId, score, episodes, synonyms, id }: Change) {
  const external = id === null ? [] : [`anidb:${id}`];
  // A site gives an id to one title only, so the earlier owner loses it first.
  for (const [other, { fields }] of site.titles)
    if (other !== malId && external.length > 0 && (fields.external_ids as string[])?.includes(external[0]!))
      site.set(other, { ...fields, external_ids: [] });
  site.set(malId, {
    title: `Title ${malId}`,
    ...(score !== null && { score }),
    ...(episodes !== null && { episodes }),
    title_synonyms: synonyms,
    external_ids: external,
  });
}

test("after any changes, in any parts and with any cuts, both catalogs are equal", async () => {
  const round = fc.record({
    changes: fc.array(change, { maxLength: 8 }),
    cutAt: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  const rounds = fc.array(round, { minLength: 2, maxLength: 2 });
  await fc.assert(
    fc.asyncProperty(rounds, fc.integer({ min: 1, max: 5 }), async (all, perAnswer) => {
      await db.delete(titles);
      await db.delete(feeds);
      const site = new OtherSite();
      for (const { changes, cutAt } of all) {
        for (const one of changes) apply(site, one);
        answer = (_, response) => {
          const text = textOf(site.lines(asked.at(-1)?.since ?? "", { perAnswer }));
          response.writeHead(200, { "Content-Length": text.length });
          response.write(text.slice(0, Math.floor(cutAt * text.length)), () => response.destroy());
        };
        await follow();
      }
      answer = serve(site, { perAnswer });
      expect((await follow()).message).toBe(null);
      expect(await stored()).toEqual(expected(site));
    }),
    { numRuns: 2, seed: 7 },
  );
});

test("a run continues after its last position, and says when nothing is new", async () => {
  const site = new OtherSite();
  for (let malId = 1; malId <= 5; malId++) site.set(malId, { title: `Title ${malId}` });
  const text = textOf(site.lines("", { perAnswer: 3 }).slice(0, 5));
  answer = (_, response) => void response.write(text, () => response.destroy());
  expect((await follow()).message).toMatch(/connection too early\. What came before is imported\.$/);
  expect(await stored()).toHaveLength(2);
  answer = serve(site);
  expect(await follow()).toMatchObject({ outcome: "imported", report: { titles: { added: 3 } } });
  expect(asked.at(-1)).toEqual({ since: `${site.identity}.2.0`, authorization: "Bearer the-token" });
  expect((await follow()).outcome).toBe("unchanged");
});

test("withdrawn values disappear, lost titles stay, and an empty value hides no other source", async () => {
  const site = new OtherSite();
  site.set(1, { title: "One", synopsis: "Theirs", score: 5, image_url: "/ipfs/picture" });
  site.set(2, { title: "Two" });
  await importTitles([{ mal_id: 1, title: "One", year: 1999 }]);
  answer = serve(site);
  await follow();
  const one = async () => (await db.select().from(titles).where(eq(titles.malId, 1)))[0];
  expect(await one()).toMatchObject({
    synopsis: "Theirs",
    score: 5,
    year: 1999,
    imageUrl: `${server.origin}/ipfs/picture`,
  });
  site.titles.delete(2);
  site.set(1, { title: "One", none: ["score", "title", "genres", "no_such_field"] });
  await follow();
  expect(await one()).toMatchObject({ title: "One", synopsis: null, score: null, year: 1999 });
  expect(await stored()).toHaveLength(2);
});

test("a relation removed by the other site disappears, unless another source or the operator has it", async () => {
  const sequels = (all: number[]) => [
    { kind: "changes", catalogs: [] },
    { kind: "title", mal_id: 1, title: "One" },
    ...all.map((to) => ({ kind: "relation", from: 1, to, relation: "sequel" })),
    { kind: "relations", from: 1, only: all.map((to) => ({ to, relation: "sequel" })) },
    { kind: "end", since: `x${all.length}`, more: false },
  ];
  answer = sendBytes(textOf(sequels([5, 6, 7, 8])));
  await follow();
  const related = async () =>
    (await db.select().from(titleRelations).orderBy(asc(titleRelations.relatedId))).map(
      ({ relatedId }) => relatedId,
    );
  expect(await related()).toEqual([5, 6, 7, 8]);
  await importTitles([{ kind: "relation", from: 1, to: 6, relation: "sequel" }]);
  const operator = { kind: "operator", ip: null, operatorId: await someUser() } as const;
  await editTitle(1, [{ field: "relation 7 sequel", word: { isPresent: true } }], operator);
  const { version: before } = await changeOf(1);
  answer = sendBytes(textOf(sequels([8])));
  await follow();
  expect(await related()).toEqual([6, 7, 8]);
  expect((await changeOf(1)).version).toBeGreaterThan(before);
});

test("a following catalog can itself be followed, but not in a circle", async () => {
  const site = new OtherSite();
  site.set(1, { title: "One" });
  answer = serve(site);
  await follow();
  const own = await findCatalogIdentity();
  const head = (await (await request("/api/catalog/changes")).text()).split("\n")[0] ?? "";
  expect(JSON.parse(head)).toMatchObject({ kind: "changes", catalogs: [own, site.identity] });
  answer = sendBytes(textOf([{ kind: "changes", catalogs: [randomUUID(), own] }]));
  expect((await follow()).message).toMatch(/^That catalog follows this one/);
});

test("a line can bring neither a source to play, nor another source's value, nor a local title", async () => {
  answer = sendBytes(
    textOf([
      { kind: "changes", catalogs: [randomUUID()] },
      { kind: "title", mal_id: 1, title: "One", synopsis: "Text", texts_from: { synopsis: "operator" } },
      { kind: "title", mal_id: 900_000_001, title: "Theirs alone" },
      { kind: "title", mal_id: 2, title: "Two", image_url: "media:film.mkv", url: "javascript:alert(1)" },
      { kind: "title", mal_id: 3, title: "\u200b" },
      { kind: "episode", mal_id: 1, number: 1, title: "First", description: "Text", image_url: "/x" },
      { kind: "source", mal_id: 1, number: 1, url: "https://a.example/f.mp4", type: "mp4" },
      { kind: "tomorrow", anything: true },
      { kind: "end", since: "x", more: false },
    ]),
  );
  const { outcome, report } = await follow();
  expect(outcome).toBe("imported");
  expect(report?.rejected).toEqual([
    { where: "line 3", reason: "is a title of that installation alone" },
    { where: "line 5", reason: "title: has no visible characters" },
  ]);
  expect(new Set((await db.select().from(titleRecords)).map(({ source }) => source))).toEqual(
    new Set(["engawa"]),
  );
  expect(await db.select().from(episodeSources)).toEqual([]);
  const [two] = await db.select().from(titles).where(eq(titles.malId, 2));
  expect([two?.imageUrl, two?.url]).toEqual([null, null]);
});

const head = textOf([{ kind: "changes", catalogs: [randomUUID()] }]);
/** tests/system/feeds has the hostile servers that need more time. */
const hostile: [string, RequestListener, RegExp][] = [
  ["without its last line", sendBytes(head), /ended its answer too early$/],
  ["a web page", sendBytes("<!DOCTYPE html>\n<p>Moved</p>"), /web page/],
  ["a web page of one line", sendBytes("<html><p>Moved</p>"), /web page/],
  [
    "never at its end",
    (_, response) => void response.end(textOf([{ kind: "end", since: `x${asked.length}`, more: true }])),
    /says that it has more titles, and sends none$/,
  ],
  [
    "of the opinion that nothing changed",
    (_, response) => void response.writeHead(304).end(),
    /answered 304$/,
  ],
];

test.each(hostile)(
  "another site that is %s changes nothing, and the page says why",
  async (_, listener, message) => {
    await importTitles([{ mal_id: 1, title: "Kept" }]);
    answer = listener;
    const { outcome, message: said } = await follow();
    expect(outcome).toBe("failed");
    expect(said).toMatch(message);
    expect((await stored()).map(({ title }) => title)).toEqual(["Kept"]);
  },
);

test("a server that never stops sending titles is read up to the time limit, and its titles stay", async () => {
  const clock = vi.spyOn(performance, "now");
  onTestFinished(() => clock.mockRestore());
  const now = performance.now();
  let last = 0;
  answer = (_, response) => {
    last += 1;
    clock.mockReturnValue(now + 100 * last);
    const title = { kind: "title", mal_id: last, title: `Title ${last}` };
    response.end(`${textOf([title, { kind: "end", since: `x${last}`, more: last < 5000 }])}`);
  };
  const { outcome, message } = await follow({ maxRunMs: 300 });
  expect([outcome, message]).toEqual(["failed", "The server takes too long. What came before is imported."]);
  expect((await stored()).length).toBeGreaterThan(0);
});

test("a title that became adult at the other site becomes adult here, and an unknown one is not added", async () => {
  const site = new OtherSite();
  site.set(1, { title: "One", synopsis: "Theirs", genres: ["Drama"] });
  answer = serve(site);
  await follow();
  const adult = { kind: "adult", rating: "rx", genres: ["Hentai"] };
  answer = sendBytes(
    textOf([
      { kind: "changes", catalogs: [site.identity] },
      ...[1, 2].map((malId) => ({ ...adult, mal_id: malId })),
      { kind: "end", since: "y", more: false },
    ]),
  );
  expect((await follow()).report).toMatchObject({ titles: { changed: 1, added: 0 }, leftOut: 1 });
  expect(await db.select().from(titles)).toMatchObject([
    { title: "One", synopsis: "Theirs", genres: ["Hentai"], isMature: true },
  ]);
});

test("a server may ask for a short pause, and a long one ends the run", async () => {
  const site = new OtherSite();
  site.set(1, { title: "One" });
  let refusals = 2;
  answer = (received, response) =>
    refusals-- > 0
      ? void response.writeHead(429, { "Retry-After": "0" }).end()
      : serve(site)(received, response);
  expect((await follow()).outcome).toBe("imported");
  answer = (_, response) => void response.writeHead(503, { "Retry-After": "36000" }).end();
  const { nextAt } = await follow();
  expect(Math.round((nextAt.getTime() - Date.now()) / 60_000)).toBe(600);
});
