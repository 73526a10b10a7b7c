import { expect } from "vitest";
import { boxOf, type Device, type Point } from "#tests/support/browser/device.ts";

/** Journeys on small screens and by keyboard, which every browser must pass. */

/**
 * A picture is chosen, dragged by mouse and finger, zoomed by keyboard and discarded. The page and the text typed in it
 * stay.
 */
export async function cropAPicture(device: Device) {
  await device.open("/profile/edit");
  await device.run(() => {
    (document.querySelector("[name=last_name]") as HTMLInputElement).value = "Typed before";
  });
  await device.choosePicture("#avatar", "public/icon-512.png");
  const shown = () =>
    device.run(() => document.querySelector<HTMLCanvasElement>(".crop canvas")?.toDataURL() ?? "");
  const isDifferentFrom = (before: string) => expect.poll(shown).not.toBe(before);
  await isDifferentFrom("");
  const box = await boxOf(device, ".crop canvas");
  expect(Math.abs(box.width - box.height)).toBeLessThanOrEqual(1);
  const middle: Point = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const besides = { x: middle.x + 40, y: middle.y };
  for (const drag of [device.drag, device.dragByFinger]) {
    const before = await shown();
    await drag(middle, besides);
    await isDifferentFrom(before);
  }
  const before = await shown();
  await device.run(() => document.querySelector<HTMLInputElement>(".crop input")?.focus());
  await device.press("ArrowRight");
  await isDifferentFrom(before);
  await device.press("Escape");
  const focused = () => device.run(() => document.activeElement?.id);
  await expect.poll(focused).toBe("avatar");
  const typed = await device.run(
    () => (document.querySelector("[name=last_name]") as HTMLInputElement).value,
  );
  expect(typed).toBe("Typed before");
}

/** A tap beside an open sheet closes it, and does not reach the card below its shade. */
export async function tapBesideASheet(device: Device) {
  await device.resize(390, 640);
  await device.open("/browse");
  const isOpen = () => device.run(() => document.querySelector(".card-sheet:popover-open") !== null);
  await device.run(() => document.querySelector<HTMLElement>(".card-bookmark")?.click());
  await expect.poll(isOpen).toBe(true);
  await device.run(() => {
    const onClick = ({ target }: Event) => {
      document.documentElement.dataset.clicked = (target as Element).localName;
    };
    addEventListener("click", onClick, true);
  });
  const { x, y } = await boxOf(device, ".card");
  await device.tap({ x: x + 40, y: y + 40 });
  await expect.poll(isOpen).toBe(false);
  await expect.poll(() => device.run(() => document.documentElement.dataset.clicked)).toBe("html");
}

/** The site's phones are as narrow as 320 px. An episode between two others, with captions, has the most buttons. */
export async function everyPlayerControlFits(device: Device, path: string) {
  await device.resize(320, 640);
  await device.open(path);
  const names = () =>
    device.run(() =>
      [...document.querySelectorAll(".player-bar button, .player-seek input, .player-jumps button")]
        .filter((control) => control.checkVisibility())
        .map((control) => control.ariaLabel ?? ""),
    );
  await expect.poll(names).toContain("Captions");
  for (const width of [320, 360, 390, 430]) {
    await device.resize(width, 640);
    const outside = () =>
      device.run(() =>
        [...document.querySelectorAll(".player button, .player input")].flatMap((control) => {
          const { left, right } = control.getBoundingClientRect();
          const fits = left >= 0 && right <= document.documentElement.clientWidth;
          return !control.checkVisibility() || fits ? [] : [control.ariaLabel ?? control.className];
        }),
      );
    await expect.poll(async () => ({ width, outside: await outside() })).toEqual({ width, outside: [] });
    await expect
      .poll(names)
      .toEqual(
        expect.arrayContaining([
          "Position",
          "Play",
          "Captions",
          "Settings",
          "Full screen",
          "Back 10 seconds",
        ]),
      );
  }
}

export async function nothingScrollsSideways(device: Device, paths: readonly string[]) {
  await device.resize(320, 640);
  for (const path of paths) {
    await device.open(path);
    const overflow = await device.run(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth - clientWidth;
    });
    expect({ path, overflow }).toEqual({ path, overflow: 0 });
  }
}

/** WCAG 2.4.11: going forward and backward, no bar hides the focused element completely. */
export async function focusStaysInSight(device: Device, path: string) {
  await device.open(path);
  for (const key of ["Tab", "Shift+Tab"])
    for (let press = 0; press < 30; press++) {
      await device.press(key);
      // The page may scroll smoothly to the focused element.
      const state = async () => ({ key, press, hidden: await device.run(hiddenFocus) });
      await expect.poll(state).toEqual({ key, press, hidden: null });
    }
}

