import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** The running site reads films registered by a scan before a viewer opens them. */

test("films are read after a scan, and the site ends without an error", async () => {
  const films = temporaryFolder("films");
  for (let episode = 1; episode <= 8; episode++)
    copyFileSync("tests/fixtures/films/two-sounds.mkv", join(films, `Cowboy Bebop - ${episode}.mkv`));
  const site = await startSite({ MEDIA_DIR: films, METRICS_PORT: "0" });
  runTool(site, "sources", ["scan", films]);
  const read = async () => {
    const metrics = site.logged.find(({ message }) => message === "metrics")?.address;
    const text = await (await fetch(`${metrics}/metrics`)).text();
    return Number(/engawa_film_seconds_count\{kind="inspect"\} (\d+)/.exec(text)?.[1] ?? 0);
  };
  await expect.poll(read, { interval: 500, timeout: 280_000 }).toBe(8);
  const exited = new Promise((done) => site.process.once("exit", done));
  site.process.kill("SIGTERM");
  expect(await exited).toBe(0);
  expect(site.logged.filter(({ level }) => level === "error")).toEqual([]);
});
