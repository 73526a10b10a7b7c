import { afterAll, describe, expect, test } from "vitest";
import type { Told } from "#tests/support/requests/planted-titles.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/**
 * Plants two titles that a household withholds from its children: one above the ceiling, and one that is blocked.
 * Children walk every route, follow every address in the answers, and request every address in their parent's answers. No
 * answer may name the titles, show their pictures, play them or count them.
 */

const folder = temporaryFolder("children-films");
Object.assign(process.env, {
  MEDIA_DIR: folder,
  PUBLIC_CACHE: "1",
  INDEXING: "1",
  CATALOG_SHARE: "public",
  RATE_LIMIT_POINTS: "100000",
});
await import("#app/start/site.server.ts");
const { origin } = await import("#tests/support/site/in-process.ts");
const { newMember, Visitor } = await import("#tests/support/requests/visitor.ts");
const { addProfile, anotherBrowserOf, chooseTitle, switchTo } = await import(
  "#tests/support/requests/household.ts"
);
const { crawl } = await import("#tests/support/requests/crawl.ts");
const { watchCatalog } = await import("#app/domain/catalog-version/catalog-version.server.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { companionId } = await import("#tests/support/requests/site-walk.ts");
const {
  asMember,
  baseTitles,
  childrenOf,
  comparable,
  marker,
  namesIt,
  plantedTitle,
  plantFor,
  titleOf,
  walkAs,
} = await import("#tests/support/requests/planted-titles.ts");

const above = plantedTitle(800_003, "quorbleth", "above");
const blocked = plantedTitle(800_004, "brindwaal", "blocked");
const planted = [above, blocked];
const foreign = `https://films.invalid/${marker}/master.m3u8`;
const picture = `https://pictures.invalid/${marker}-poster.jpg`;

type Browser = InstanceType<typeof Visitor>;
const children: { name: string; browser: Browser }[] = [];
const before = new Map<string, string>();

async function newChild(name: string, ceiling: "pg" | "chosen") {
  const id = await addProfile(owner, name, ceiling);
  const browser = await anotherBrowserOf(owner);
  await switchTo(browser, id);
  children.push({ name, browser });
  return id;
}

// A starting process does the same.
const stopWatching = await watchCatalog();
await importTitles(
  baseTitles.map((record) =>
    record.kind === "title" && record.mal_id === companionId ? { ...record, rating: "G - All Ages" } : record,
  ),
);
const owner = await newMember();
const ids = [await newChild("a child up to PG", "pg"), await newChild("a child with a list", "chosen")];
await chooseTitle(owner, companionId, "allowed");
await walkChildren((told) => before.set(told.at, comparable(told)));
await plant(ids);
afterAll(() => stopWatching());

async function walkChildren(see: (told: Told) => void) {
  for (const { name, browser } of children)
    for (const told of await walkAs(asMember(name, browser), planted)) see(told);
}

/** The titles are in the catalog, among the films, and in all data that the children have from earlier. */
async function plant(childIds: readonly string[]) {
  await importTitles([
    titleOf(above, { rating: "R+ - Mild Nudity", image_url: picture }),
    titleOf(blocked, { rating: "G - All Ages" }),
    ...planted.flatMap(childrenOf),
    { kind: "source", mal_id: above.malId, number: 2, url: foreign, type: "hls" },
  ]);
  await chooseTitle(owner, blocked.malId, "blocked");
  for (const userId of childIds) await plantFor(userId, planted, { folder });
}

test("the parent's walk finds both titles, so a child's empty result is meaningful", async () => {
  const found = (await walkAs(asMember("the owner", owner), planted)).filter(namesIt);
  for (const { malId, word } of planted) {
    const paths = found
      .filter(({ text }) => text.includes(word))
      .map(({ step }) => step.path.split(/[?.]/)[0]);
    for (const path of ["/", "/browse", "/search", "/schedule", `/anime/${malId}`, "/api/animes/full"])
      expect(paths, `${word} at ${path}`).toContain(path);
  }
});

describe("as a child", () => {
  test("each answer of every route is the same as before the titles existed", async () => {
    const [naming, changed]: [string[], string[]] = [[], []];
    let steps = 0;
    await walkChildren((told) => {
      steps++;
      if (namesIt(told)) naming.push(told.at);
      const { varies, names } = told.step;
      if (!varies && !names && before.get(told.at) !== comparable(told))
        changed.push(`${told.at} ${told.status}`);
    });
    expect(steps).toBeGreaterThan(200);
    expect({ naming, changed }).toEqual({ naming: [], changed: [] });
  });

  test("no address found in the answers names them", async () => {
    for (const { name, browser } of children) {
      const { asked, naming } = await crawl(browser, [
        "/",
        "/browse",
        "/schedule",
        "/list",
        "/history",
        "/api",
      ]);
      expect(asked, name).toBeGreaterThan(40);
      expect(naming, name).toEqual([]);
    }
  });

  test("no address in their parent's answers names, shows or plays them", async () => {
    const paths = [
      ...planted.flatMap(({ malId, word }) => [
        `/anime/${malId}/${word}-${marker}`,
        `/watch/${malId}/1`,
        `/watch/${malId}/2`,
        `/api/episodes?id=${malId}`,
      ]),
      "/",
      "/api/animes/full?limit_count=100",
    ];
    const parents = await crawl(owner, paths, { depth: 1 });
    expect(parents.naming.length).toBeGreaterThan(10);
    const media = parents.addresses.filter(isMedia);
    for (const kind of ["film", "poster"])
      expect(media.filter((path) => path.startsWith(`/${kind}/`)).length, kind).toBeGreaterThan(1);
    for (const { name, browser } of children) {
      const { naming } = await crawl(browser, parents.addresses, { depth: 0 });
      expect(naming, name).toEqual([]);
      for (const path of media.filter(isOfPlanted)) {
        const [own, parent] = [await browser.request(path), await owner.request(path)];
        const isSame = own.ok && parent.ok && (await own.text()) === (await parent.text());
        expect(isSame, `${name} ${own.status} ${path}`).toBe(false);
      }
    }
  });

  test("neither proxy fetches their films and pictures, nor a film missing from the child's pages", async () => {
    const segment = foreign.replace("master.m3u8", "480p/segment-1.ts");
    const proxied = [
      ...[foreign, segment].map((url) => `/api/videoProxy?url=${encodeURIComponent(url)}`),
      ...[picture, `${origin}/poster/${above.malId}.webp`, `${origin}/media/${above.film}`].map(
        (url) => `/api/proxy?url=${encodeURIComponent(url)}`,
      ),
      `/api/videoProxy?url=${encodeURIComponent(`${origin}/media/${blocked.film}`)}`,
    ];
    for (const { name, browser } of children)
      for (const path of proxied) expect((await browser.request(path)).status, `${name} ${path}`).toBe(404);
    const elsewhere = `/api/videoProxy?url=${encodeURIComponent("https://films.invalid/companion.mp4")}`;
    expect((await children[0]!.browser.request(elsewhere)).status).toBe(404);
    expect((await owner.request(elsewhere)).status).not.toBe(404);
    // The mark of a restricted session, without a session.
    const forged = Buffer.from('{"restricted":true}').toString("base64");
    const visitor = await new Visitor().request(
      `/api/proxy?url=${encodeURIComponent("https://pictures.invalid/1.png")}`,
      {
        headers: { Cookie: `engawa-session=${forged}` },
      },
    );
    expect((await visitor.json()).error).not.toBe("No such picture");
  });
});

const isMedia = (path: string) =>
  /^\/(?:poster|film|play|media|captions)\/|^\/api\/(?:video)?proxy\?/i.test(path);
const isOfPlanted = (path: string) =>
  path.includes(marker) ||
  planted.some(({ malId }) => path.includes(`/${malId}`)) ||
  /^\/(?:film|play)\//.test(path);
