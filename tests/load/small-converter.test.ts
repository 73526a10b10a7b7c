import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { figure } from "#tests/load/figures.ts";
import { recordStrain, watchSite } from "#tests/load/watch-site.ts";
import { makeFilm } from "#tests/support/data/made-films.ts";
import { deepFilm } from "#tests/support/data/various-films.ts";
import { filmViewer } from "#tests/support/requests/film-viewer.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { convertersOf } from "#tests/support/site/memory.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** The memory that a site of 1 GB needs while it converts a picture. Its memory plan gives the converter 240 MiB. */

const films = join(temporaryFolder("small-converter"), "films");
mkdirSync(films);
makeFilm(films, "Bleach - 1.mkv", deepFilm);
const site = await startSite({ MEDIA_DIR: films, MEMORY: "1024", RATE_LIMIT_POINTS: "100000" });
runTool(site, "sources", ["scan", films]);

/** The peak memory of the process in MiB, or 0 if the process has ended. */
function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

test("on a site of 1 GB, HEVC with 1080 lines and 10 bits is converted to H.264 with 720 lines", async () => {
  const viewer = filmViewer(site.origin);
  const address = await viewer.findFolder(269, 1);
  const parts = await viewer.listParts(`${address}`, "h");
  const strain = watchSite(site);
  let peak = 0;
  const sampling = setInterval(() => {
    peak = Math.max(peak, ...convertersOf(site).map(peakOf));
  }, 50);
  for (const name of parts) await viewer.readPatiently(`${address}${name}`);
  clearInterval(sampling);
  // A peak of 0 means that the converter ended before its memory was read.
  expect(peak).toBeGreaterThan(0);
  figure("small converter", "most memory of the converter", peak, "MiB");
  recordStrain("small converter", await strain());
});
