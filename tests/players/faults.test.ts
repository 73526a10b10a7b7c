import { execFileSync, spawnSync } from "node:child_process";
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { chromiumDevice } from "#tests/support/browser/chromium-device.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { patient } from "#tests/support/browser/player.ts";
import { playsAndSeeks } from "#tests/support/browser/watched-film.ts";
import { until } from "#tests/support/checks/wait-until.ts";
import { type MadeFilm, makeFilm } from "#tests/support/data/made-films.ts";
import { samplesOf } from "#tests/support/data/segment-samples.ts";
import { matroskaFilms } from "#tests/support/data/various-films.ts";
import { filmViewer, wordsOf } from "#tests/support/requests/film-viewer.ts";
import { atEnd } from "#tests/support/setup/at-end.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { convertersOf, readersOf } from "#tests/support/site/film-processes.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/**
 * Faults while a film plays: killed processes, films that are replaced, cut or removed, disks that hang or are full.
 * Viewers get whole parts of the film that the address names, or an error in words, and the film plays again afterwards.
 */

// Each test waits for several of the site's time limits, which take longer on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

const folder = temporaryFolder("faults");
const films = join(folder, "films");
mkdirSync(films);
const fileOf = (episode: number) => join(films, `Bleach - ${episode}.mkv`);

const long = { size: "640x360", filter: "noise=alls=5:allf=t", times: 2 };
const plain: MadeFilm = { ...matroskaFilms["H.264 and AAC"], ...long };
const first = makeFilm(films, "Bleach - 1.mkv", plain);
/** Another picture, and other sizes. */
const other = makeFilm(folder, "other.mkv", { ...plain, filter: "noise=alls=4:allf=t,negate" });
const kept = join(folder, "kept.mkv");
copyFileSync(first, kept);
const episodes = {
  killed: 1,
  replaced: 2,
  cut: 3,
  other: 4,
  removed: 11,
  hanging: [5, 6, 7],
  converted: [8, 9, 10],
};
for (const episode of [episodes.replaced, episodes.cut, ...episodes.hanging])
  copyFileSync(first, fileOf(episode));
copyFileSync(other, fileOf(episodes.other));
/** Longer than a player buffers. */
makeFilm(films, "Bleach - 11.mkv", { ...plain, times: 10 });
const framesPerFilm = 60 * 24;
const deep = makeFilm(folder, "deep.mkv", { ...matroskaFilms["HEVC of 10 bits and AAC"], times: 2 });
for (const episode of episodes.converted) copyFileSync(deep, fileOf(episode));

const pipe = join(folder, "pipe");
const preloaded = `--import=${join(process.cwd(), "tests/fixtures/hanging-folder.mjs")}`;
// With little memory, few segments stay in memory, so most are cut again for each request.
const settings = { MEDIA_DIR: films, MEMORY: "1536", CONVERSIONS: "1", RATE_LIMIT_POINTS: "100000" };
const [browser, site, hanging] = await Promise.all([
  openBrowser(),
  startSite(settings, { isQuiet: true }),
  startSite({ ...settings, NODE_OPTIONS: preloaded, HANGING_PIPE: pipe }, { isQuiet: true }),
]);
process.env.MEDIA_DIR = films;
for (const one of [site, hanging]) runTool(one, "sources", ["scan", films]);
const viewer = filmViewer(site.origin);

type Parts = ReadonlyMap<string, Buffer>;
const malId = 269;

async function folderOf(episode: number, from = viewer): Promise<string> {
  const found = await from.findFolder(malId, episode);
  expect(found).not.toBeNull();
  return found ?? "";
}

async function readAll(at: string, from = viewer): Promise<Parts> {
  const names = [...(await from.listParts(at, "v")), ...(await from.listParts(at, "a2"))];
  const parts = new Map<string, Buffer>();
  for (const name of names) parts.set(name, await from.read(at + name));
  return parts;
}

