import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { failureNote } from "#tests/support/browser/player.ts";
import { makeFilm } from "#tests/support/data/made-films.ts";
import { deepFilm } from "#tests/support/data/various-films.ts";
import { filmViewer } from "#tests/support/requests/film-viewer.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** A site of 1 GB converts the largest picture that it accepts, and refuses a larger one. */

const folder = temporaryFolder("small-converter");
const films = join(folder, "films");
mkdirSync(films);
makeFilm(films, "Bleach - 1.mkv", deepFilm);
makeFilm(films, "Bleach - 2.mkv", {
  size: "2560x1440",
  seconds: 1,
  picture: ["-c:v", "mpeg2video"],
  sounds: [{ codec: "aac" }],
});
const site = await startSite({ MEDIA_DIR: films, MEMORY: "1024", RATE_LIMIT_POINTS: "100000" });
runTool(site, "sources", ["scan", films]);

test("HEVC of 1080 lines and 10 bits becomes H.264 of 720 lines", async () => {
  const viewer = filmViewer(site.origin);
  const address = await viewer.findFolder(269, 1);
  const parts = await viewer.listParts(`${address}`, "h");
  expect(parts.length).toBe(4);
  const got: Buffer[] = [];
  for (const name of parts) got.push(await viewer.readPatiently(`${address}${name}`));
  const file = join(folder, "converted.mp4");
  writeFileSync(file, Buffer.concat(got));
  const entries = ["-count_frames", "-show_entries", "stream=codec_name,width,height,nb_read_frames"];
  const probed = spawnSync("ffprobe", ["-v", "warning", ...entries, "-of", "csv=p=0", file]);
  expect(probed.stderr.toString()).toBe("");
  expect(probed.stdout.toString().trim()).toBe(`h264,1280,720,${18 * 24}`);
});

test("viewers and operators read that a film of more than 1080 lines is too large to convert", async () => {
  const browser = await openBrowser({ hasPictures: false });
  const context = await browser.newContext();
  const page = await context.newPage();
  const member = { username: "Mika", email: "mika@example.org", password: "Abcdef1!" };
  await context.request.post(`${site.origin}/api/auth/signup`, { data: member });
  runTool(site, "user", ["operator", member.email]);
  await page.goto(`${site.origin}/watch/269/2`);
  await failureNote(page)
    .getByText("(MPEG-2). With 2560 × 1440 pixels, the video is too large for this site to convert.")
    .waitFor();
  await page.goto(`${site.origin}/admin/episode?id=269&episode=2`);
  await page.getByText("It is too large to convert with the memory of this site").waitFor();
});
