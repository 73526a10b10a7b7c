import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Device, seek } from "#tests/support/browser/device.ts";
import {
  allBars,
  type Box,
  differenceOf,
  measureFrame,
  measureTone,
  measureWay,
  screenOfFilm,
} from "#tests/support/browser/measured-film.ts";
import { type BrowserName, openPages } from "#tests/support/browser/open-pages.ts";
import { filmIsReady, playFilm } from "#tests/support/browser/watched-film.ts";
import { makeFilm, pitchAt } from "#tests/support/data/made-films.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { addSource, runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";
import { type FilmRow, filmTable } from "#tests/support/watching/film-table.ts";

/**
 * Plays films of the table in a browser. For each film, compares the picture by its bars and its time code, the sound by its
 * tone, subtitles by their place, and the end by the event that the player gets after a seek; or the words with which the
 * player refuses it.
 */

type NamedRow = [name: string, row: FilmRow];

const bleach = 269;

export function watchFilms(browser: BrowserName, isWanted: (row: FilmRow) => boolean) {
  const rows = Object.entries(filmTable).filter(([, row]) => isWanted(row));
  for (const isWithout of [false, true]) {
    const some = rows.filter(([, row]) => (row.isWithoutFfmpeg ?? false) === isWithout);
    if (some.length === 0) continue;
    describe(isWithout ? "a site without ffmpeg" : "a site with ffmpeg", async () => {
      const open = await startWith(browser, some, isWithout ? { FFMPEG: "off" } : { CONVERSIONS: "4" });
      test.each(some)("%s", async (name, row) => {
        const device = await open(name);
        const result = resultIn(browser, row);
        if (result instanceof RegExp) await isRefused(device, result);
        else await isWatched(device, row, { browser, result });
      });
    });
  }
}

const resultIn = (browser: BrowserName, { result }: FilmRow) =>
  typeof result === "string" || result instanceof RegExp ? result : result[browser];

/** Starts a site with these films. The returned function opens the page of one of them. */
async function startWith(
  browser: BrowserName,
  rows: readonly NamedRow[],
  settings: Record<string, string>,
): Promise<(name: string) => Promise<Device>> {
  const films = join(temporaryFolder("films"), "films");
  mkdirSync(films);
  const pages = new Map<string, string>();
  const files = rows.map(([name, { film, finish, named }], index) => {
    const episode = index + 1;
    const stem = named?.stem ?? `Bleach - ${episode}`;
    pages.set(name, named?.page ?? `/watch/${bleach}/${episode}`);
    const file = makeFilm(films, `${stem}.${film.extension ?? "mkv"}`, { ...film, content: "bars" });
    finish?.(file);
    return { episode, url: `media:${file.slice(films.length + 1)}` };
  });
  const [openPage, site] = await Promise.all([
    openPages(browser),
    startSite({ MEDIA_DIR: films, RATE_LIMIT_POINTS: "100000", ...settings }),
  ]);
  runTool(site, "sources", ["scan", films]);
  // A scan passes over files in which nothing can be read, but a file can break later.
  for (const [index, [, row]] of rows.entries()) {
    const { episode = 0, url = "" } = files[index] ?? {};
    if (row.result instanceof RegExp && /^The file of this video/.test(row.result.source))
      addSource(site, { title: bleach, episode, url, type: "file", label: "The file" });
  }
  return async (name) => {
    const { device, close } = await openPage(site.origin);
    onTestFinished(close);
    await device.resize(1280, 900);
    await device.open(pages.get(name) ?? "");
    return device;
  };
}

const pause = (device: Device) =>
  device.run(() => (document.querySelector("video") as HTMLVideoElement).pause());
type Expected = { browser: BrowserName; result: "plays" | "converted" };