/** The segments of the film, and those of the other film. */
let [reference, otherReference]: Parts[] = [];
const partOf = (parts: Parts | undefined, name: string) => parts?.get(name) ?? Buffer.alloc(0);

beforeAll(async () => {
  reference = await readAll(await folderOf(episodes.killed));
  otherReference = await readAll(await folderOf(episodes.other));
  const segments = [...reference].filter(([name]) => /^v-.*m4s/.test(name));
  expect(segments.reduce((sum, [, bytes]) => sum + samplesOf(bytes), 0)).toBe(framesPerFilm);
  for (const [name, bytes] of segments) expect(bytes.equals(partOf(otherReference, name))).toBe(false);
});

const isSame = (parts: Parts) =>
  expect([...parts].filter(([name, bytes]) => !bytes.equals(partOf(reference, name)))).toEqual([]);

function signal(pids: readonly number[], name: NodeJS.Signals) {
  for (const pid of pids)
    try {
      process.kill(pid, name);
    } catch {
      // It has ended by itself.
    }
}

describe("a process that reads a film", () => {
  test("is killed in mid-segment: viewers get words or the whole segment, and then the next one", async () => {
    const at = await folderOf(episodes.killed);
    const names = [...(reference?.keys() ?? [])].filter((name) => name.endsWith(".m4s"));
    const words = "This part of the film cannot be read";
    const statuses = new Set<number>();
    for (let round = 0; round < 30; round++) {
      const name = names[(round * 7) % names.length] ?? "";
      // The segment cannot be ready before the process is killed, at least in the first rounds.
      if (round < 4) signal(readersOf(site), "SIGSTOP");
      const asked = viewer.ask(at + name);
      // Each round kills the process at a different moment of its work. Each answer is right.
      await pause(round < 4 ? 100 : 3 * round - 12);
      signal(readersOf(site), "SIGKILL");
      // The next process gets the same job, and every second one is killed too.
      const killing = setInterval(() => round % 2 === 0 && signal(readersOf(site), "SIGKILL"), 5);
      const answer = await asked;
      clearInterval(killing);
      statuses.add(answer.status);
      if (answer.status === 200) expect(answer.bytes.equals(partOf(reference, name))).toBe(true);
      else expect([answer.status, wordsOf(answer)]).toEqual([500, words]);
    }
    expect([...statuses].sort()).toEqual([200, 500]);
    isSame(await readAll(at));
  });

  test("hangs with its disk: it is ended, and the site keeps answering", async () => {
    const at = await folderOf(episodes.killed);
    signal(readersOf(site), "SIGSTOP");
    const asked = Promise.all(
      ["v-1.m4s", "v-3.m4s", "v-5.m4s", "v-7.m4s"].map((name) => viewer.ask(at + name)),
    );
    expect((await viewer.ask("/")).status).toBe(200);
    const answers = await asked;
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused)
      expect([answer.status, wordsOf(answer)]).toEqual([
        503,
        "Too many parts of films are being read. Try again shortly.",
      ]);
    isSame(await readAll(at));
  });
});

test("a converting process is killed in mid-segment, and the next one converts every segment whole", async () => {
  const at = await folderOf(episodes.converted[0] ?? 0);
  const [, ...names] = await viewer.listParts(at, "h");
  const failed = new Set<string>();
  let kills = 0;
  for (const name of names) {
    if (kills >= 3 && failed.size > 0) break;
    let isAnswered = false;
    const asked = viewer.ask(at + name).finally(() => {
      isAnswered = true;
    });
    // A converter that was killed late has made some of the next segments.
    const isConverted = () => convertersOf(site).length > 0;
    await expect.poll(() => isAnswered || isConverted(), { ...patient, interval: 5 }).toBe(true);
    if (isConverted()) kills++;
    signal(convertersOf(site), "SIGKILL");
    const answer = await asked;
    if (answer.status === 200) samplesOf(answer.bytes);
    else failed.add(`${answer.status} ${wordsOf(answer)}`);
  }
  expect([...failed]).toEqual(["500 This part of the film cannot be converted"]);
  let frames = 0;
  for (const name of names) frames += samplesOf(await viewer.readPatiently(at + name));
  expect(frames).toBe(framesPerFilm);
});

