/** Finds the nearest of the boxes on a page in one direction. */

export type Direction = "left" | "right" | "up" | "down";
export type Box = { left: number; right: number; top: number; bottom: number };

/**
 * The weight of the sideways distance. It is small, so that a box in the next line comes before a box that lies
 * straight below but farther away.
 */
const askew = 0.3;
/** A line whose boxes lie far aside is still nearer than a line well below it. */
const maxAskew = 100;

/**
 * Returns the index of the nearest box, or null if there is none in that direction. Left and right consider only boxes
 * in the same line, up and down only others: the cards of a row differ in height.
 */
export function nearestBox(from: Box, boxes: readonly Box[], direction: Direction): number | null {
  const isVertical = direction === "up" || direction === "down";
  const sign = direction === "down" || direction === "right" ? 1 : -1;
  const along = (box: Box): Span => (isVertical ? [box.top, box.bottom] : [box.left, box.right]);
  const across = (box: Box): Span => (isVertical ? [box.left, box.right] : [box.top, box.bottom]);
  let nearest: number | null = null;
  let least = Number.POSITIVE_INFINITY;
  boxes.forEach((box, index) => {
    const ahead = sign * (middle(along(box)) - middle(along(from)));
    const aside = gap(across(from), across(box));
    if (ahead <= 2 || (!isVertical && !overlaps(across(from), across(box)))) return;
    if (isVertical && aside > 0 && isSameLine(along(from), along(box))) return;
    const off = Math.abs(middle(across(box)) - middle(across(from)));
    const distance =
      gap(along(from), along(box)) + Math.min(askew * aside + off / 10, maxAskew) + (ahead + off / 10) / 100;
    if (distance >= least) return;
    least = distance;
    nearest = index;
  });
  return nearest;
}

type Span = [start: number, end: number];
const middle = ([start, end]: Span) => (start + end) / 2;
/** Two lines that only touch, such as the position of a film and the buttons below it, do not overlap. */
const overlaps = ([start, end]: Span, [otherStart, otherEnd]: Span) =>
  Math.min(end, otherEnd) - Math.max(start, otherStart) > 1;
/** The shorter of the two lies beside the other by more than half. */
const isSameLine = ([start, end]: Span, [otherStart, otherEnd]: Span) =>
  Math.min(end, otherEnd) - Math.max(start, otherStart) > Math.min(end - start, otherEnd - otherStart) / 2;
const gap = ([start, end]: Span, [otherStart, otherEnd]: Span) =>
  Math.max(0, otherStart - end, start - otherEnd);
