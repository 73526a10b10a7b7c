import { expect, test } from "vitest";
import { signUp } from "#tests/support/browser/accounts.ts";
import { chromiumDevice } from "#tests/support/browser/chromium-device.ts";
import {
  cropAPicture,
  everyPlayerControlFits,
  focusStaysInSight,
  keysStayInThePlayer,
  tapBesideASheet,
  tapTheFilm,
} from "#tests/support/browser/journeys.ts";
import { openBrowser } from "#tests/support/browser/open-browser.ts";
import {
  film,
  filmPage,
  titleWithEveryEpisode,
  watchForTrouble,
  watchPage,
} from "#tests/support/browser/pages.ts";
import { sharedSite } from "#tests/support/site/shared-site.ts";

/** A member on a phone and at a keyboard, in Chromium. tests/release/firefox-on-phones.test.ts has Firefox. */

const [browser, site] = [await openBrowser({ isOwnClient: true }), sharedSite()];
const context = await browser.newContext({ hasTouch: true, viewport: { width: 390, height: 700 } });
const member = { username: "Haruka", email: "phone-and-keyboard@example.org", password: "Abcdef1!" };
await signUp(context, site, member);
// A page would otherwise learn the zone after its first drawing, and in the evening of UTC change its day.
await context.request.post(`${site.origin}/visitor`, { form: { browserTimeZone: "UTC" } });
const page = await context.newPage();
const trouble = watchForTrouble(page, site.origin);
const device = await chromiumDevice(page, site.origin);

test("at 400 % zoom the bars scroll away with the page", async () => {
  await device.resize(320, 256);
  await device.open("/");
  await device.run(() => scrollTo(0, 600));
  const covered = () =>
    device.run(() =>
      [".bar", ".tabs"].filter((bar) => {
        const { top, bottom } = (document.querySelector(bar) as Element).getBoundingClientRect();
        return bottom > 0 && top < innerHeight;
      }),
    );
  await expect.poll(covered).toEqual([]);
});

test("the schedule of a phone shows one day: today, the one that is chosen, and today again after Now", async () => {
  await device.resize(390, 844);
  await device.open("/schedule");
  const shown = () =>
    page.locator(".day:visible").evaluateAll((days) => days.map(({ id }) => id.replace("day-", "")));
  const today = `${await page.locator(".day[data-today]").getAttribute("id")}`.replace("day-", "");
  await expect.poll(shown).toEqual([today]);
  const links = page.locator(".day-strip a");
  for (const [index, link] of (await links.all()).entries()) {
    await link.click();
    const date = `${await link.getAttribute("href")}`.replace("#day-", "");
    await expect.poll(async () => ({ index, shown: await shown() })).toEqual({ index, shown: [date] });
    await expect.poll(() => link.getAttribute("aria-current")).toBe("date");
    expect(await page.locator(".day-strip [aria-current]").count()).toBe(1);
  }
  await page.getByRole("link", { name: "Now", exact: true }).click();
  await expect.poll(shown).toEqual([today]);
  await device.open("/schedule?week=2020-01-08");
  await expect.poll(shown).toEqual(["2020-01-06"]);
});

test("a season on a phone is a list of lines, each with its poster, name, facts and bookmark", async () => {
  await device.resize(390, 844);
  await device.open("/seasons/2024/fall");
  const lines = await page.locator("[data-lines] > li").evaluateAll((all) =>
    all.map((line) => {
      const boxes = [".card-poster img", ".card-name", ".card-facts", ".card-bookmark"].map((part) =>
        line.querySelector(part)?.getBoundingClientRect(),
      );
      const { height } = line.getBoundingClientRect();
      return { height, lefts: boxes.map((box) => Math.round(box?.left ?? 0)) };
    }),
  );
  expect(lines.length).toBeGreaterThan(0);
  for (const { height, lefts } of lines) {
    expect(height).toBeLessThan(150);
    expect(lefts).toEqual([16, 84, 84, 330]);
  }
});

test("keys control the film only with the focus in the player or on nothing, and can be turned off", () =>
  keysStayInThePlayer(device, `/watch/${film}/2`));

test("a tap beside an open sheet closes it, and opens nothing below its shade", () =>
  tapBesideASheet(device));

test("a picture is cropped by mouse, finger and keyboard, and then its field has the focus again", () =>
  cropAPicture(device));

