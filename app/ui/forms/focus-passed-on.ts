import { useLayoutEffect, useRef } from "react";

/**
 * For a control, or a row of controls, that disappears when one of them is pressed. If the focus is in it then, the
 * focus moves to what took its place, or to a neighbor. Without it, the browser moves the focus to the top of the page.
 */
export function useFocusPassedOn<Leaving extends HTMLElement>() {
  const ref = useRef<Leaving>(null);
  useLayoutEffect(() => {
    const leaving = ref.current;
    const pageName = heading()?.textContent;
    const { pathname } = location;
    return () => {
      if (!leaving?.contains(document.activeElement)) return;
      const places = placesAround(leaving);
      // The same commit removes the control, and shows what replaces it.
      queueMicrotask(() => {
        if (document.activeElement !== document.body) return;
        // A step of a form has led to the next one, at the same address.
        if (heading()?.textContent === pageName) passOn(places);
        else if (location.pathname === pathname) focusHeading();
      });
    };
  }, []);
  return ref;
}

/** Moves the focus here if the control that had it is gone, as a button may be when its answer is shown. */
export const takeLostFocus = (element: HTMLElement | null | undefined) => {
  if (document.activeElement === document.body) element?.focus();
};

const heading = () => document.querySelector<HTMLElement>("main h1");

export const focusHeading = () => focusAsText(heading());

function focusAsText(element: HTMLElement | null) {
  if (element === null) return;
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

type Place = { parent: HTMLElement; index: number };

/** The elements around the control, from the inside out, each with the position of the part that has the control. */
function placesAround(leaving: HTMLElement): Place[] {
  const places: Place[] = [];
  let part = leaving;
  for (
    let parent = part.parentElement;
    parent && !parent.matches("main, body");
    parent = part.parentElement
  ) {
    places.push({ parent, index: [...parent.children].indexOf(part) });
    part = parent;
  }
  return places;
}

const focusable = ["a[href]", "button", "input:not([type=hidden])", "select", "textarea", "summary"]
  .map((control) => `${control}:not(:disabled, [tabindex="-1"])`)
  .join();

/** A screen reader reads these as a whole when they take the focus. */
const readable = "tr, li, section";

function passOn(places: readonly Place[]) {
  for (const { parent, index } of places) {
    if (!parent.isConnected) continue;
    const part = parent.children[index] ?? parent.lastElementChild;
    const next = controlIn(part) ?? controlsIn(parent).at(-1);
    // Somebody who presses Enter twice must not change a second row.
    if (part?.matches("tr, li") && !next?.matches("a")) return focusAsText(part as HTMLElement);
    if (next) return next.focus();
    if (parent.matches(readable)) return focusAsText(parent);
  }
}

const controlsIn = (parent: Element) =>
  [...parent.querySelectorAll<HTMLElement>(focusable)].filter((control) => control.checkVisibility());

/** A link rather than a button, for the same reason. */
function controlIn(part: Element | null): HTMLElement | undefined {
  if (part === null) return undefined;
  if (part.matches(focusable)) return part as HTMLElement;
  const controls = controlsIn(part);
  return controls.find((control) => control.matches("a")) ?? controls[0];
}
