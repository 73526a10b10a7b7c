import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { failureNote } from "#tests/support/browser/player.ts";
import { makeFilm } from "#tests/support/data/made-films.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** A site of 1 GB converts pictures of up to 1080 lines. tests/release converts one of 1080 lines. */

const films = join(temporaryFolder("small-converter"), "films");
mkdirSync(films);
makeFilm(films, "Bleach - 1.mkv", {
  size: "2560x1440",
  seconds: 1,
  picture: ["-c:v", "mpeg2video"],
  sounds: [{ codec: "aac" }],
});
const site = await startSite({ MEDIA_DIR: films, MEMORY: "1024", RATE_LIMIT_POINTS: "100000" });
process.env.MEDIA_DIR = films;
runTool(site, "sources", ["scan", films]);

test("viewers and operators read that a film of more than 1080 lines is too large to convert", async () => {
  const browser = await openBrowser({ hasPictures: false });
  const context = await browser.newContext();
  const page = await context.newPage();
  const member = { username: "Mika", email: "mika@example.org", password: "Abcdef1!" };
  await context.request.post(`${site.origin}/api/auth/signup`, { data: member });
  runTool(site, "user", ["operator", member.email]);
  await page.goto(`${site.origin}/watch/269/1`);
  await failureNote(page)
    .getByText("(MPEG-2). With 2560 × 1440 pixels, the video is too large for this site to convert.")
    .waitFor();
  await page.goto(`${site.origin}/admin/episode?id=269&episode=1`);
  await page.getByText("It is too large to convert with the memory of this site").waitFor();
  await context.close();
});