describe("the file of a film that plays", () => {
  const changed = /^No such film, or its file has changed\. Load the page again\.$/;

  /** Segments in memory are still served for a moment, each as a whole. */
  const isGone = (at: string) =>
    expect
      .poll(async () => {
        const answers = await Promise.all(
          ["v-0.m4s", "v-8.m4s", "main.m3u8"].map((name) => viewer.ask(at + name)),
        );
        return answers.map((answer) => (answer.status === 404 ? wordsOf(answer) : answer.status));
      }, patient)
      .toEqual(Array(3).fill(expect.stringMatching(changed)));

  /** The site compares modification times to the millisecond. */
  const setTime = (file: string, { mtimeMs }: { mtimeMs: number }) =>
    utimesSync(file, new Date(), (Math.trunc(mtimeMs) + 0.5) / 1000);

  /** Asks for the segments one after the other until `finish` is called. */
  function keepAsking(at: string) {
    const counts = new Map<number, number>();
    let isOver = false;
    let answers = 0;
    const asking = (async () => {
      const names = [...(reference ?? [])].filter(([name]) => name.endsWith(".m4s"));
      for (let round = 0; !isOver; round++) {
        const [name, whole] = names[(round * 5) % names.length] ?? ["", Buffer.alloc(0)];
        const answer = await viewer.ask(at + name);
        counts.set(answer.status, 1 + (counts.get(answer.status) ?? 0));
        if (answer.status === 200) expect(answer.bytes.equals(whole), name).toBe(true);
        else expect(wordsOf(answer)).toMatch(changed);
        answers++;
      }
    })();
    /** Waits for one more answer. */
    const nextAnswer = async () => {
      const wanted = answers + 1;
      await Promise.race([until(() => answers >= wanted), asking]);
    };
    const finish = async () => {
      isOver = true;
      await asking;
      return counts;
    };
    return { nextAnswer, finish };
  }

  test("is overwritten: its address gives the old film or none, and never both in one segment", async () => {
    const file = fileOf(episodes.replaced);
    const before = statSync(file);
    const at = await folderOf(episodes.replaced);
    const { nextAnswer, finish } = keepAsking(at);
    await nextAnswer();
    const bytes = readFileSync(other);
    const descriptor = openSync(file, "r+");
    const step = Math.ceil(bytes.length / 20);
    for (let from = 0; from < bytes.length; from += step) {
      writeSync(descriptor, bytes, from, Math.min(step, bytes.length - from), from);
      await nextAnswer();
    }
    closeSync(descriptor);
    truncateSync(file, bytes.length);
    const counts = await finish();
    expect(counts.get(200)).toBeGreaterThan(0);
    await isGone(at);
    const now = await folderOf(episodes.replaced);
    expect(now).not.toBe(at);
    expect(await readAll(now)).toEqual(otherReference);

    // Another file under the same name, at once.
    const again = keepAsking(at);
    await again.nextAnswer();
    copyFileSync(kept, join(folder, "next.mkv"));
    setTime(join(folder, "next.mkv"), before);
    renameSync(join(folder, "next.mkv"), file);
    await expect.poll(() => folderOf(episodes.replaced), patient).toBe(at);
    await again.finish();
    isSame(await readAll(at));
    await expect.poll(async () => (await viewer.ask(`${now}main.m3u8`)).status, patient).toBe(404);
  });

  test("is cut off: the rest plays under another address, and the whole film once it is back", async () => {
    const file = fileOf(episodes.cut);
    const before = statSync(file);
    const at = await folderOf(episodes.cut);
    await viewer.read(`${at}v-0.m4s`);
    truncateSync(file, Math.floor(0.6 * before.size));
    await isGone(at);
    await expect.poll(async () => (await viewer.findFolder(malId, episodes.cut)) ?? at, patient).not.toBe(at);
    const left = await readAll(await folderOf(episodes.cut));
    for (const name of ["v-0.m4s", "v-3.m4s", "a2-1.m4s"])
      expect(partOf(left, name).equals(partOf(reference, name)), name).toBe(true);
    copyFileSync(kept, file);
    setTime(file, before);
    await expect.poll(() => folderOf(episodes.cut), patient).toBe(at);
    isSame(await readAll(at));
  });

  test("is removed: the player says so, and continues when the file is back", async () => {
    const file = fileOf(episodes.removed);
    const page = await browser.newPage({ hasTouch: true });
    onTestFinished(() => page.close());
    const device = await chromiumDevice(page, site.origin);
    await device.open(`/watch/${malId}/${episodes.removed}`);
    await playsAndSeeks(device, []);
    renameSync(file, join(folder, "away.mkv"));
    await device.run(() => {
      (document.querySelector("video") as HTMLVideoElement).currentTime = 290;
    });
    const note = page.getByRole("alert").filter({ hasText: "This episode does not play" });
    await note.getByText("This source no longer has the video.").waitFor({ timeout: 200_000 });
    expect((await viewer.ask(`/watch/${malId}/${episodes.removed}`)).status).toBe(200);
    renameSync(join(folder, "away.mkv"), file);
    await note.getByRole("button", { name: "Try again" }).click();
    await playsAndSeeks(device, [200]);
  });
});

