import { type Box, type Direction, nearestBox } from "./nearest-box.ts";

/** The arrow keys move the focus over the page, Enter chooses, and the key Back goes back. */

const directions: Record<string, Direction> = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
};
const backKeys = ["GoBack", "BrowserBack", "XF86Back", "Backspace"];
/** Without the volume: a remote control has keys for it, and left and right would not leave the slider. */
const focusable =
  "a[href], button, input:not([type=hidden], .player-volume input), select, textarea, summary, [tabindex='0']";

/** Returns a function that removes the listeners. */
export function moveByArrowKeys(): () => void {
  const onFocus = ({ target }: Event) => {
    const element = target as HTMLElement;
    lastPlace = { path: location.pathname, element, box: boxOf(element) };
  };
  // A click on nothing takes the focus away on purpose.
  const onPointer = () => {
    lastPlace = null;
  };
  // The page's own code moves the focus first, if it knows a better place.
  let timer = 0;
  const removals = new MutationObserver(() => {
    clearTimeout(timer);
    timer = window.setTimeout(returnFocus, 100);
  });
  removals.observe(document.body, { subtree: true, childList: true, attributeFilter: ["disabled"] });
  // Capture runs before the page's own listeners, such as the player's, which use some of these keys.
  const onKey = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.isComposing) return;
    const focused = document.activeElement;
    if (!isUsed(event.key, focused)) return;
    event.preventDefault();
    // The search field would open its suggestions. All other keys reach the page, because the player hides its controls
    // without key presses.
    if (isTextField(focused)) event.stopPropagation();
  };
  window.addEventListener("keydown", onKey, true);
  window.addEventListener("focusin", onFocus);
  window.addEventListener("pointerdown", onPointer);
  return () => {
    removals.disconnect();
    clearTimeout(timer);
    window.removeEventListener("pointerdown", onPointer);
    window.removeEventListener("keydown", onKey, true);
    window.removeEventListener("focusin", onFocus);
  };
}

let lastPlace: { path: string; element: HTMLElement; box: Box | null } | null = null;

/**
 * The focused element may disappear or be disabled when it is pressed. The focus then goes to the element nearest to
 * its place, or returns when it can be pressed again.
 */
function returnFocus() {
  if (lastPlace?.path !== location.pathname || document.activeElement !== document.body) return;
  if (lastPlace.element.isConnected) lastPlace.element.focus({ preventScroll: true });
  else lostTarget(listTargets(openLayer() ?? document.body), document.body)?.element.focus();
}

function isUsed(key: string, focused: Element | null): boolean {
  const direction = directions[key];
  if (direction) return !usesArrow(focused, direction) && move(direction, focused);
  if (key === "Enter" && focused instanceof HTMLSelectElement && hasPicker) {
    focused.showPicker();
    return true;
  }
  if (focused instanceof HTMLInputElement && choosingKeys[focused.type]?.includes(key)) {
    const chosen = nextGenreState(focused) ?? focused;
    chosen.focus({ preventScroll: true });
    chosen.click();
    return true;
  }
  if (!backKeys.includes(key) || (key === "Backspace" && isTextField(focused))) return false;
  goBack();
  return true;
}

/** Browsers already let Space change a checkbox, so that a second change would undo theirs. */
const choosingKeys: Record<string, readonly string[]> = { checkbox: ["Enter"], radio: ["Enter", " "] };

/** The radio buttons of a genre lie on top of each other. A key chooses the next one, as a press with a pointer does. */
function nextGenreState(focused: HTMLInputElement): HTMLInputElement | undefined {
  const states = [...(focused.closest(".genre")?.querySelectorAll("input") ?? [])];
  return states[states.findIndex(({ checked }) => checked) + 1] ?? states[0];
}

/** Without it, Enter cannot open the list of a select element, so up and down change its value. */
const hasPicker = "showPicker" in HTMLSelectElement.prototype;

/** True if the element itself uses the arrow key: it moves a caret, changes a value or opens a list of suggestions. */
function usesArrow(element: Element | null, direction: Direction): boolean {
  const isVertical = direction === "up" || direction === "down";
  if (element instanceof HTMLSelectElement) return isVertical && !hasPicker;
  if (element instanceof HTMLInputElement && element.type === "range") return !isVertical;
  if (!isTextField(element)) return false;
  if (isVertical) return element.getAttribute("aria-expanded") === "true";
  const { selectionStart, selectionEnd, value } = element;
  // Fields for email addresses do not report the position of the caret.
  if (selectionStart === null || selectionStart !== selectionEnd) return value !== "";
  return direction === "left" ? selectionStart > 0 : selectionStart < value.length;
}

