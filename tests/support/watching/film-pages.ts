import { launchChromium, launchFirefox } from "#tests/support/browser/launched-browsers.ts";

/** Opens pages of films with an empty cache, and records the requests of the browser until it shows the first frame. */

export type FilmPage = {
  run<Result>(inPage: (argument: number) => Result | Promise<Result>, argument: number): Promise<Result>;
  open(url: string): Promise<unknown>;
  close(): Promise<unknown>;
};
export type FilmBrowser = {
  name: string;
  /** `beforeScripts` runs in the page before its own scripts. */
  newPage(...beforeScripts: (() => void)[]): Promise<FilmPage>;
  close(): Promise<unknown>;
};

/** A page that does not open within this time hangs. */
const timeoutMs = 180_000;

async function openChromium(): Promise<FilmBrowser> {
  const browser = await launchChromium();
  return {
    name: `Chromium ${browser.version().split(".")[0]}`,
    async newPage(...beforeScripts) {
      const context = await browser.newContext();
      context.setDefaultTimeout(timeoutMs);
      const page = await context.newPage();
      for (const script of [observe, ...beforeScripts]) await page.addInitScript(script);
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

async function openFirefox(): Promise<FilmBrowser> {
  const browser = await launchFirefox();
  return {
    name: `Firefox ESR ${/\d+/.exec(await browser.version())?.[0]}`,
    async newPage(...beforeScripts) {
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      for (const script of [observe, ...beforeScripts]) await page.evaluateOnNewDocument(script);
      return {
        run: (inPage, argument) => page.evaluate(inPage, argument),
        open: (url) => page.goto(url, { timeout: timeoutMs }),
        close: () => context.close(),
      };
    },
    close: () => browser.close(),
  };
}

export const filmBrowsers = { chromium: openChromium, firefox: openFirefox };

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

type FirstFrame = {
  firstFrameMs: number;
  /** The bytes of the film that had arrived by then, including those of incomplete parts. */
  bytes: number;
  /** The parts of the film that the page had requested by then. */
  asked: string[];
};

/**
 * A part is listed only when it is complete, so the page waits for a moment after the first frame unless the caller has
 * waited.
 */
export const firstFrame = (page: FilmPage, { waitMs = 0 } = {}): Promise<FirstFrame> =>
  page.run(findFirstFrame, waitMs);

async function findFirstFrame(waitMs: number): Promise<FirstFrame> {
  const firstFrameMs = (await (globalThis as Observed).firstFrameMs) ?? Number.NaN;
  await new Promise((done) => setTimeout(done, waitMs));
  // A second request of the player for the same part is answered from the browser's cache.
  const bytes = new Map<string, number>();
  for (const entry of performance.getEntriesByType("resource") as PerformanceResourceTiming[]) {
    const { name, startTime, responseStart, responseEnd, encodedBodySize } = entry;
    if (!name.includes("/play/") || bytes.has(name) || startTime > firstFrameMs) continue;
    const share = (firstFrameMs - responseStart) / Math.max(0.001, responseEnd - responseStart);
    bytes.set(name, encodedBodySize * Math.min(1, Math.max(0, share)));
  }
  return {
    firstFrameMs,
    bytes: [...bytes.values()].reduce((sum, one) => sum + one, 0),
    asked: [...bytes.keys()].map((url) => url.split("/").at(-1) ?? ""),
  };
}
