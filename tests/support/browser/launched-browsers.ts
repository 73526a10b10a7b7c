import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright";
import { whenFree } from "#tests/support/requests/when-free.ts";
import { findBrowser } from "../../../ops/browser.mjs";

/** Starts real browsers for tests and benchmarks. The caller closes them. */

/** A browser that does not start within this time hangs. */
const startTimeoutMs = 120_000;

/**
 * A page that the site refuses because it is busy is opened again, which happens on a slow machine. Without pictures, the
 * site draws no posters. Drawing takes more time than all other work for a page.
 */
export async function launchChromium({ hasPictures = true } = {}): Promise<Browser> {
  const executablePath = await findBrowser();
  if (!executablePath) throw new Error("No browser was found. Run: npx playwright install chromium");
  const browser = await chromium.launch({
    executablePath,
    timeout: startTimeoutMs,
    // Chromium's sandbox does not start as root, and containers have no GPU.
    args: [
      ...["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"],
      // Without this, a browser without windows asks for no language.
      "--accept-lang=en-US,en",
      ...(hasPictures ? [] : ["--blink-settings=imagesEnabled=false"]),
    ],
  });
  browser.on("context", (context) => context.on("page", openPatiently));
  return browser;
}

function openPatiently(page: Page) {
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  page.goto = (...options) => whenFree(() => goto(...options));
  page.reload = (...options) => whenFree(() => reload(...options));
}

/**
 * Firefox ESR, driven by WebDriver BiDi: Playwright drives only a Firefox of its own. puppeteer-core is installed into the
 * cache when a test needs it, as drizzle-kit is: the site does not need it. 24.43.1 is the last version for Node 20.
 */
const version = "24.43.1";
const cache = resolve("node_modules/.cache/puppeteer-core");
const entry = `${cache}/node_modules/puppeteer-core/lib/esm/puppeteer/puppeteer-core.js`;

/** The part of puppeteer that the journeys use. */
export type FirefoxPage = {
  goto(url: string, options?: { timeout: number }): Promise<unknown>;
  close(): Promise<void>;
  screenshot(): Promise<Uint8Array>;
  setViewport(size: { width: number; height: number }): Promise<void>;
  evaluate<Result>(inPage: unknown, ...argument: unknown[]): Promise<Result>;
  evaluateOnNewDocument(inPage: unknown): Promise<unknown>;
  waitForFunction(inPage: () => boolean, options: { timeout: number }): Promise<unknown>;
  keyboard: {
    press(key: string): Promise<void>;
    down(key: string): Promise<void>;
    up(key: string): Promise<void>;
  };
  mouse: {
    move(x: number, y: number, options?: { steps: number }): Promise<void>;
    down(): Promise<void>;
    up(): Promise<void>;
  };
  touchscreen: {
    tap(x: number, y: number): Promise<void>;
    touchStart(x: number, y: number): Promise<unknown>;
    touchMove(x: number, y: number): Promise<void>;
    touchEnd(): Promise<void>;
  };
  $(selector: string): Promise<{ uploadFile(path: string): Promise<void> } | null>;
};
type Firefox = {
  newPage(): Promise<FirefoxPage>;
  /** The pages of this context share no cache with pages of other contexts. */
  createBrowserContext(): Promise<{ newPage(): Promise<FirefoxPage>; close(): Promise<void> }>;
  version(): Promise<string>;
  close(): Promise<void>;
};

export async function launchFirefox(): Promise<Firefox> {
  if (!existsSync(entry)) installPuppeteer();
  const { default: puppeteer } = await import(pathToFileURL(entry).href);
  return puppeteer.launch({
    browser: "firefox",
    executablePath: "/usr/bin/firefox-esr",
    headless: true,
    timeout: startTimeoutMs,
    // Pages may start a film without sound, as in other browsers.
    extraPrefsFirefox: { "media.autoplay.default": 0 },
  });
}

/** Another test file may install it at the same time, and must not find half of it. */
function installPuppeteer() {
  mkdirSync(dirname(cache), { recursive: true });
  const folder = mkdtempSync(`${cache}-`);
  const flags = ["--no-save", "--no-audit", "--no-fund", "--loglevel", "error", "--fetch-retries=5"];
  execFileSync("npm", ["install", "--prefix", folder, ...flags, `puppeteer-core@${version}`]);
  try {
    renameSync(folder, cache);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    if (!existsSync(entry)) throw error;
  }
}
