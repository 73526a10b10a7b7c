import { expect, test } from "vitest";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { failureNote } from "#tests/support/browser/player.ts";
import { makeFilm } from "#tests/support/data/made-films.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { addSource } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** A site with too little memory reads no film, so it knows only that the browser refuses the file. */

const folder = temporaryFolder("little-memory");
const name = "Bleach - 1.ts";
makeFilm(folder, name, {
  seconds: 4,
  picture: ["-c:v", "libx264", "-preset", "ultrafast"],
  sounds: [{ codec: "aac" }],
});
const [browser, site] = await Promise.all([openBrowser(), startSite({ MEDIA_DIR: folder, MEMORY: "512" })]);
addSource(site, { title: 269, episode: 1, url: `media:${name}`, type: "file", label: "The file" });

test("a viewer gets the file that the browser does not play", async () => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${site.origin}/watch/269/1`);
  const note = failureNote(page);
  await note.waitFor();
  const file = note.getByRole("link", { name: "Get the file" });
  expect(await file.getAttribute("href")).toMatch(/^\/film\/[\da-f-]{36}$/);
  expect(await file.getAttribute("download")).toMatch(/\.ts$/);
  expect(await note.getByRole("link", { name: "Open in a player (.m3u)" }).count()).toBe(1);
});
