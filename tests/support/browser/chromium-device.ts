import type { Page } from "playwright";
import type { Device, Point } from "#tests/support/browser/device.ts";
import { hydrated } from "#tests/support/browser/pages.ts";

/** A page of Playwright's Chromium. Its context needs `hasTouch`. */
export async function chromiumDevice(page: Page, origin: string): Promise<Device> {
  const session = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...touchPoints: Point[]) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints });
  return {
    origin,
    async open(path) {
      await page.goto(`${origin}${path}`);
      await hydrated(page);
    },
    resize: (width, height) => page.setViewportSize({ width, height }),
    // biome-ignore lint/suspicious/noExplicitAny: Playwright has types of its own for what crosses to the page
    run: (inPage, ...[argument]) => page.evaluate(inPage as any, argument) as any,
    press: (key) => page.keyboard.press(key),
    async drag(from, to) {
      await page.mouse.move(from.x, from.y);
      await page.mouse.down();
      await page.mouse.move(to.x, to.y, { steps: 4 });
      await page.mouse.up();
    },
    async dragByFinger(from, to) {
      await touch("touchStart", from);
      await touch("touchMove", { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 });
      await touch("touchMove", to);
      await touch("touchEnd");
    },
    tap: ({ x, y }) => page.touchscreen.tap(x, y),
    screenshot: () => page.screenshot(),
    choosePicture: (field, file) => page.locator(field).setInputFiles(file),
  };
}
