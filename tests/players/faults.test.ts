import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { makeFilm } from "#tests/support/data/made-films.ts";
import { samplesOf } from "#tests/support/data/segment-samples.ts";
import { matroskaFilms } from "#tests/support/data/various-films.ts";
import { wordsOf } from "#tests/support/requests/film-viewer.ts";
import { atEnd } from "#tests/support/setup/at-end.ts";
import { convertersOf } from "#tests/support/site/memory.ts";
import {
  filmAddress,
  framesPerFilm,
  isGone,
  makePlainFilms,
  malId,
  partOf,
  readBefore,
  readParts,
  setTime,
  signalAll,
  startFaultySite,
} from "#tests/support/watching/film-faults.ts";

/** A converter that is killed, a film that is cut off, and a full disk. tests/release has the faults that take longest. */

// Each test waits for several of the site's time limits, which take longer on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

const episodes = { cut: 1, converted: [2, 3, 4] };
const { folder, films, kept, fileOf } = makePlainFilms([episodes.cut]);
const deep = makeFilm(folder, "deep.mkv", { ...matroskaFilms["HEVC of 10 bits and AAC"], times: 2 });
for (const episode of episodes.converted) copyFileSync(deep, fileOf(episode));
const { site, viewer } = await startFaultySite(films);
const { reference, isSame } = await readBefore(episodes.cut, viewer);

test("a converting process is killed in mid-segment, and the next one converts every segment whole", async () => {
  const at = await filmAddress(episodes.converted[0] ?? 0, viewer);
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
    await expect.poll(() => isAnswered || isConverted(), { interval: 5 }).toBe(true);
    if (isConverted()) kills++;
    signalAll(convertersOf(site), "SIGKILL");
    const answer = await asked;
    if (answer.status === 200) samplesOf(answer.bytes);
    else failed.add(`${answer.status} ${wordsOf(answer)}`);
  }
  expect([...failed]).toEqual(["500 This part of the film cannot be converted"]);
  let frames = 0;
  for (const name of names) frames += samplesOf(await viewer.readPatiently(at + name));
  expect(frames).toBe(framesPerFilm);
});

test("the file of a film that plays is cut off: the rest plays under another address, and the whole film once it is back", async () => {
  const file = fileOf(episodes.cut);
  const before = statSync(file);
  const at = await filmAddress(episodes.cut, viewer);
  await viewer.read(`${at}v-0.m4s`);
  truncateSync(file, Math.floor(0.6 * before.size));
  await isGone(at, viewer);
  await expect.poll(async () => (await viewer.findFolder(malId, episodes.cut)) ?? at).not.toBe(at);
  const left = await readParts(await filmAddress(episodes.cut, viewer), viewer);
  for (const name of ["v-0.m4s", "v-3.m4s", "a2-1.m4s"])
    expect(partOf(left, name).equals(partOf(reference, name)), name).toBe(true);
  copyFileSync(kept, file);
  setTime(file, before);
  await expect.poll(() => filmAddress(episodes.cut, viewer)).toBe(at);
  isSame(await readParts(at, viewer));
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
    const at = await filmAddress(episode, viewer);
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
  await expect.poll(() => stored().length).toBeGreaterThanOrEqual(count);
});