type TextField = HTMLInputElement | HTMLTextAreaElement;
const isTextField = (element: Element | null): element is TextField =>
  element instanceof HTMLTextAreaElement ||
  (element instanceof HTMLInputElement &&
    !/^(?:checkbox|radio|range|button|submit|file|color)$/.test(element.type));

function goBack() {
  const layer = openLayer();
  const settings = document.querySelector(".player-settings");
  if (layer instanceof HTMLDialogElement) layer.close();
  else if (layer) layer.hidePopover();
  else if (settings) settings.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
  else if (document.fullscreenElement) void document.exitFullscreen();
  else history.back();
}

/** The dialog, menu or sheet over the page. A browser without popovers ignores the second selector. */
const openLayer = () =>
  [...document.querySelectorAll<HTMLElement>(":is(dialog[open], [popover=auto]:popover-open)")].at(-1);

function move(direction: Direction, focused: Element | null): boolean {
  const all = listTargets(openLayer() ?? document.fullscreenElement ?? document.body);
  const at = all.findIndex(({ element }) => element === focused);
  const from = all[at];
  const next = from
    ? findNext(from, all, direction)
    : (lostTarget(all, focused) ?? firstTarget(all, focused));
  if (next) focus(next.element);
  return true;
}

/** Near the element that had the focus and has disappeared. */
function lostTarget(all: readonly Target[], focused: Element | null): Target | null {
  const box = lastPlace?.path === location.pathname ? lastPlace.box : null;
  if (box === null || (focused !== null && focused !== document.body)) return null;
  const distance = ({ box: { left, right, top, bottom } }: Target) =>
    Math.abs(left + right - box.left - box.right) + Math.abs(top + bottom - box.top - box.bottom);
  return [...all].sort((one, other) => distance(one) - distance(other))[0] ?? null;
}

/** The element around a card. Its first link is the card; other buttons, such as Remove, lie on the card. */
const cardItemOf = (element: Element) => element.closest("li:has(> .card), .go-on");

/**
 * Left and right go from card to card. Down goes from a card to its further buttons, one after the other, and from the
 * last one to the next line. From the last card of a line, and from the large card, which has none beside it, right goes
 * to the card's buttons.
 */
function findNext(from: Target, all: readonly Target[], direction: Direction): Target | null {
  if (direction === "down" && from.element.matches(".player-seek input")) return all.find(isPlay) ?? null;
  const item = cardItemOf(from.element);
  const cardTargets = all.filter(({ element }) => item?.contains(element));
  const inside = item ? findInCard(from, cardTargets, direction) : findInRow(from, all, direction);
  if (inside) return inside;
  const others = all.filter(
    (one) => one !== from && !cardTargets.includes(one) && !isBesideCard(one.element),
  );
  const box = cardTargets[0]?.box ?? from.box;
  const next =
    others[
      nearestBox(
        box,
        others.map((one) => one.box),
        direction,
      ) ?? -1
    ] ?? null;
  if (direction === "up" || direction === "down") {
    // If the next element is out of sight, the page scrolls instead, so that the text before it can be read. At the
    // bottom of the page the focus starts again at the top. At the top it stays.
    if (next && !isOutOfSight(next.box)) return next;
    return scrolls(direction) ? null : (next ?? (direction === "down" ? all[0] : null) ?? null);
  }
  // At the end of a row come the link "See all", or else the further buttons of the last card.
  const at = cardTargets.indexOf(from);
  if (!next && direction === "right")
    return all.find(({ element }) => element === rowLinkOf(from)) ?? cardTargets[at + 1] ?? null;
  if (!next && at > 0) return cardTargets[at - 1] ?? null;
  // Without a picker, up and down change a select element's value, so left and right must leave it.
  if (next || !(from.element instanceof HTMLSelectElement)) return next;
  const place = all.indexOf(from);
  const neighbour =
    direction === "left"
      ? others.findLast((one) => all.indexOf(one) < place)
      : others.find((one) => all.indexOf(one) > place);
  return neighbour ?? null;
}

