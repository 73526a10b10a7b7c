import { expect, test } from "vitest";
import { firefoxDevice, openFirefox } from "#tests/support/browser/firefox-device.ts";
import {
  cropAPicture,
  everyPlayerControlFits,
  focusStaysInSight,
  keysStayInThePlayer,
  nothingScrollsSideways,
  tapBesideASheet,
  tapTheFilm,
} from "#tests/support/browser/journeys.ts";
import { film, filmPage, watchPage } from "#tests/support/browser/pages.ts";
import { addSource } from "#tests/support/site/command-line-tools.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/**
 * A member uses Firefox on a phone and with a keyboard. tests/journeys/phone.test.ts runs the same journeys in
 * Chromium, and the walk opens every page there.
 */

const [firefox, site] = await Promise.all([openFirefox(), startSite()]);
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

test("a tap beside an open sheet closes it, and opens nothing below its shade", () =>
  tapBesideASheet(device));

test("a picture is cropped by mouse, finger and keyboard, and then its field has the focus again", () =>
  cropAPicture(device));

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

test("keys control the film only with the focus in the player or on nothing, and can be turned off", () =>
  keysStayInThePlayer(device, `/watch/${film}/2`));

test("on a phone, no bar hides the focused element", async () => {
  await device.resize(390, 600);
  for (const path of [filmPage, "/list", "/settings"]) await focusStaysInSight(device, path);
});

test("the first tap shows the controls, the next one pauses, and two taps on a side jump", () =>
  tapTheFilm(device, watchPage));
