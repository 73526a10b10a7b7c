import { launchChromium, launchFirefox } from "#tests/support/browser/launched-browsers.ts";
import type { Row } from "../bench.ts";
import { median } from "../measuring/median.ts";

/** Opens the page of a film with an empty cache, and measures its first frame and the frames after seeks. */

type OpenPage = {
  run<Result>(inPage: (argument: number) => Result | Promise<Result>, argument: number): Promise<Result>;
  open(url: string): Promise<unknown>;
  close(): Promise<unknown>;
};
type Browser = { name: string; newPage(): Promise<OpenPage>; close(): Promise<unknown> };

async function openChromium(): Promise<Browser> {
  const browser = await launchChromium();
  return {
    name: `Chromium ${browser.version().split(".")[0]}`,
    async newPage() {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.addInitScript(observe);
      return {
        // biome-ignore lint/suspicious/noExplicitAny: Playwright has types of its own for what crosses to the page
        run: (inPage, argument) => page.evaluate(inPage as any, argument) as any,
        open: (url) => page.goto(url),
        close: () => context.close(),
      };
    },
    close: () => browser.close(),
  };
}

async function openFirefox(): Promise<Browser> {
  const browser = await launchFirefox();
  return {
    name: `Firefox ESR ${/\d+/.exec(await browser.version())?.[0]}`,
    async newPage() {
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      await page.evaluateOnNewDocument(observe);
      return {
        run: (inPage, argument) => page.evaluate(inPage, argument),
        open: (url) => page.goto(url),
        close: () => context.close(),
      };
    },
    close: () => browser.close(),
  };
}

const rounds = 5;
/** Where nothing is buffered. */
const seeks = [300, 1250, 707];

export async function visitsInBothBrowsers(url: string, firstSegmentBytes: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const start of [openChromium, openFirefox]) {
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

async function visit(browser: Browser, url: string): Promise<Visit> {
  const page = await browser.newPage();
  await page.open(url);
  const first = await page.run(firstFrame, 0);
  const seekMs: number[] = [];
  for (const seconds of seeks) seekMs.push(await page.run(seekTo, seconds));
  await page.close();
  return { ...first, seekMs };
}

type Observed = typeof globalThis & { firstFrameMs?: Promise<number> };

/** Runs in the page before its own scripts. */
function observe() {
  (globalThis as Observed).firstFrameMs = new Promise((arrived) => {
    const find = () => {
      const video = document.querySelector("video");
      if (video) video.requestVideoFrameCallback(() => arrived(performance.now()));
      else requestAnimationFrame(find);
    };
    find();
  });
}

/** When the first frame was shown, and how much of the film had come by then, of a part that was coming its share. */
async function firstFrame() {
  const firstFrameMs = (await (globalThis as Observed).firstFrameMs) ?? Number.NaN;
  // A part is listed when it is complete.
  await new Promise((done) => setTimeout(done, 1500));
  let bytes = 0;
  for (const entry of performance.getEntriesByType("resource") as PerformanceResourceTiming[]) {
    const { name, responseStart, responseEnd, encodedBodySize } = entry;
    if (!name.includes("/play/")) continue;
    const share = (firstFrameMs - responseStart) / Math.max(0.001, responseEnd - responseStart);
    bytes += encodedBodySize * Math.min(1, Math.max(0, share));
  }
  return { firstFrameMs, bytes };
}

/** The film plays on, as when somebody moves the handle while watching. */
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
