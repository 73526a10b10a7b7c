import { execFileSync } from "node:child_process";
import {
  closeSync,
  copyFileSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { chromiumDevice } from "#tests/support/browser/chromium-device.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { playsAndSeeks } from "#tests/support/browser/watched-film.ts";
import { until } from "#tests/support/checks/wait-until.ts";
import { makeFilm } from "#tests/support/data/made-films.ts";
import { wordsOf } from "#tests/support/requests/film-viewer.ts";
import { readersOf } from "#tests/support/site/memory.ts";
import {
  changedWords,
  filmAddress,
  isGone,
  makePlainFilms,
  malId,
  partOf,
  plainFilm,
  readBefore,
  readParts,
  setTime,
  signalAll,
  startFaultySite,
} from "#tests/support/watching/film-faults.ts";

/** The faults of films that take longest. tests/players has others at each change. */

// Each test waits for several of the site's time limits, which take longer on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

const episodes = { killed: 1, replaced: 2, other: 3, removed: 4, hanging: [5, 6, 7] };
const { folder, films, kept, fileOf } = makePlainFilms([
  episodes.killed,
  episodes.replaced,
  ...episodes.hanging,
]);
/** Another picture, and other sizes. */
const other = makeFilm(folder, "other.mkv", { ...plainFilm, filter: "noise=alls=4:allf=t,negate" });
copyFileSync(other, fileOf(episodes.other));
/** Longer than a player buffers. */
makeFilm(films, `Bleach - ${episodes.removed}.mkv`, { ...plainFilm, times: 10 });

const pipe = join(folder, "pipe");
const preloaded = `--import=${join(process.cwd(), "tests/fixtures/hanging-folder.mjs")}`;
const browser = await openBrowser();
const { site, viewer } = await startFaultySite(films);
const { site: watched, viewer: watcher } = await startFaultySite(films, {
  NODE_OPTIONS: preloaded,
  HANGING_PIPE: pipe,
});
const { reference, isSame } = await readBefore(episodes.killed, viewer);
const otherReference = await readParts(await filmAddress(episodes.other, viewer), viewer);

test("the other film differs in every segment", () => {
  for (const [name, bytes] of reference)
    if (/^v-.*m4s/.test(name)) expect(bytes.equals(partOf(otherReference, name)), name).toBe(false);
});

describe("a process that reads a film", () => {
  test("is killed in mid-segment: viewers get words or the whole segment, and then the next one", async () => {
    const at = await filmAddress(episodes.killed, viewer);
    const names = [...reference.keys()].filter((name) => name.endsWith(".m4s"));
    const words = "This part of the film cannot be read";
    const statuses = new Set<number>();
    for (let round = 0; round < 30; round++) {
      const name = names[(round * 7) % names.length] ?? "";
      // The segment cannot be ready before the process is killed, at least in the first rounds.
      if (round < 4) signalAll(readersOf(site), "SIGSTOP");
      const asked = viewer.ask(at + name);
      // Each round kills the process at a different moment of its work. Each answer is right.
      await pause(round < 4 ? 100 : 3 * round - 12);
      signalAll(readersOf(site), "SIGKILL");
      // The next process gets the same job, and every second one is killed too.
      const killing = setInterval(() => round % 2 === 0 && signalAll(readersOf(site), "SIGKILL"), 5);
      const answer = await asked;
      clearInterval(killing);
      statuses.add(answer.status);
      if (answer.status === 200) expect(answer.bytes.equals(partOf(reference, name))).toBe(true);
      else expect([answer.status, wordsOf(answer)]).toEqual([500, words]);
    }
    expect([...statuses].sort()).toEqual([200, 500]);
    isSame(await readParts(at, viewer));
  });

  test("hangs with its disk: it is ended, and the site keeps answering", async () => {
    const at = await filmAddress(episodes.killed, viewer);
    signalAll(readersOf(site), "SIGSTOP");
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
    isSame(await readParts(at, viewer));
  });
});

describe("the file of a film that plays", () => {
  /** Asks for the segments one after the other until `finish` is called. */
  function keepAsking(at: string) {
    const counts = new Map<number, number>();
    let isOver = false;
    let answers = 0;
    const asking = (async () => {
      const names = [...reference].filter(([name]) => name.endsWith(".m4s"));
      for (let round = 0; !isOver; round++) {
        const [name, whole] = names[(round * 5) % names.length] ?? ["", Buffer.alloc(0)];
        const answer = await viewer.ask(at + name);
        counts.set(answer.status, 1 + (counts.get(answer.status) ?? 0));
        if (answer.status === 200) expect(answer.bytes.equals(whole), name).toBe(true);
        else expect(wordsOf(answer)).toMatch(changedWords);
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
    const at = await filmAddress(episodes.replaced, viewer);
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
    await isGone(at, viewer);
    const now = await filmAddress(episodes.replaced, viewer);
    expect(now).not.toBe(at);
    expect(await readParts(now, viewer)).toEqual(otherReference);

    // Another file under the same name, at once.
    const again = keepAsking(at);
    await again.nextAnswer();
    copyFileSync(kept, join(folder, "next.mkv"));
    setTime(join(folder, "next.mkv"), before);
    renameSync(join(folder, "next.mkv"), file);
    await expect.poll(() => filmAddress(episodes.replaced, viewer)).toBe(at);
    await again.finish();
    isSame(await readParts(at, viewer));
    await expect.poll(async () => (await viewer.ask(`${now}main.m3u8`)).status).toBe(404);
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
  const places = await Promise.all(episodes.hanging.map((episode) => filmAddress(episode, watcher)));
  execFileSync("mkfifo", [pipe]);
  const text = "The media folder does not answer. Try again in a minute.";
  // More than the process has threads.
  const late = await Promise.all(
    [...places, ...places, ...places].map((at) => watcher.ask(`${at}main.m3u8`)),
  );
  const soon = await watcher.ask(`${places[0]}main.m3u8`);
  expect([...late, soon].map((answer) => [answer.status, wordsOf(answer)])).toEqual(
    Array(late.length + 1).fill([503, text]),
  );
  // Compressing an answer takes a thread.
  const listing = `${watched.origin}/api/animes/full?limit_count=99`;
  const compressed = await fetch(listing, { headers: { "Accept-Encoding": "br" } });
  expect([compressed.status, compressed.headers.get("Content-Encoding")]).toEqual([200, "br"]);
  // The hanging reads continue when the other end of the pipe is opened.
  const end = openSync(pipe, "w");
  rmSync(pipe);
  closeSync(end);
  await expect.poll(async () => (await watcher.ask(`${places[0]}main.m3u8`)).status).toBe(200);
  isSame(await readParts(places[0] ?? "", watcher));
});
