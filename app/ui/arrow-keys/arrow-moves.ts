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
  // The element with the focus may disappear when it is pressed. The next key then goes on from its place.
  const onFocus = ({ target }: Event) => {
    lastPlace = { path: location.pathname, box: boxOf(target as HTMLElement) };
  };
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
  return () => {
    window.removeEventListener("keydown", onKey, true);
    window.removeEventListener("focusin", onFocus);
  };
}

let lastPlace: { path: string; box: Box | null } | null = null;

function isUsed(key: string, focused: Element | null): boolean {
  const direction = directions[key];
  if (direction) return !usesArrow(focused, direction) && move(direction, focused);
  if (key === "Enter" && focused instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(focused.type)) {
    focused.click();
    return true;
  }
  if (!backKeys.includes(key) || (key === "Backspace" && isTextField(focused))) return false;
  goBack();
  return true;
}

/** True if the element itself uses the arrow key: it moves a caret, changes a value or opens a list of suggestions. */
function usesArrow(element: Element | null, direction: Direction): boolean {
  const isVertical = direction === "up" || direction === "down";
  if (element instanceof HTMLSelectElement) return isVertical;
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
  const dialog = openDialog();
  if (dialog) dialog.close();
  else if (document.fullscreenElement) void document.exitFullscreen();
  else history.back();
}

const openDialog = () => [...document.querySelectorAll<HTMLDialogElement>("dialog[open]")].at(-1);

function move(direction: Direction, focused: Element | null): boolean {
  const all = listTargets(openDialog() ?? document.fullscreenElement ?? document.body);
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
  const distance = (one: Target) => Math.abs(one.box.top - box.top) + Math.abs(one.box.left - box.left);
  return [...all].sort((one, other) => distance(one) - distance(other))[0] ?? null;
}

/**
 * Left out are further buttons of the cards in a row, such as Remove: between two cards they would be a stop. In a list
 * of lines, all controls of a line are reached.
 */
function isBesideCard({ element }: Target): boolean {
  const card = element.closest("li");
  const next = card?.nextElementSibling ?? card?.previousElementSibling;
  if (!card || !next || card.querySelector(focusable) === element) return false;
  const [own, other] = [card.getBoundingClientRect(), next.getBoundingClientRect()];
  return card.querySelector(".card") !== null && Math.abs(own.top - other.top) < own.height / 2;
}

function findNext(from: Target, all: readonly Target[], direction: Direction): Target | null {
  const others = all.filter((one) => one !== from && !isBesideCard(one));
  const boxes = others.map(({ box }) => box);
  const next = others[nearestBox(from.box, boxes, direction) ?? -1] ?? null;
  if (direction === "up" || direction === "down") {
    // If the next element is out of sight, the page scrolls instead, so that the text before it can be read. At the end
    // of the page the focus starts again at the other end.
    if (next && !isOutOfSight(next.box)) return next;
    return scrolls(direction) ? null : (next ?? all.at(direction === "up" ? -1 : 0) ?? null);
  }
  // Up and down change the value of a select element, so left and right must leave it even if no box lies beside it.
  const neighbour = others[all.indexOf(from) + (direction === "left" ? -1 : 0)];
  return next ?? (from.element instanceof HTMLSelectElement ? (neighbour ?? null) : null);
}

const isOutOfSight = ({ top, bottom }: Box) => top > 1.4 * innerHeight || bottom < -0.4 * innerHeight;

function scrolls(direction: "up" | "down"): boolean {
  const before = scrollY;
  scrollBy({ top: (direction === "down" ? 0.6 : -0.6) * innerHeight, behavior: "instant" });
  return scrollY !== before;
}

/**
 * The element that the first arrow key focuses: the first one below the focused heading, or else the first one on the
 * screen.
 */
function firstTarget(all: readonly Target[], focused: Element | null): Target | undefined {
  const main = document.querySelector("main");
  const top = Math.max(0, main?.contains(focused) ? (focused?.getBoundingClientRect().top ?? 0) : 0);
  return all.find(({ element, box }) => main?.contains(element) && box.top >= top) ?? all[0];
}

function focus(element: HTMLElement) {
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
}

type Target = { element: HTMLElement; box: Box };

function listTargets(within: Element): Target[] {
  return [...within.querySelectorAll<HTMLElement>(focusable)].flatMap((element) => {
    const isOff = element.tabIndex < 0 || element.matches(":disabled, [inert] *, [aria-hidden='true'] *");
    const box = isOff || !element.checkVisibility({ visibilityProperty: true }) ? null : boxOf(element);
    return box ? [{ element, box }] : [];
  });
}

/**
 * A hidden radio button or checkbox takes the box of its label. Null if the element is outside the page, like the skip
 * link.
 */
function boxOf(element: HTMLElement): Box | null {
  const own = element.getBoundingClientRect();
  const shown = own.width < 4 || own.height < 4 ? element.closest("label")?.getBoundingClientRect() : own;
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