function findInCard(from: Target, own: readonly Target[], direction: Direction): Target | undefined {
  const at = own.indexOf(from);
  const isLarge = own[0]?.element.matches(".go-on-card");
  if (direction === (isLarge ? "right" : "down")) return own[at + 1];
  if (direction === (isLarge ? "left" : "up")) return own[at - 1];
  // The choices of an open menu may lie in one line.
  const buttons = at === 0 ? [] : own.slice(1);
  return buttons[
    nearestBox(
      from.box,
      buttons.map((one) => one.box),
      direction,
    ) ?? -1
  ];
}

/** The link "See all" of a row is at its end, after the last card. */
const rowLinkOf = ({ element }: Target) => element.closest(".row")?.querySelector(".row-head a") ?? null;

/** From "See all", left and down go back to the row. */
function findInRow(from: Target, all: readonly Target[], direction: Direction): Target | undefined {
  if (rowLinkOf(from) !== from.element || (direction !== "left" && direction !== "down")) return undefined;
  const row = from.element.closest(".row");
  return all.findLast(({ element }) => row?.contains(element) && element.matches(".card"));
}

/** Left out on the way, so that left and right go from card to card, and up and down from row to row. */
const isBesideCard = (element: HTMLElement) =>
  element.closest(".row-head") !== null ||
  (!element.matches(".card, .go-on-card") && cardItemOf(element) !== null);

const isOutOfSight = ({ top, bottom }: Box) => top > 1.4 * innerHeight || bottom < -0.4 * innerHeight;

function scrolls(direction: "up" | "down"): boolean {
  const before = scrollY;
  scrollBy({ top: (direction === "down" ? 0.6 : -0.6) * innerHeight, behavior: "instant" });
  return scrollY !== before;
}

/**
 * The element that the first arrow key focuses: the button that plays the film, or the first element below the focused
 * heading, or else the first one on the screen.
 */
function firstTarget(all: readonly Target[], focused: Element | null): Target | undefined {
  const main = document.querySelector("main");
  const top = Math.max(0, main?.contains(focused) ? (focused?.getBoundingClientRect().top ?? 0) : 0);
  const isFirst = ({ element, box }: Target) =>
    main?.contains(element) && box.top >= top && !isBesideCard(element);
  return all.find(isPlay) ?? all.find(isFirst) ?? all[0];
}

const isPlay = ({ element }: Target) => element.matches(".player-buttons > :not([data-only])");

function focus(element: HTMLElement) {
  element.focus({ preventScroll: true });
  // The page stays still while the next element is well in sight.
  const { top, bottom } = element.getBoundingClientRect();
  const block = top < 0.1 * innerHeight || bottom > 0.9 * innerHeight ? "center" : "nearest";
  element.scrollIntoView({ block, inline: "nearest", behavior: "instant" });
}

type Target = { element: HTMLElement; box: Box };

function listTargets(within: Element): Target[] {
  return [...within.querySelectorAll<HTMLElement>(focusable)].flatMap((element) => {
    const isOff =
      element.tabIndex < 0 ||
      element.matches(":disabled, [inert] *, [aria-hidden='true'] *, .genre input:not(:checked)");
    const box = isOff || !element.checkVisibility({ visibilityProperty: true }) ? null : boxOf(element);
    return box ? [{ element, box }] : [];
  });
}

/**
 * A hidden radio button or checkbox takes the box of its label. Null if the element is outside the page, like the skip
 * link.
 */
function boxOf(element: HTMLElement): Box | null {
  const rect = element.getBoundingClientRect();
  const shown = rect.width < 4 || rect.height < 4 ? element.closest("label")?.getBoundingClientRect() : rect;
  if (!shown || shown.width < 4 || shown.bottom + scrollY <= 0 || shown.right + scrollX <= 0) return null;
  const { left, right, top, bottom } = shown;
  const offset = pinnedOffset(element);
  return { left, right, top: top + offset, bottom: bottom + offset };
}

/**
 * The bars are fixed on the screen. Their boxes count as the ends of the page; otherwise nothing behind them could be
 * reached.
 */
function pinnedOffset(element: HTMLElement): number {
  if (element.closest(".bar")) return -scrollY;
  return element.closest(".tabs") ? document.documentElement.scrollHeight - innerHeight - scrollY : 0;
}
