import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openPages } from "#tests/support/browser/both-browsers.ts";
import { patient } from "#tests/support/browser/player.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** The subtitles and chapters inside an MP4, which is played as it is. */

const films = temporaryFolder("films");
copyFileSync("tests/fixtures/films/text.mp4", join(films, "Cowboy Bebop - 01.mp4"));
const [open, site] = await Promise.all([openPages(), startSite({ MEDIA_DIR: films })]);
process.env.MEDIA_DIR = films;
runTool(site, "sources", ["scan", films]);

describe.each(["chromium", "firefox"] as const)("in %s", (browser) => {
  test("subtitles are offered and shown, and chapters are on the seek bar", async () => {
    const { device, close } = await open(browser, site.origin);
    onTestFinished(close);
    await device.open("/watch/1/1");
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
    const page = await (await fetch(`${site.origin}/watch/1/1`)).text();
    for (const chapter of ["Avant", "Opening", "Part A — 雨"]) expect(page).toContain(chapter);
    expect(await device.run(() => document.querySelector("video")?.currentSrc ?? "")).toContain("/film/");
  });
});