test("the chosen part of a picture stays when it cannot be sent, and can be sent again", async () => {
  await device.open("/profile/edit");
  await device.choosePicture("#avatar", "public/icon-512.png");
  const dialog = page.getByRole("dialog");
  const zoom = dialog.getByRole("slider", { name: "Zoom" });
  await zoom.fill("2");
  await page.route("**/profile/picture*", (route) => route.abort());
  const send = dialog.getByRole("button", { name: "Use this part" });
  await send.click();
  await dialog.getByRole("alert").getByText("The picture could not be sent.").waitFor();
  expect(await zoom.inputValue()).toBe("2");
  await page.unroute("**/profile/picture*");
  await send.click();
  await dialog.waitFor({ state: "detached" });
  await page.locator('.picture-form img[data-kind="avatar"]').waitFor();
});

test("every control of the player fits on a phone, for an episode with previous, next and captions", () =>
  everyPlayerControlFits(device, `/watch/${film}/2`));

test("Skip intro covers no other control of a phone's film, which shows both jump buttons or neither", async () => {
  await device.resize(320, 640);
  await device.open(watchPage);
  await page.getByRole("button", { name: "Skip intro" }).waitFor();
  for (const [width, jumps] of [
    [320, 0],
    [360, 0],
    [389, 0],
    [390, 2],
    [430, 2],
  ] as const) {
    await device.resize(width, 640);
    const state = () =>
      device.run(() => {
        const { left, right, top, bottom } = (
          document.querySelector(".player-skip") as Element
        ).getBoundingClientRect();
        const shown = [
          ...document.querySelectorAll(".player-jumps button, .player-bar button, .player-seek input"),
        ].filter((control) => control.checkVisibility({ visibilityProperty: true }));
        const covered = shown.filter((control) => {
          const box = control.getBoundingClientRect();
          return box.left < right && box.right > left && box.top < bottom && box.bottom > top;
        });
        return {
          covered: covered.map((control) => control.ariaLabel),
          jumps: shown.filter((control) => control.closest(".player-jumps")).length,
        };
      });
    await expect.poll(async () => ({ width, ...(await state()) })).toEqual({ width, covered: [], jumps });
  }
});

test("a phone's title page has one list button, whose sheet shifts nothing and ends above the notice", async () => {
  await device.resize(390, 844);
  await device.open("/anime/1/cowboy-bebop");
  const button = page.locator(".entry-open");
  const fields = page.locator(".entry-fields");
  expect(await button.textContent()).toBe("Add to list");
  expect(await fields.isVisible()).toBe(false);
  await button.click();
  await fields.waitFor();
  // Compared at one moment, because parts of the page that come late change its height too.
  const heights = await device.run(() => {
    const page = document.documentElement;
    const sheet = document.querySelector<HTMLElement>(".entry-fields");
    const withSheet = page.scrollHeight;
    if (sheet) sheet.style.display = "none";
    const withoutSheet = page.scrollHeight;
    if (sheet) sheet.style.display = "";
    return { withSheet, withoutSheet };
  });
  expect(heights.withSheet).toBe(heights.withoutSheet);
  await fields.getByRole("button", { name: "Watching", exact: true }).click();
  await expect.poll(() => button.textContent()).toBe("Watching · 0/26");
  await page.getByText("Saved Cowboy Bebop as Watching").waitFor();
  // Scrolled to its end, the sheet shows its last button above the notice, which is above the sheet.
  const ends = await device.run(() => {
    const sheet = document.querySelector(".entry-fields");
    sheet?.scrollTo(0, sheet.scrollHeight);
    const boxOf = (part: Element | undefined | null) => part?.getBoundingClientRect() ?? new DOMRect();
    const notice = boxOf(document.querySelector(".toast"));
    const middle = document.elementFromPoint(notice.left + notice.width / 2, notice.top + notice.height / 2);
    return {
      last: boxOf([...(sheet?.querySelectorAll("button, summary") ?? [])].at(-1)).bottom,
      notice: notice.top,
      isNoticeOnTop: middle?.closest(".toast") !== null,
    };
  });
  expect(ends.isNoticeOnTop).toBe(true);
  expect(ends.last).toBeLessThanOrEqual(ends.notice);
  await page.keyboard.press("Escape");
  await fields.waitFor({ state: "hidden" });
  await device.resize(1280, 800);
  await button.waitFor({ state: "hidden" });
  await fields.waitFor();
});