async function isWatched(device: Device, row: FilmRow, expected: Expected) {
  const seconds = (row.film.seconds ?? 30) * (row.film.times ?? 1);
  const { seeks = seconds > 12 ? [14, 24] : [8] } = row;
  await filmIsReady(device);
  await playFilm(device);
  await isSeenAndHeard(device, row, expected);
  for (const second of seeks) {
    await seek(device, second);
    await isSeenAndHeard(device, row, { ...expected, from: second });
  }
  expect(await measureWay(device)).toMatch(
    expected.result === "plays" ? /^(?:packaged|as it is)$/ : /^converted/,
  );
  const { size } = await measureFrame(device);
  if (row.size !== undefined) expect(size).toBe(row.size);
  for (const [label, sound] of Object.entries(row.sounds ?? {})) {
    await chooseSetting(device, "Sound track", label);
    await seek(device, 6);
    await playFilm(device);
    await isSeenAndHeard(device, row, { ...expected, sound, from: 6 });
  }
  for (const subtitle of row.subtitles ?? []) await isDrawn(device, subtitle, row);
  await endsAfterSeek(device, row);
}

type Film = Omit<FilmRow, "result">;

/**
 * Waits until the film plays, shows the picture of its time and lets hear the tone of its time. With `from`, a film that
 * ends meanwhile plays again from that second, because measuring can take seconds.
 */
export async function isSeenAndHeard(
  device: Device,
  row: Film,
  { from, ...options }: Expected & { sound?: number; from?: number },
) {
  let last = -1;
  await expect
    .poll(async () => {
      if (from !== undefined) await playAgainIfEnded(device, from);
      const frame = await measureFrame(device);
      const faults = [
        ...faultsOfPicture(frame, row, options),
        ...(await faultsOfSound(device, row, options)),
      ];
      if (frame.frames <= last || last < 0) faults.push(`${frame.frames} frames, as before`);
      last = frame.frames;
      return faults;
    })
    .toEqual([]);
}

const playAgainIfEnded = (device: Device, from: number) =>
  device.run(async (second: number) => {
    const video = document.querySelector("video") as HTMLVideoElement;
    if (!video.ended) return;
    video.currentTime = second;
    await video.play();
  }, from);

const asItIs = (seconds: number) => seconds;
/** The second of the time code that the picture shows at a second of the film. */
const codeAt = ({ inFile = asItIs, pictureAt = 0 }: Film, seconds: number) =>
  Math.max(0, inFile(seconds) - pictureAt);
const isNear = (one: number, other: number, most: number) => Math.abs(one - other) <= most;

function faultsOfPicture(
  frame: Awaited<ReturnType<typeof measureFrame>>,
  row: Film,
  { result }: Expected,
): string[] {
  const {
    film,
    loopSeconds = film.seconds ?? 30,
    pictureEnd = Number.POSITIVE_INFINITY,
    grey,
    hasFields,
  } = row;
  if (frame.seconds > pictureEnd) return [];
  const shown = codeAt(row, frame.seconds) % loopSeconds;
  const { bars, code, band, combed } = frame;
  return [
    bars === allBars ? "" : `at ${frame.seconds} the bars are ${bars}`,
    code !== null && isNear(code, shown, 1) ? "" : `at ${frame.seconds} the time code is ${code}`,
    // The browser itself treats colours and fields of what is not converted.
    result !== "converted" || grey === undefined || band.every((one) => isNear(one, grey, 8))
      ? ""
      : `the grey is ${band}`,
    result === "converted" && hasFields && combed > 0.02 ? `${combed} of the lines are combed` : "",
  ].filter(Boolean);
}

