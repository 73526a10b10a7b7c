import { copyFileSync, mkdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type MadeFilm, makeFilm } from "#tests/support/data/made-films.ts";
import { samplesOf } from "#tests/support/data/segment-samples.ts";
import { matroskaFilms } from "#tests/support/data/various-films.ts";
import { filmViewer, type Viewer, wordsOf } from "#tests/support/requests/film-viewer.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/**
 * A folder of films and a site that offers them, for faults while a film plays: killed processes, films that are replaced, cut
 * or removed, disks that hang or are full. Viewers get whole parts of the film that the address names, or an error in words,
 * and the film plays again afterwards. tests/release has the faults that take longest, tests/players the others.
 */

export const malId = 269;

/** The film with which every folder begins. */
export const plainFilm: MadeFilm = {
  ...matroskaFilms["H.264 and AAC"],
  size: "640x360",
  filter: "noise=alls=5:allf=t",
  times: 2,
};
export const framesPerFilm = 60 * 24;

// With little memory, few segments stay in memory, so most are cut again for each request.
const settings = { MEMORY: "1536", CONVERSIONS: "1", RATE_LIMIT_POINTS: "100000" };

type FilmParts = ReadonlyMap<string, Buffer>;

export const partOf = (parts: FilmParts, name: string) => parts.get(name) ?? Buffer.alloc(0);

export async function readParts(at: string, from: Viewer): Promise<FilmParts> {
  const names = [...(await from.listParts(at, "v")), ...(await from.listParts(at, "a2"))];
  const parts = new Map<string, Buffer>();
  for (const name of names) parts.set(name, await from.read(at + name));
  return parts;
}

export async function filmAddress(episode: number, from: Viewer): Promise<string> {
  const found = await from.findFolder(malId, episode);
  expect(found).not.toBeNull();
  return found ?? "";
}

export function signalAll(pids: readonly number[], name: NodeJS.Signals) {
  for (const pid of pids)
    try {
      process.kill(pid, name);
    } catch {
      // It has ended by itself.
    }
}

/** The site compares modification times to the millisecond. */
export const setTime = (file: string, { mtimeMs }: { mtimeMs: number }) =>
  utimesSync(file, new Date(), (Math.trunc(mtimeMs) + 0.5) / 1000);

/** The answer at the address of a film whose file has changed. */
export const changedWords = /^No such film, or its file has changed\. Load the page again\.$/;

/** `folder` is for files of the test. `kept` is a copy of the film that stays as it is. */
export function makePlainFilms(episodes: readonly number[]) {
  const folder = temporaryFolder("faults");
  const films = join(folder, "films");
  mkdirSync(films);
  const kept = makeFilm(folder, "kept.mkv", plainFilm);
  const fileOf = (episode: number) => join(films, `Bleach - ${episode}.mkv`);
  for (const episode of episodes) copyFileSync(kept, fileOf(episode));
  return { folder, films, kept, fileOf };
}

export async function startFaultySite(films: string, more: Record<string, string> = {}) {
  const site = await startSite({ ...settings, ...more, MEDIA_DIR: films }, { isQuiet: true });
  runTool(site, "sources", ["scan", films]);
  return { site, viewer: filmViewer(site.origin) };
}

/** Reads an episode with the plain film before its faults. The returned functions compare with that. */
export async function readBefore(episode: number, viewer: Viewer) {
  const reference = await readParts(await filmAddress(episode, viewer), viewer);
  const segments = [...reference].filter(([name]) => /^v-.*m4s/.test(name));
  expect(segments.reduce((sum, [, bytes]) => sum + samplesOf(bytes), 0)).toBe(framesPerFilm);
  const isSame = (parts: FilmParts) =>
    expect([...parts].filter(([name, bytes]) => !bytes.equals(partOf(reference, name)))).toEqual([]);
  return { reference, isSame };
}

/** Segments in memory are still served for a moment, each as a whole. */
export const isGone = (at: string, viewer: Viewer) =>
  expect
    .poll(async () => {
      const answers = await Promise.all(
        ["v-0.m4s", "v-8.m4s", "main.m3u8"].map((name) => viewer.ask(at + name)),
      );
      return answers.map((answer) => (answer.status === 404 ? wordsOf(answer) : answer.status));
    })
    .toEqual(Array(3).fill(expect.stringMatching(changedWords)));