test("a folder that hangs is reported in words and left alone, and plays again when it answers", async () => {
  const watcher = filmViewer(hanging.origin);
  const places = await Promise.all(episodes.hanging.map((episode) => folderOf(episode, watcher)));
  execFileSync("mkfifo", [pipe]);
  const text = "The media folder does not answer. Try again in a minute.";
  const late = await Promise.all(places.map((at) => watcher.ask(`${at}main.m3u8`)));
  const soon = await watcher.ask(`${places[0]}main.m3u8`);
  expect([...late, soon].map((answer) => [answer.status, wordsOf(answer)])).toEqual(
    Array(4).fill([503, text]),
  );
  expect((await watcher.ask("/")).status).toBe(200);
  // The hanging reads continue when the other end of the pipe is opened.
  const end = openSync(pipe, "w");
  rmSync(pipe);
  closeSync(end);
  await expect.poll(async () => (await watcher.ask(`${places[0]}main.m3u8`)).status, patient).toBe(200);
  isSame(await readAll(places[0] ?? "", watcher));
});

test("with a full disk of conversions, all segments are whole and none is left half written; with room, more are stored", async () => {
  const cache = join(site.dataDir, "film-cache");
  mkdirSync(cache, { recursive: true });
  const mount = (...options: string[]) => {
    const { status, stderr } = spawnSync("mount", [...options, cache]);
    expect(status, String(stderr)).toBe(0);
  };
  mount("-t", "tmpfs", "-o", "size=16k", "tmpfs");
  atEnd(() => spawnSync("umount", ["-l", cache]));
  const convert = async (episode = 0) => {
    const at = await folderOf(episode);
    const [, ...names] = await viewer.listParts(at, "h");
    let frames = 0;
    for (const name of names) frames += samplesOf(await viewer.readPatiently(at + name));
    expect(frames).toBe(framesPerFilm);
    return names.length;
  };
  const stored = () =>
    readdirSync(cache, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const count = await convert(episodes.converted[1]);
  expect(stored().length).toBeLessThan(count);
  // A file that is being written has a dot in its name.
  expect(stored().filter(({ name }) => name.includes("."))).toEqual([]);
  mount("-o", "remount,size=64m");
  expect(await convert(episodes.converted[2])).toBe(count);
  await expect.poll(() => stored().length, patient).toBeGreaterThanOrEqual(count);
});
