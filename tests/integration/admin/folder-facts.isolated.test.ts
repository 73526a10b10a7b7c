import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { eq } from "drizzle-orm";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { imageBombs } from "#tests/support/data/image-bombs.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** Pictures and notes beside films fill only the gaps of a title. */

const media = temporaryFolder("folder-facts");
process.env.MEDIA_DIR = media;
process.env.FILMS = "everyone";
const { request } = await import("#tests/support/site/in-process.ts");
const { db } = await import("#db/client.server.ts");
const { films } = await import("#db/schema/films.ts");
const { titles } = await import("#db/schema/catalog.ts");
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { giveFilmsLocalTitle } = await import("#app/domain/local-titles/local-titles.server.ts");
const { catalogVersion } = await import("#app/domain/catalog-version/catalog-version.server.ts");
const scanning = await import("#app/domain/scanning/scanning.server.ts");

const importSeries = (...series: object[]) =>
  importTitles(series.map((fields) => ({ kind: "title", type: "TV", ...fields })));

function put(path: string, content: string | Buffer = `the film ${path}`) {
  mkdirSync(dirname(join(media, path)), { recursive: true });
  writeFileSync(join(media, path), content);
  const at = 1_600_000_000 + Buffer.byteLength(content);
  utimesSync(join(media, path), at, at);
}

const notes = (inside: string) => `<?xml version="1.0"?>\n<tvshow>${inside}</tvshow>\nhttps://example.org/1`;
const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#336" } })
    .jpeg()
    .toBuffer();
const titleOf = async (malId: number) => (await db.select().from(titles).where(eq(titles.malId, malId)))[0];
const read = async () => {
  const scanned = await scanning.scanLibrary({ folder: "", reason: "command" }, { isPatient: false });
  if (!scanned?.ok) throw new Error("no scan");
  await scanning.readFolderFacts();
};

beforeAll(() =>
  importSeries(
    { mal_id: 1, title: "Cowboy Bebop", episodes: 26 },
    { mal_id: 2, title: "Paper Lantern Story", episodes: 12, synopsis: "What the catalog says." },
  ),
);

test("a title gets the picture, the banner and the plot that the catalog lacks", async () => {
  put("Cowboy Bebop/Season 1/01.mkv");
  put(
    "Cowboy Bebop/tvshow.nfo",
    notes("<title>Bebop</title><actor><plot>No</plot></actor><plot>Bounty &amp; jazz.</plot>"),
  );
  put("Cowboy Bebop/poster.jpg", await picture(600, 900));
  put("Cowboy Bebop/fanart.jpg", await picture(1280, 720));
  put("Paper Lantern Story/01.mkv");
  put("Paper Lantern Story/tvshow.nfo", notes("<plot>What the folder says.</plot>"));
  await read();
  const title = await titleOf(1);
  expect(title).toMatchObject({ title: "Cowboy Bebop", synopsis: "Bounty & jazz." });
  for (const path of [title?.imageUrl, title?.bannerImage]) {
    const sent = await request(path ?? "/none");
    expect([sent.status, sent.headers.get("Content-Type")]).toEqual([200, "image/webp"]);
  }
  expect((await titleOf(2))?.synopsis).toBe("What the catalog says.");
});

test("values that the catalog gets later take precedence, and deleted files are forgotten", async () => {
  await importSeries({ mal_id: 1, title: "Cowboy Bebop", synopsis: "What the catalog says now." });
  rmSync(join(media, "Cowboy Bebop/poster.jpg"));
  await read();
  expect(await titleOf(1)).toMatchObject({ synopsis: "What the catalog says now.", imageUrl: null });
  expect((await titleOf(1))?.bannerImage).toMatch(/^\/ipfs\//);
});

test("files that are gone change the catalog only once", async () => {
  await importSeries({ mal_id: 6, title: "Empty Shelf", episodes: 2 });
  put("Empty Shelf/Season 1/01.mkv");
  put("Empty Shelf/tvshow.nfo", notes("<plot>Nothing on it.</plot>"));
  await read();
  expect((await titleOf(6))?.synopsis).toBe("Nothing on it.");
  rmSync(join(media, "Empty Shelf/tvshow.nfo"));
  await read();
  expect((await titleOf(6))?.synopsis).toBeNull();
  const version = await catalogVersion();
  await scanning.readFolderFacts();
  expect(await catalogVersion()).toBe(version);
});

test("files in a folder of several titles belong to none of them", async () => {
  await importSeries(
    { mal_id: 3, title: "Tea House Days", episodes: 2 },
    { mal_id: 4, title: "Salt Road", episodes: 2 },
  );
  put("Mixed/Tea House Days - 01.mkv");
  put("Mixed/Salt Road - 01.mkv");
  put("Mixed/tvshow.nfo", notes("<plot>Which of them?</plot>"));
  put("tvshow.nfo", notes("<plot>All of them?</plot>"));
  await read();
  expect([(await titleOf(3))?.synopsis, (await titleOf(4))?.synopsis]).toEqual([null, null]);
});

test.each([
  [
    "a DOCTYPE",
    '<!DOCTYPE tvshow [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><tvshow><plot>&b;</plot></tvshow>',
  ],
  [
    "an external entity",
    '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hosts">]><tvshow><plot>&e;</plot></tvshow>',
  ],
  ["an unknown entity", "<tvshow><plot>&lol;</plot></tvshow>"],
  ["another root", "<html><plot>x</plot></html>"],
  ["a very long plot", notes(`<plot>${"x".repeat(9_000)}</plot>`)],
  ["more than 256 KiB", notes(`<x>${"y".repeat(300 * 1024)}</x><plot>x</plot>`)],
])("notes with %s are ignored, and so are pictures that are invalid or bombs", async (_, xml) => {
  await importSeries({ mal_id: 5, title: "Quiet Porch", episodes: 2 });
  put("Quiet Porch/01.mkv");
  put("Quiet Porch/tvshow.nfo", xml);
  put("Quiet Porch/poster.jpg", Object.values(imageBombs)[0]);
  put("Quiet Porch/fanart.jpg", `<svg xmlns="http://www.w3.org/2000/svg">${xml.slice(0, 20)}`);
  await read();
  expect(await titleOf(5)).toMatchObject({ synopsis: null, imageUrl: null, bannerImage: null });
});

test("a local title gets them too, and its notes propose its name", async () => {
  put("Zzyx Unheard Of/01.mkv");
  put("Zzyx Unheard Of/tvshow.nfo", notes("<title>縁側の猫</title><plot>A cat on a porch.</plot>"));
  await read();
  const [film] = await db.select().from(films).where(eq(films.path, "Zzyx Unheard Of/01.mkv"));
  expect(film?.state).toBe("unmatched");
  expect(await scanning.findTitleInNotes("Zzyx Unheard Of/01.mkv")).toBe("縁側の猫");
  const made = await giveFilmsLocalTitle(
    "縁側の猫",
    { folder: "Zzyx Unheard Of", shift: 0 },
    { kind: "command", ip: null },
  );
  if (!made.ok) throw new Error(made.message);
  await read();
  expect((await titleOf(made.value.malId))?.synopsis).toBe("A cat on a porch.");
});
