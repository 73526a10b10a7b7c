import { appendFileSync, copyFileSync, mkdirSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeOldFilm } from "#tests/support/data/old-films.ts";
import { htmlOf } from "#tests/support/requests/response-data.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** The Setup page's report of the first scan, from before it begins until a film can be watched. */

const folder = temporaryFolder("first-scan");
process.env.MEDIA_DIR = folder;
const { importTitles } = await import("#tests/support/data/import-titles.ts");
const { newMember, newOperator } = await import("#tests/support/requests/visitor.ts");
const filmsDoor = await import("#app/domain/films/films.server.ts");
const scanningDoor = await import("#app/domain/scanning/scanning.server.ts");
const { db } = await import("#db/client.server.ts");
const { scans } = await import("#db/schema/scanning.ts");

const firstFilm = join(folder, "Paper Lantern Story", "Paper Lantern Story - 01.webm");
const operator = await newOperator();
await importTitles([
  {
    kind: "title",
    mal_id: 999_321,
    title: "Paper Lantern Story",
    title_english: "The Story of a Lantern",
    type: "TV",
    episodes: 2,
  },
]);
mkdirSync(join(folder, "Paper Lantern Story"));
put("Paper Lantern Story/Paper Lantern Story - 01.webm");
// Two films with the same bytes would count as one film that moved.
put("zzzz 4711.webm", "another film");

/** The file is an hour old, because a scan waits for files that may still grow. */
function put(path: string, more = "", from = "1/film.webm") {
  copyFileSync(join("public/film", from), join(folder, path));
  appendFileSync(join(folder, path), more);
  const at = Date.now() / 1000 - 3600;
  utimesSync(join(folder, path), at, at);
}
const readStep = async (step: string) => {
  const headers = { "Accept-Language": "en" };
  const page = await operator.request(`/admin/setup?step=${step}`, { headers });
  return htmlOf(page);
};
const readPage = () => readStep("found");
const watchLink = 'href="/watch/999321/1"';
const lastStep = () => readStep("watch");
const readFilms = () => filmsDoor.readUnreadFilms(new AbortController().signal);
const scan = () => scanningDoor.scanLibrary({ folder: "", reason: "start" });

test("before the first scan, the page says that one begins, with a link that reads the page again", async () => {
  const page = await readPage();
  expect(page).toContain("A scan begins within seconds.");
  expect(page).toMatch(/href="\/admin\/setup\?step=found"[^>]*>Look again/);
});

test("during a scan, the page says how many videos it has found and looked up, and how many are left to decide", async () => {
  const startedAt = new Date(Date.now() - 3_000);
  const counts = { found: 12, judged: 9, registered: 8, unsure: 1, gone: 0, moved: 0 };
  await db.insert(scans).values({ folder: "", reason: "start", startedAt, seenAt: new Date(), ...counts });
  const page = await readPage();
  expect(page).toContain(
    "Under way: 12 videos found, 9 looked up in the catalog, 8 newly matched to a title, 1 for you to decide",
  );
  expect(page).toContain("Look again");
  expect(page).not.toContain("Scan again");
  await db.delete(scans);
});

test("the first film is a link to its page once it has been read, and no link while its file is missing", async () => {
  await scan();
  expect(await readPage()).toContain("The site now reads what they contain.");
  const unread = await lastStep();
  expect(unread).not.toContain(watchLink);
  await readFilms();
  const [read, last] = [await readPage(), await lastStep()];
  expect(last).toContain(watchLink);
  expect(last).toContain("Watch The Story of a Lantern, episode 1");
  const poster = /src="\/poster\/999321.webp\?w=320&amp;lang=en"/;
  expect(last).toMatch(poster);
  expect(read).toMatch(new RegExp(`${poster.source}[^>]*>[^<]*<span>The Story of a Lantern`));
  expect(read).toContain("The scan found 2 videos. The site knows title and episode of 1.");
  expect(read).toContain("1 to decide");
  expect(read).not.toContain("Look again");
  expect((await operator.request("/watch/999321/1")).status).toBe(200);
  rmSync(firstFilm);
  await scan();
  expect(await lastStep()).not.toContain(watchLink);
  put("Paper Lantern Story/Paper Lantern Story - 01.webm");
  await scan();
  await readFilms();
  expect(await lastStep()).toContain(watchLink);
});

test("a film that plays as it is comes before a later episode that is packaged", async () => {
  const second = "Paper Lantern Story/Paper Lantern Story - 02.mkv";
  put(second, "", "3/two-evenings.mkv");
  await scan();
  await readFilms();
  expect(await readPage()).toContain("The site knows title and episode of 2.");
  expect(await lastStep()).toContain(watchLink);
  rmSync(join(folder, second));
  await scan();
});

test("a video that has just come is said to be waited for", async () => {
  const fresh = join(folder, "Paper Lantern Story", "Paper Lantern Story - 02.webm");
  copyFileSync("public/film/1/film.webm", fresh);
  appendFileSync(fresh, "the second episode");
  await scan();
  const page = await readPage();
  expect(page).toContain("1 is new, and the site waits until it is complete.");
  expect(page).toContain("Look again");
  rmSync(fresh);
  await scan();
  expect(await readPage()).not.toContain("is new,");
});

test("a video that cannot be played is counted, so that the numbers add up", async () => {
  const broken = join(folder, "Broken.mkv");
  writeOldFilm(folder, "Broken.mkv", "no video");
  await scan();
  await readFilms();
  await scan();
  const page = await readPage();
  expect(page).toContain(
    "The scan found 3 videos. The site knows title and episode of 1. 1 of the videos cannot be played.",
  );
  expect(page).toContain("1 to decide");
  rmSync(broken);
  await scan();
  expect(await readPage()).not.toContain("cannot be played");
});

test("an operator requests another scan there, and members cannot", async () => {
  const member = await newMember();
  expect((await member.request("/admin/setup", { form: { intent: "scan" } })).status).toBe(403);
  expect(await filmsDoor.findScanRequest()).toBeNull();
  const asked = await operator.request("/admin/setup", { form: { intent: "scan" } });
  expect(await asked.text()).toContain("The folder is scanned next.");
  expect(await filmsDoor.findScanRequest()).toEqual({ folder: "", reason: "operator" });
  const waiting = await readPage();
  expect(waiting).toContain("A scan begins within seconds.");
  expect(waiting).toContain("Look again");
  expect(waiting).not.toContain("Scan again");
});
