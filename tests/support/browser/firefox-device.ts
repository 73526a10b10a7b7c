import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll } from "vitest";
import type { Device, Point } from "./device.ts";
import { patient } from "./player.ts";

/**
 * Firefox ESR, driven by WebDriver BiDi: Playwright drives only a Firefox of its own. puppeteer-core is installed into the
 * cache when a test needs it, as drizzle-kit is: the site does not need it. 24.43.1 is the last version for Node 20.
 */
const version = "24.43.1";
const cache = resolve("node_modules/.cache/puppeteer-core");
const entry = `${cache}/node_modules/puppeteer-core/lib/esm/puppeteer/puppeteer-core.js`;

/** The part of puppeteer that the journeys use. */
type Page = {
  goto(url: string): Promise<unknown>;
  close(): Promise<void>;
  setViewport(size: { width: number; height: number }): Promise<void>;
  evaluate<Result>(inPage: unknown, ...argument: unknown[]): Promise<Result>;
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
type Firefox = { newPage(): Promise<Page>; version(): Promise<string>; close(): Promise<void> };

export async function openFirefox(): Promise<Firefox> {
  if (!existsSync(entry)) {
    const flags = ["--no-save", "--no-audit", "--no-fund", "--loglevel", "error"];
    execFileSync("npm", ["install", "--prefix", cache, ...flags, `puppeteer-core@${version}`]);
  }
  const { default: puppeteer } = await import(pathToFileURL(entry).href);
  const firefox: Firefox = await puppeteer.launch({
    browser: "firefox",
    executablePath: "/usr/bin/firefox-esr",
    headless: true,
    // Pages may start a film without sound, as in other browsers.
    extraPrefsFirefox: { "media.autoplay.default": 0 },
  });
  afterAll(() => firefox.close());
  return firefox;
}

export function firefoxDevice(page: Page, origin: string): Device {
  return {
    origin,
    async open(path) {
      await page.goto(`${origin}${path}`);
      await page.waitForFunction(
        () => Object.keys(document.querySelector("main") ?? {}).some((key) => key.startsWith("__react")),
        patient,
      );
    },
    resize: (width, height) => page.setViewport({ width, height }),
    run: (inPage, ...argument) => page.evaluate(inPage, ...argument),
    async press(key) {
      const [last = "", ...modifiers] = key.split("+").reverse();
      for (const modifier of modifiers) await page.keyboard.down(modifier);
      await page.keyboard.press(last);
      for (const modifier of modifiers) await page.keyboard.up(modifier);
    },
    async drag(from, to) {
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(to.x, to.y, { steps: 4 });
      await page.mouse.up();
    },
    async dragByFinger(from, to) {
      const halfway: Point = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
      await page.touchscreen.touchStart(from.x, from.y);
      for (const { x, y } of [halfway, to]) await page.touchscreen.touchMove(x, y);
      await page.touchscreen.touchEnd();
    },
    tap: ({ x, y }) => page.touchscreen.tap(x, y),
    async choosePicture(field, file) {
      await (await page.$(field))?.uploadFile(resolve(file));
    },
  };
}