/** Names the focused element if all of it is behind the bars of the window, or outside it. */
function hiddenFocus() {
  const focused = document.activeElement;
  if (focused === null || focused === document.body || focused.closest(".bar, .tabs, .skip")) return null;
  const edge = (bar: string, side: "top" | "bottom") =>
    (document.querySelector(bar) as Element).getBoundingClientRect()[side];
  const { top, bottom } = focused.getBoundingClientRect();
  const isSeen = bottom > edge(".bar", "bottom") + 1 && top < edge(".tabs", "top") - 1;
  return isSeen ? null : focused.outerHTML.slice(0, 120);
}

/** WCAG 2.1.4: with the focus on a link outside the player, keys neither change the film nor the page, and arrows scroll. */
export async function keysStayInThePlayer(device: Device, path: string) {
  // Below 960 px no notice offers the arrow keys. It would take the focus.
  await device.resize(900, 500);
  await device.open(path);
  const film = () =>
    device.run(() => {
      const { muted, volume, currentTime } = document.querySelector("video") as HTMLVideoElement;
      return { muted, volume, currentTime, path: location.pathname };
    });
  // The player takes keys a moment after React controls the page.
  const { muted } = await film();
  const pressUntilMuted = async () => {
    if ((await film()).muted === muted) await device.press("m");
    return (await film()).muted;
  };
  await expect.poll(pressUntilMuted).toBe(!muted);
  const before = await film();
  await device.run(() => document.querySelector<HTMLElement>("main .watch-series a")?.focus());
  for (const key of ["m", "n", "ArrowDown", "/", "5"]) await device.press(key);
  expect(await film()).toEqual(before);
  await expect.poll(() => device.run(() => scrollY)).toBeGreaterThan(0);
  await device.run(() => (document.activeElement as HTMLElement).blur());
  await device.press("ArrowDown");
  expect((await film()).volume).toBe(before.volume);
  const isMuted = () => film().then(({ muted }) => muted);
  await device.press("m");
  await expect.poll(isMuted).toBe(!before.muted);
  await device.press("m");
  await expect.poll(isMuted).toBe(before.muted);
  await device.run(() => localStorage.setItem("singleKeys", "off"));
  await device.press("m");
  expect(await isMuted()).toBe(before.muted);
  await device.run(() => localStorage.removeItem("singleKeys"));
  await device.press("m");
  await expect.poll(isMuted).toBe(muted);
}

/** The first tap on a playing film only shows the controls; two quick ones on a side jump. */
export async function tapTheFilm(device: Device, path: string) {
  await device.resize(390, 640);
  await device.open(path);
  const film = () =>
    device.run(() => {
      const { paused, currentTime } = document.querySelector("video") as HTMLVideoElement;
      const isIdle = document.querySelector(".player-over[data-idle]") !== null;
      return { paused, currentTime, isIdle };
    });
  // Repeats the call, because the player may load the source once more after the page is rendered.
  const play = async () => {
    await device.run(() => {
      const video = document.querySelector("video") as HTMLVideoElement;
      video.muted = true;
      if (video.paused) video.play().catch(() => {});
    });
    return film();
  };
  await expect.poll(play).toMatchObject({ paused: false, isIdle: true });
  const { x, y, width, height } = await boxOf(device, "video");
  const at = (share: number): Point => ({ x: x + share * width, y: y + height * 0.3 });
  await device.run(noteShownControls);
  await device.tap(at(0.5));
  await expect.poll(() => device.run(() => document.documentElement.dataset.controls)).toBe("shown");
  expect((await film()).paused).toBe(false);
  const { currentTime } = await film();
  await device.run(tapTwice, at(0.9));
  await expect.poll(async () => (await film()).currentTime).toBeGreaterThan(currentTime + 9);
  expect((await film()).paused).toBe(false);
  // The controls hide again after three seconds. The first tap then only shows them.
  const pause = async () => {
    if (!(await film()).paused) await device.tap(at(0.5));
    return (await film()).paused;
  };
  await expect.poll(pause).toBe(true);
}

/** Runs in the page. A busy machine could miss controls that are shown for three seconds. */
function noteShownControls() {
  const over = document.querySelector(".player-over") as HTMLElement;
  new MutationObserver(() => {
    if (over.dataset.idle === undefined) document.documentElement.dataset.controls = "shown";
  }).observe(over, { attributes: true });
}

/** Runs in the page: on a busy machine, two taps of the device would not be quick ones. */
function tapTwice({ x, y }: Point) {
  const surface = document.elementFromPoint(x, y);
  for (const type of ["pointerdown", "click", "pointerdown", "click"])
    surface?.dispatchEvent(
      new PointerEvent(type, { pointerType: "touch", clientX: x, clientY: y, bubbles: true }),
    );
}
