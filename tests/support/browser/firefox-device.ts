import { resolve } from "node:path";
import { afterAll } from "vitest";
import type { Device, Point } from "#tests/support/browser/device.ts";
import { type FirefoxPage, launchFirefox } from "#tests/support/browser/launched-browsers.ts";
import { isHydrated } from "#tests/support/browser/pages.ts";

/** Firefox ESR for the tests of one file. It closes at the end of the file. */
export async function openFirefox() {
  const firefox = await launchFirefox();
  afterAll(() => firefox.close());
  return firefox;
}

/** A wait of this length means that the browser hangs. */
const patient = { timeout: 180_000 };

export function firefoxDevice(page: FirefoxPage, origin: string): Device {
  return {
    origin,
    async open(path) {
      await page.goto(`${origin}${path}`, patient);
      await page.waitForFunction(isHydrated, patient);
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
    screenshot: () => page.screenshot(),
    async choosePicture(field, file) {
      await (await page.$(field))?.uploadFile(resolve(file));
    },
  };
}