async function faultsOfSound(
  device: Device,
  {
    film,
    inFile = asItIs,
    firstSound = 0,
    loopSeconds = film.soundSeconds ?? film.seconds ?? 30,
    soundEnd = Number.POSITIVE_INFINITY,
  }: Film,
  { sound = firstSound }: { sound?: number },
): Promise<string[]> {
  if (film.sounds.length === 0) return [];
  const heard = await measureTone(device);
  const { soundAt = 0 } = film;
  if (!heard) {
    const now = await device.run(() => document.querySelector("video")?.currentTime ?? 0);
    return now < soundAt + 1 || now > soundEnd ? [] : ["nothing is heard"];
  }
  const { seconds, hertz } = heard;
  const heardAt = inFile(seconds) % loopSeconds;
  const near = [heardAt - 1, heardAt, heardAt + 1].map((second) => pitchAt(sound, Math.max(0, second)));
  return near.some((pitch) => isNear(pitch, hertz, 12))
    ? []
    : [`at ${seconds} the tone is ${hertz}, not ${near[1]}`];
}

async function isRefused(device: Device, text: RegExp) {
  const said = () => device.run(() => document.querySelector(".player-note")?.textContent ?? "");
  await expect.poll(said).toMatch(text);
}

/** Checks that the film ends after a seek to its last seconds, at the time at which it must end. */
async function endsAfterSeek(device: Device, { end }: FilmRow) {
  await playFilm(device);
  await device.run(() => {
    const video = document.querySelector("video") as HTMLVideoElement;
    video.currentTime = video.duration - 2;
  });
  const state = () =>
    device.run(() => {
      const { ended, currentTime, duration } = document.querySelector("video") as HTMLVideoElement;
      return { ended, currentTime, duration, text: document.querySelector(".player")?.textContent };
    });
  await expect.poll(state).toMatchObject({ ended: true });
  if (end !== undefined)
    expect((await state()).duration).toSatisfy((seconds: number) => isNear(seconds, end, 0.5));
}

/** Chooses an option of a menu in the player's settings, as a viewer does. */
export const chooseSetting = (device: Device, menu: string, label: string) =>
  expect
    .poll(() =>
      device.run(
        ({ name, wanted }: { name: string; wanted: string }) => {
          const settings = document.querySelector<HTMLButtonElement>("[aria-label=Settings]");
          if (settings?.getAttribute("aria-expanded") !== "true") {
            settings?.click();
            return "the settings open";
          }
          const selects = [...document.querySelectorAll<HTMLSelectElement>(".player-settings select")];
          const select = selects.find(({ labels }) => labels[0]?.textContent === name);
          const option = [...(select?.options ?? [])].find(({ text }) => text.startsWith(wanted));
          if (!select || !option) return `only ${[...(select?.options ?? [])].map(({ text }) => text)}`;
          Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, "value")?.set?.call(
            select,
            option.value,
          );
          select.dispatchEvent(new Event("change", { bubbles: true }));
          settings.click();
          return "";
        },
        { name: menu, wanted: label },
      ),
    )
    .toBe("");

/** Checks that the chosen subtitles change the picture in their place and time, and nowhere else. */
async function isDrawn(
  device: Device,
  { label, at, notAt, within }: NonNullable<FilmRow["subtitles"]>[number],
  row: Film,
) {
  await pause(device);
  await chooseSetting(device, "Captions", "Off");
  const pictureAt = async (seconds: number) => {
    await seek(device, seconds);
    // Firefox can show a picture after it said that the seek is over.
    await expect
      .poll(async () => (await measureFrame(device)).code)
      .toSatisfy((code) => isNear(code, codeAt(row, seconds), 0.5));
    return screenOfFilm(device);
  };
  const [without, before] = [await pictureAt(at), await pictureAt(notAt)];
  await chooseSetting(device, "Captions", label);
  const drawn = async (than: typeof without) => differenceOf(await screenOfFilm(device), than);
  await expect.poll(() => drawn(before)).toBe(null);
  await seek(device, at);
  await expect
    .poll(() => drawn(without))
    .toSatisfy((box: Box | null) => box !== null && isInside(box, within));
}

const isInside = (one: Box, within: Box) =>
  one.left >= within.left &&
  one.right <= within.right &&
  one.top >= within.top &&
  one.bottom <= within.bottom;
