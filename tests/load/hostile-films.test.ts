import { expect, test } from "vitest";
import { figure } from "#tests/load/figures.ts";
import { recordStrain, watchSite } from "#tests/load/watch-site.ts";
import { hostileSegments, hostileTracks, writeHostileFilms } from "#tests/support/data/hostile-films.ts";
import { askForSegments, askForSubtitles } from "#tests/support/requests/hostile-film.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** Films that were made to cost time and memory are requested from a site of 1 GB. Records what they cost. */

const films = temporaryFolder("films");
writeHostileFilms(films, hostileTracks);
const firstSegments = 1 + Object.keys(hostileTracks).length;
writeHostileFilms(films, hostileSegments, firstSegments);
const site = await startSite({ MEDIA_DIR: films, MEMORY: "1024" }, { isQuiet: true });
runTool(site, "sources", ["scan", films]);
// The first requests after the start take longer, so they are not measured.
for (let count = 0; count < 20; count++) await fetch(`${site.origin}/healthz`);

const listed = [
  ...Object.keys(hostileTracks).map((name) => ({ name, ask: askForSubtitles })),
  ...Object.keys(hostileSegments).map((name) => ({ name, ask: askForSegments })),
].map((one, index) => ({ ...one, episode: 1 + index }));

test.each(listed)("a film with $name", async ({ name, ask, episode }) => {
  const finish = watchSite(site);
  const startedAt = performance.now();
  await ask(site.origin, episode);
  figure(`a film with ${name}`, "everything asked for", (performance.now() - startedAt) / 1000, "s");
  recordStrain(`a film with ${name}`, await finish());
  expect((await fetch(site.origin)).status).toBe(200);
});
