import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type BrowserName, openPages } from "#tests/support/browser/open-pages.ts";
import { patient } from "#tests/support/browser/player.ts";
import { playsAndSeeks } from "#tests/support/browser/watched-film.ts";
import { type MadeFilm, makeFilm } from "#tests/support/data/made-films.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** An MP4 plays as it is where every browser decodes it. Otherwise it is packaged, and converted where a browser needs it. */

const films = join(temporaryFolder("films"), "films");
mkdirSync(films);
const h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-bf", "2"];
const hevc = ["-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=error:bframes=3"];

const opened = [...h264, "-x264-params", "open-gop=1:bframes=3:b-pyramid=normal:scenecut=0"];

const entries: Record<string, MadeFilm & { file: "mp4" | "mov" | "m4v" }> = {
  "H.264 and AAC": { file: "mp4", picture: h264, sounds: [{ codec: "aac" }] },
  "HEVC of 10 bits and AC-3": {
    ...{
      file: "mp4",
      picture: [...hevc, "-pix_fmt", "yuv420p10le"],
      sounds: [{ codec: "ac3", channels: 6 }],
    },
    other: ["-movflags", "+faststart"],
  },
  "H.264 of 10 bits and ALAC": {
    ...{ file: "mov", picture: [...h264, "-pix_fmt", "yuv420p10le"], sounds: [{ codec: "alac" }] },
  },
  "MPEG-4 ASP and E-AC-3, in fragments": {
    ...{ file: "mp4", picture: ["-c:v", "mpeg4", "-bf", "2"], sounds: [{ codec: "eac3" }] },
    other: ["-movflags", "frag_keyframe+delay_moov"],
  },
  "H.264 and MP3": { file: "mp4", picture: h264, sounds: [{ codec: "libmp3lame" }] },
  "H.264 with open groups, and AAC": { file: "mp4", picture: opened, sounds: [{ codec: "aac" }] },
  "H.264 with open groups, and two sounds": {
    ...{ file: "mp4", picture: opened, sounds: [{ codec: "aac" }, { codec: "aac", language: "jpn" }] },
  },
  "H.264 and PCM": { file: "mov", picture: h264, sounds: [{ codec: "pcm_s16le" }] },
};
const names = Object.keys(entries);
for (const [index, name] of names.entries()) {
  const { file, ...film } = entries[name] as (typeof entries)[string];
  makeFilm(films, `Cowboy Bebop - ${String(index + 1).padStart(2, "0")}.${file}`, film);
}

const textEpisode = names.length + 1;
copyFileSync(
  "tests/fixtures/films/text.mp4",
  join(films, `Cowboy Bebop - ${String(textEpisode).padStart(2, "0")}.mp4`),
);

// A conversion occupies its slot for 30 s after its viewer has left.
const site = await startSite({ MEDIA_DIR: films, CONVERSIONS: "4" });
process.env.MEDIA_DIR = films;
runTool(site, "sources", ["scan", films]);

export async function testMp4Films(browser: BrowserName) {
  const open = await openPages(browser);

  test.each(names)("%s plays, also after seeks", async (name) => {
    const { device, close } = await open(site.origin);
    onTestFinished(close);
    await device.open(`/watch/1/${names.indexOf(name) + 1}`);
    await playsAndSeeks(device, [15, 26]);
    const address = await device.run(() => document.querySelector("video")?.currentSrc ?? "");
    expect(address.includes("/film/")).toBe(["H.264 and AAC", "H.264 and MP3"].includes(name));
  });

  test("the subtitles inside an MP4 are offered and shown, and its chapters are on the seek bar", async () => {
    const { device, close } = await open(site.origin);
    onTestFinished(close);
    const path = `/watch/1/${textEpisode}`;
    await device.open(path);
    const tracks = () =>
      device.run(() => [...(document.querySelector("video")?.textTracks ?? [])].map(({ label }) => label));
    await expect.poll(tracks, patient).toEqual(["English", "German (signs and songs)"]);
    await device.press("c");
    const shown = () =>
      device.run(() => {
        const all = [...(document.querySelector("video")?.textTracks ?? [])];
        const cues = all.find(({ mode }) => mode === "showing")?.cues ?? [];
        return [...cues].map((cue) => (cue as VTTCue).text);
      });
    await expect.poll(shown, patient).toEqual(["Hello <i>there</i>\nsecond line", "Später — 雨", "No"]);
    const page = await (await fetch(site.origin + path)).text();
    for (const chapter of ["Avant", "Opening", "Part A — 雨"]) expect(page).toContain(chapter);
    expect(await device.run(() => document.querySelector("video")?.currentSrc ?? "")).toContain("/film/");
  });
}
