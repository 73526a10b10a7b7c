import { expect, test } from "vitest";
import { keysStayInThePlayer, nothingScrollsSideways } from "#tests/support/browser/journeys.ts";
import { film, openPhoneOfMember } from "#tests/support/browser/member-on-phone.ts";

/** A member on a phone and at a keyboard, in Chromium. */

const { page, trouble, device } = await openPhoneOfMember();

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

test("the schedule of a phone begins with today, and the link of an earlier day shows that day", async () => {
  await device.resize(390, 844);
  await device.open("/schedule");
  const days = page.locator(".day:visible");
  expect(await days.first().getAttribute("data-today")).toBe("true");
  const earlier = page.locator(".day[data-past]");
  for (const id of await earlier.evaluateAll((all) => all.map(({ id }) => id))) {
    await page.locator(`.day-strip a[href="#${id}"]`).click();
    await expect.poll(() => days.first().getAttribute("id")).toBe(id);
  }
});

test("keys act on the film only with the focus in the player or on nothing, and can be turned off", () =>
  keysStayInThePlayer(device, `/watch/${film}/2`));

test("none of these journeys caused an error", () => expect(trouble).toEqual([]));
