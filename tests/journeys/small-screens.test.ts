import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { chromiumDevice } from "#tests/support/browser/chromium-device.ts";
import { firefoxDevice, openFirefox } from "#tests/support/browser/firefox-device.ts";
import {
  cropAPicture,
  everyPlayerControlFits,
  focusStaysInSight,
  keysStayInThePlayer,
  nothingScrollsSideways,
  tapTheFilm,
} from "#tests/support/browser/journeys.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import { patient } from "#tests/support/browser/player.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";
import { addSource, runTool } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** Journeys on small screens in Firefox, and taps in Chromium too. tests/journeys/phone.test.ts has the others in Chromium. */

const [firefox, chromium, site] = await Promise.all([openFirefox(), openBrowser(), startSite()]);
const film = 900000001;
addSource(site, { title: film, episode: 3, url: "/film/1/film.webm", type: "webm", label: "WebM" });
const page = await firefox.newPage();
const device = firefoxDevice(page, site.origin);
await device.resize(390, 700);
await device.open("/");
const member = { username: "Haruka", email: "haruka@example.org", password: "Abcdef1!" };
const signedUp = await device.run(async (json: string) => {
  const headers = { "Content-Type": "application/json" };
  const send = (path: string, body: string) => fetch(path, { method: "POST", headers, body });
  const { status } = await send("/api/auth/signup", json);
  const { data } = (await (await fetch("/api/animes/full?limit_count=12")).json()) as {
    data: { mal_id: number }[];
  };
  for (const { mal_id } of data)
    await send("/api/user/watchList", JSON.stringify({ animeId: mal_id, type: "Watching" }));
  return status;
}, JSON.stringify(member));

test("the browser is Firefox, and a member signs up in it", async () => {
  expect(await firefox.version()).toMatch(/^firefox\//);
  expect(signedUp).toBe(201);
});

test("a chosen picture is cropped by mouse, finger and keyboard, and then its field has the focus again", () =>
  cropAPicture(device, "public/icon-512.png"));

test("every control of the player fits on a phone, for an episode with previous, next and captions", () =>
  everyPlayerControlFits(device, `/watch/${film}/2`));

test("no page scrolls sideways on a phone", () =>
  nothingScrollsSideways(device, [
    "/",
    "/browse",
    "/search?q=naruto",
    "/anime/21/one-piece",
    "/watch/30/1",
    `/watch/${film}/2`,
    "/schedule",
    "/seasons",
    "/list",
    "/history",
    "/profile",
    "/profile/edit",
    "/settings",
    "/signup/tastes",
    "/api",
    "/no/such/page",
  ]));

test("keys act on the film only with the focus in the player or on nothing, and can be turned off", () =>
  keysStayInThePlayer(device, `/watch/${film}/2`));

const touchContext = await chromium.newContext({ hasTouch: true });
await touchContext.request.post(`${site.origin}/api/auth/signin`, { data: member });
const devices = {
  Firefox: device,
  Chromium: await chromiumDevice(await touchContext.newPage(), site.origin),
};

test("the list beside the film scrolls to the current episode, and the page stays at its top", async () => {
  const episodes = Array.from({ length: 26 }, (_, index) => ({ mal_id: 1, number: index + 1 }));
  const source = { kind: "source", url: "/film/1/film.webm", type: "webm", label: null, language: null };
  const records = episodes.map((episode) => JSON.stringify({ ...source, ...episode }));
  const file = join(temporaryFolder("episodes"), "sources.ndjson");
  writeFileSync(file, records.join("\n"));
  runTool(site, "catalog-import", [file]);
  const { Chromium } = devices;
  await Chromium.resize(1280, 600);
  await Chromium.open("/watch/1/25");
  const state = () =>
    Chromium.run(() => {
      const list = (document.querySelector(".watch-side") as Element).getBoundingClientRect();
      const line = (document.querySelector(".watch-side [aria-current]") as Element).getBoundingClientRect();
      return { isInSight: line.top >= list.top && line.bottom <= list.bottom, scrollY };
    });
  await expect.poll(state, patient).toEqual({ isInSight: true, scrollY: 0 });
});

describe.each(Object.entries(devices))("in %s", (_, device) => {
  test.each(["/anime/900000001/engawa", "/list", "/settings"])(
    "no bar of a phone hides what has the focus on %s",
    async (path) => {
      await device.resize(390, 600);
      await focusStaysInSight(device, path, 30);
    },
  );

  test("a tap shows the controls before another one pauses, and two taps on a side jump", () =>
    tapTheFilm(device, `/watch/${film}/1`));
});
