import { createHash } from "node:crypto";
import { linkSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { figure } from "#tests/load/figures.ts";
import { recordStrain, watchSite } from "#tests/load/watch-site.ts";
import { chromiumDevice } from "#tests/support/browser/chromium-device.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { playsAndSeeks, seeksTo } from "#tests/support/browser/watched-film.ts";
import { makeFilm } from "#tests/support/data/made-films.ts";
import { samplesOf } from "#tests/support/data/segment-samples.ts";
import { matroskaFilms } from "#tests/support/data/various-films.ts";
import { filmViewer, type Viewer, wordsOf } from "#tests/support/requests/film-viewer.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { convertersOf } from "#tests/support/site/memory.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** Many seeks and many viewers at once: every viewer gets the film. Records the cost for the site. */

const memory = 1024;
const films = join(temporaryFolder("films"), "films");
mkdirSync(films);
/** The episodes from 2 on are copies of the same film in separate files. */
const [firstCopy, lastCopy] = [2, 11];
const firstConverted = 12;
const noise = "noise=alls=5:allf=t";
const large = { size: "640x360", filter: noise, times: 10 };
const whole = makeFilm(films, "Bleach - 1.mkv", { ...matroskaFilms["H.264 and AAC"], ...large });
for (let episode = firstCopy; episode <= lastCopy; episode++)
  linkSync(whole, join(films, `Bleach - ${episode}.mkv`));
const deep = makeFilm(films, `Bleach - ${firstConverted}.mkv`, {
  ...matroskaFilms["HEVC of 10 bits and AAC"],
  ...large,
});
for (const episode of [13, 14]) linkSync(deep, join(films, `Bleach - ${episode}.mkv`));

const settings = { MEDIA_DIR: films };
const [browser, site, converting] = await Promise.all([
  openBrowser(),
  startSite({ ...settings, MEMORY: String(memory) }),
  // The converter runs at playback speed, because a viewer who waits for less than four seconds is not told a queue
  // position.
  startSite({ ...settings, CONVERSIONS: "1", FFMPEG_ARGS: "-vf format=yuv420p,realtime" }),
]);
for (const one of [site, converting]) runTool(one, "sources", ["scan", films]);

const malId = 269;
async function folderOf(viewer: Viewer, episode: number): Promise<string> {
  const folder = await viewer.findFolder(malId, episode);
  expect(folder).not.toBeNull();
  return folder ?? "";
}

describe("a film that is packaged", () => {
  /** The digest of each part, by its name. */
  let digests: ReadonlyMap<string, string>;
  const tracks = ["v", "a2"];
  const maxParts = 12;

  beforeAll(async () => {
    const viewer = filmViewer(site.origin);
    digests = await watch(viewer, 1, (name, bytes) => {
      if (name.endsWith(".m4s")) expect(samplesOf(bytes)).toBeGreaterThan(40);
    });
  });

  /** Loads picture and sound in parallel, the parts of each in order. */
  async function watch(viewer: Viewer, episode: number, onPart?: (name: string, bytes: Buffer) => void) {
    const folder = await folderOf(viewer, episode);
    const found = new Map<string, string>();
    const load = async (track: string) => {
      const parts = await viewer.listParts(folder, track);
      for (const name of parts.slice(0, maxParts)) {
        const bytes = await viewer.read(folder + name);
        onPart?.(name, bytes);
        found.set(name, createHash("sha256").update(bytes).digest("hex"));
      }
    };
    await Promise.all(tracks.map(load));
    return found;
  }

  test("plays on after 200 seeks in 20 seconds, and no seek is refused", async () => {
    const page = await browser.newPage({ hasTouch: true });
    onTestFinished(() => page.close());
    const refused: string[] = [];
    page.on("response", (response) => {
      if (response.url().includes("/play/") && response.status() >= 400)
        refused.push(`${response.status()} ${response.url()}`);
    });
    const device = await chromiumDevice(page, site.origin);
    await device.open(`/watch/${malId}/1`);
    await playsAndSeeks(device, []);
    const finish = watchSite(site);
    await device.run(async () => {
      const video = document.querySelector("video") as HTMLVideoElement;
      for (let seek = 0; seek < 200; seek++) {
        video.currentTime = ((seek * 89) % 200) * (video.duration / 201);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    });
    await seeksTo(device, 150);
    await seeksTo(device, 20);
    recordStrain("200 seeks of a viewer", await finish());
    expect(refused).toEqual([]);
    expect(await device.run(() => document.querySelector(".player-note"))).toBeNull();
  });

  test.each([
    ["ten viewers of one film", () => 1],
    ["ten viewers of ten films", (viewer: number) => firstCopy + viewer],
  ])("%s all get the film, with the same bytes in each part as a single viewer", async (name, episodeOf) => {
    const finish = watchSite(site);
    const viewers = Array.from({ length: 10 }, (_, at) => filmViewer(site.origin, `127.4.0.${at + 1}`));
    const watched = await Promise.all(viewers.map((viewer, at) => watch(viewer, episodeOf(at))));
    recordStrain(name, await finish());
    for (const found of watched) expect(found).toEqual(digests);
    const next = await filmViewer(site.origin, "127.4.1.1").ask("/");
    expect(next.status).toBe(200);
    figure(name, "home page of the next viewer", next.ms, "ms");
  });
});

describe("a film that is converted", () => {
  /** Repeats the request after a refusal, as a player does. Collects the messages of the refusals. */
  async function get(viewer: Viewer, path: string, words: Set<string>): Promise<Buffer> {
    for (;;) {
      const answer = await viewer.ask(path);
      if (answer.status === 200) return answer.bytes;
      expect(answer.status, wordsOf(answer)).toBe(503);
      words.add(wordsOf(answer));
    }
  }

  test("is converted for the last of 200 seeks within 20 seconds", async () => {
    const viewer = filmViewer(converting.origin, "127.5.0.1");
    const folder = await folderOf(viewer, firstConverted);
    const parts = (await viewer.listParts(folder, "h")).slice(1);
    const finish = watchSite(converting);
    for (let seek = 0; seek < 200; seek++) {
      const left = new AbortController();
      const asked = viewer.ask(`${folder}${parts[(seek * 17) % parts.length]}`, left.signal);
      await Promise.race([asked.catch(() => {}), pause(100)]);
      left.abort();
      await asked.catch(() => {});
    }
    const last = await get(viewer, `${folder}${parts[20]}`, new Set());
    // Two converters can run for a moment: one that is ending, and the next one.
    recordStrain("200 seeks of a converted film", await finish());
    expect(samplesOf(last)).toBeGreaterThan(40);
  });

  test("tells waiting viewers their queue position, and stops every converter after all viewers have left", async () => {
    const words = new Set<string>();
    const viewers = [12, 13, 14].map(async (episode) => {
      const viewer = filmViewer(converting.origin, `127.5.1.${episode}`);
      const folder = await folderOf(viewer, episode);
      for (const part of (await viewer.listParts(folder, "h")).slice(-4, -2))
        expect(samplesOf(await get(viewer, folder + part, words))).toBeGreaterThan(40);
    });
    await Promise.all(viewers);
    expect([...words].join("\n")).toMatch(
      /^This part of the film waits until others are converted\. Its place in the queue is [12]\.$/m,
    );
    await expect.poll(() => convertersOf(converting)).toEqual([]);
  });
});
