import type { Row } from "#tests/bench/bench.ts";
import { median } from "#tests/bench/measuring/median.ts";
import { type FilmBrowser, filmBrowsers, firstFrame } from "#tests/support/watching/film-pages.ts";

/** Opens the page of a film with an empty cache, and measures its first frame and the frames after seeks. */

const rounds = 5;
/** The seconds to seek to. None of them is buffered. */
const seeks = [300, 1250, 707];

export async function visitsInBothBrowsers(url: string, firstSegmentBytes: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const start of Object.values(filmBrowsers)) {
    const browser = await start();
    // The first visit makes the server load its code.
    const visited: Visit[] = [];
    for (let round = 0; round <= rounds; round++) visited.push(await visit(browser, url));
    await browser.close();
    const counted = visited.slice(1);
    const label = (what: string) => `${browser.name}: ${what}`;
    const megabyte = 1_000_000;
    rows.push(
      {
        label: label("bytes of the film before the first frame (goal: first segment + 1 MB)"),
        value: median(counted.map(({ bytes }) => bytes)) / megabyte,
        unit: "MB",
        baseline: firstSegmentBytes / megabyte + 1,
      },
      {
        label: label("page opened until the first frame (goal: 1,000)"),
        value: median(counted.map(({ firstFrameMs }) => firstFrameMs)),
        unit: "ms",
        baseline: 1000,
      },
      {
        label: label("seek until a frame (goal: 700)"),
        value: median(counted.flatMap(({ seekMs }) => seekMs)),
        unit: "ms",
        baseline: 700,
      },
    );
  }
  return rows;
}

type Visit = { firstFrameMs: number; bytes: number; seekMs: number[] };

async function visit(browser: FilmBrowser, url: string): Promise<Visit> {
  const page = await browser.newPage();
  await page.open(url);
  const first = await firstFrame(page, { waitMs: 1500 });
  const seekMs: number[] = [];
  for (const seconds of seeks) seekMs.push(await page.run(seekTo, seconds));
  await page.close();
  return { ...first, seekMs };
}

/** The film keeps playing, as when a viewer drags the handle during playback. */
async function seekTo(seconds: number): Promise<number> {
  const video = document.querySelector("video") as HTMLVideoElement;
  video.muted = true;
  await video.play();
  const startedAt = performance.now();
  video.currentTime = seconds;
  return new Promise((arrived) => {
    const onFrame = (_: number, { mediaTime }: VideoFrameCallbackMetadata) => {
      if (Math.abs(mediaTime - seconds) < 1) arrived(performance.now() - startedAt);
      else video.requestVideoFrameCallback(onFrame);
    };
    video.requestVideoFrameCallback(onFrame);
  });
}