test("on a phone, the tabs of the list are one line, with the current one in sight", async () => {
  await device.resize(390, 844);
  await device.open("/list?tab=collection");
  const tabs = page.getByRole("navigation", { name: "List statuses" });
  await expect.poll(async () => (await tabs.boundingBox())?.height).toBeLessThan(60);
  const current = tabs.getByRole("link", { name: "Collection" });
  const rightEdge = async () => {
    const box = await current.boundingBox();
    return box === null ? Number.POSITIVE_INFINITY : box.x + box.width;
  };
  await expect.poll(rightEdge).toBeLessThan(390);
});

test("on a phone, the notice of an edit covers no control of the entry that is edited", async () => {
  await device.resize(390, 844);
  await context.request.post(`${site.origin}/api/user/watchList`, {
    data: { animeId: 20, type: "Watching" },
  });
  await device.open("/list?view=list");
  await page.getByRole("link", { name: /^Edit/ }).first().click();
  const panel = page.locator(".list-row-open");
  await panel.waitFor();
  const top = () => page.locator(".list-row:has(> .list-row-open)").boundingBox();
  const bar = await page.locator(".bar").boundingBox();
  await expect.poll(async () => (await top())?.y).toBeGreaterThanOrEqual(bar?.height ?? 0);
  await panel.getByRole("combobox").first().selectOption("Completed");
  await panel.getByText(/^Saved .* as Completed/).waitFor();
  const covered = await panel
    .locator("button:visible:not(:disabled), input:visible, select, textarea, a")
    .evaluateAll((controls) =>
      controls
        .filter((control) => {
          control.scrollIntoView({ block: "nearest" });
          const { left, top, width, height } = control.getBoundingClientRect();
          return !control.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        })
        .map((control) => control.outerHTML),
    );
  expect(covered).toEqual([]);
  const status = panel.getByRole("combobox").first();
  expect(await status.evaluate((select) => select.scrollWidth <= select.clientWidth)).toBe(true);
});

test("on a phone, the score under the film is as high as a thumb and does not zoom the page", async () => {
  await context.request.post(`${site.origin}/api/user/watchList`, {
    data: { animeId: film, type: "Watching" },
  });
  await device.open(watchPage);
  const score = page.locator(".entry-bar select[name=score]");
  await score.waitFor();
  const size = await score.evaluate((field) => [
    field.getBoundingClientRect().height,
    getComputedStyle(field).fontSize,
  ]);
  expect(size).toEqual([44, "16px"]);
});

test("on a phone, the heart of a title without a film stands beside its genres and covers none of them", async () => {
  for (const width of [320, 390]) {
    await device.resize(width, 844);
    await device.open("/anime/1/cowboy-bebop");
    const { genres, heart, button } = await device.run(() => {
      const boxOf = (selector: string) =>
        (document.querySelector(selector) as Element).getBoundingClientRect();
      return {
        genres: [...document.querySelectorAll(".title-genres > *")].map((chip) =>
          chip.getBoundingClientRect(),
        ),
        heart: boxOf(".title-heart"),
        button: boxOf(".entry-open"),
      };
    });
    expect(Math.max(...genres.map(({ bottom }) => bottom))).toBeGreaterThan(heart.top);
    for (const { right } of genres) expect(right).toBeLessThan(heart.left);
    expect(button.top).toBeGreaterThan(heart.bottom);
  }
});

test("the list beside the film scrolls to the current episode, and the page stays at its top", async () => {
  await device.resize(1280, 600);
  await device.open(`/watch/${titleWithEveryEpisode}/25`);
  const state = () =>
    device.run(() => {
      const list = (document.querySelector(".watch-side") as Element).getBoundingClientRect();
      const line = (document.querySelector(".watch-side [aria-current]") as Element).getBoundingClientRect();
      return { isInSight: line.top >= list.top && line.bottom <= list.bottom, scrollY };
    });
  await expect.poll(state).toEqual({ isInSight: true, scrollY: 0 });
});

test("the first tap shows the controls, the next one pauses, and two taps on a side jump", () =>
  tapTheFilm(device, watchPage));

test("on a phone, no bar hides the focused element", async () => {
  const { data } = await (await context.request.get(`${site.origin}/api/animes/full?limit_count=12`)).json();
  for (const { mal_id: animeId } of data)
    await context.request.post(`${site.origin}/api/user/watchList`, { data: { animeId, type: "Watching" } });
  await device.resize(390, 600);
  for (const path of [filmPage, "/list", "/settings"]) await focusStaysInSight(device, path);
});

test("none of these journeys caused an error", () => expect(trouble).toEqual([]));
