/** Which of the boxes on a page lies nearest in one direction. */

export type Direction = "left" | "right" | "up" | "down";
export type Box = { left: number; right: number; top: number; bottom: number };

/** How much what lies askew counts as farther: little, so that the next line of a page comes before what lies below it. */
const askew = 0.3;

/** The index of the nearest box; null: none lies in that direction. To the left and right only what is in the same line counts. */
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
    if (ahead <= 2 || (!isVertical && aside > 0)) return;
    const off = Math.abs(middle(across(box)) - middle(across(from)));
    const distance = gap(along(from), along(box)) + askew * aside + off / 10 + ahead / 100;
    if (distance >= least) return;
    least = distance;
    nearest = index;
  });
  return nearest;
}

type Span = [start: number, end: number];
const middle = ([start, end]: Span) => (start + end) / 2;
const gap = ([start, end]: Span, [otherStart, otherEnd]: Span) =>
  Math.max(0, otherStart - end, start - otherEnd);
