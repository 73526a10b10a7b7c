import { expect, test } from "vitest";
import { chromiumDevice } from "#tests/support/browser/chromium-device.ts";
import {
  cropAPicture,
  everyPlayerControlFits,
  keysStayInThePlayer,
  nothingScrollsSideways,
} from "#tests/support/browser/journeys.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { watchForTrouble } from "#tests/support/browser/pages.ts";
import { addSource } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** A member on a phone and at a keyboard. tests/ci/small-screens.test.ts has the slower journeys, and those in Firefox. */

const [browser, site] = await Promise.all([openBrowser(), startSite()]);
const film = 900000001;
addSource(site, { title: film, episode: 3, url: "/film/1/film.webm", type: "webm", label: "WebM" });
const context = await browser.newContext({ hasTouch: true, viewport: { width: 390, height: 700 } });
const member = { username: "Haruka", email: "haruka@example.org", password: "Abcdef1!" };
await context.request.post(`${site.origin}/api/auth/signup`, { data: member });
const page = await context.newPage();
const trouble = watchForTrouble(page, site.origin);
const device = await chromiumDevice(page, site.origin);

test("a chosen picture is cropped by mouse, finger and keyboard, and then its field has the focus again", () =>
  cropAPicture(device, "public/icon-512.png"));

test("every control of the player fits on a phone, for an episode with previous, next and captions", () =>
  everyPlayerControlFits(device, `/watch/${film}/2`));

test("pages with wide content do not scroll sideways on a phone", () =>
  nothingScrollsSideways(device, ["/watch/30/1", "/settings"]));

test("at 400 % zoom the bars scroll away with the page", async () => {
  await device.resize(320, 256);
  await device.open("/");
  await device.run(() => scrollTo(0, 600));
  const covered = await device.run(() =>
    [".bar", ".tabs"].filter((bar) => {
      const { top, bottom } = (document.querySelector(bar) as Element).getBoundingClientRect();
      return bottom > 0 && top < innerHeight;
    }),
  );
  expect(covered).toEqual([]);
});

test("keys act on the film only with the focus in the player or on nothing, and can be turned off", () =>
  keysStayInThePlayer(device, `/watch/${film}/2`));

test("none of these journeys caused an error", () => expect(trouble).toEqual([]));
