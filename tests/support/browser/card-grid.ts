import type { Page } from "playwright";
import { lonelyCardAt } from "#app/ui/lonely-card.ts";

/** The numbers of cards after which every remainder in 3, 4 and 5 columns has occurred. */
const maxCards = 61;

/** Lays out a grid of every number of cards, in frames whose widths differ by the step. The page needs a grid of cards. */
export const faultsOfCardGrids = (page: Page, stepPx: number) =>
  page.evaluate(faultsOfGrids, {
    lonelyCards: Array.from({ length: maxCards }, (_, index) => lonelyCardAt(index + 1)),
    stepPx,
  });

/** Runs in the page. Lays out each number of cards in frames of many widths, and returns the faulty layouts. */
function faultsOfGrids({ lonelyCards, stepPx }: { lonelyCards: string[]; stepPx: number }) {
  const grid = document.querySelector<HTMLElement>(".grid-frame > .grid") as HTMLElement;
  const frame = grid.parentElement as HTMLElement;
  const card = grid.firstElementChild as HTMLElement;
  const faults: string[] = [];
  const isNear = (one: number, other: number) => Math.abs(one - other) < 1;
  for (const [index, lonely] of lonelyCards.entries()) {
    grid.replaceChildren(...Array.from({ length: index + 1 }, () => card.cloneNode(true)));
    grid.lastElementChild?.setAttribute("data-last", "true");
    grid.dataset.lonely = lonely;
    for (let width = 280; width <= 1856; width += stepPx) {
      const at = `${index + 1} cards in ${width} px`;
      frame.style.width = `${width}px`;
      const cards = [...grid.children] as [Element, ...Element[]];
      const boxOf = (part: Element | null | undefined) => (part as Element).getBoundingClientRect();
      const [first, last] = [boxOf(cards[0]), boxOf(cards.at(-1))];
      const poster = boxOf(cards.at(-1)?.querySelector(".card-poster"));
      const name = boxOf(cards.at(-1)?.querySelector(".card-name"));
      const isAlone = cards.filter((one) => isNear(boxOf(one).top, last.top)).length === 1;
      const isOnlyRow = isNear(first.top, last.top);
      const fillsRow =
        isNear(last.width, width) && poster.right < name.left && isNear(poster.height, last.height);
      const facts = boxOf(cards.at(-1)?.querySelector(".card-facts"));
      if (facts.top < name.bottom - 1) faults.push(`${at}: the facts lie above the name`);
      if (isAlone && !isOnlyRow && !fillsRow) faults.push(`${at}: one is alone`);
      if (!isNear(poster.width, first.width)) faults.push(`${at}: the last poster has another size`);
      if (first.width < 90 || first.width > 320) faults.push(`${at}: a card has ${first.width} px`);
      if (grid.scrollWidth > width) faults.push(`${at}: the grid is too wide`);
    }
  }
  return faults;
}
