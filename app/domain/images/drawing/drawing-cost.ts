import { seconds } from "#app/platform/units.ts";
import { CannotRender } from "../render-job.ts";
import { type Drawing, type DrawingElement, readDrawing } from "./drawing-tree.ts";

/**
 * Estimates the cost of drawing an SVG before anything is drawn. A drawing of one kilobyte can request a billion
 * elements, through elements that use each other, or filters that take minutes.
 */

/** `work`: milliseconds per million pixels for filters and surfaces, measured with librsvg on one core. */
type Cost = { elements: number; points: number; work: number };

const maxElements = 50_000;
const maxPoints = 500_000;
/**
 * The estimate assumes that every filter covers the whole picture, which few do. A drawing that is slower than
 * estimated is stopped while it is drawn.
 */
const maxEstimatedMs = seconds(15);
const maxReferenceDepth = 500;
/** Keeps sums finite, because infinity times zero is not a number. */
const maxCost = 1e15;

/** Throws `CannotRender` if the drawing is unreadable, or too complex at any size. Returns the work per pixel. */
export function judgeDrawing(text: string): { work: number; embedded: string[] } {
  const drawing = readDrawing(text);
  const cost = createCostOf(drawing)(drawing.root, 0);
  // Work that is not a number would pass any comparison. It comes from a filter's size such as "1.2.3".
  const isComplex = cost.elements > maxElements || cost.points > maxPoints || !Number.isFinite(cost.work);
  if (isComplex) throw new CannotRender("too_complex");
  return { work: cost.work, embedded: drawing.embedded };
}

export const isTooMuchWork = (pixels: number, work: number) => (pixels / 1e6) * work > maxEstimatedMs;

/** Elements that are drawn only if something refers to them. */
const definitions = new Set(
  "defs symbol clipPath mask pattern marker filter linearGradient radialGradient".split(" "),
);

function createCostOf({ byId }: Drawing) {
  const known = new Map<DrawingElement, Cost>();
  const nothing: Cost = { elements: 0, points: 0, work: 0 };

  function costOf(element: DrawingElement, depth: number): Cost {
    const knownCost = known.get(element);
    if (knownCost) return knownCost;
    if (depth > maxReferenceDepth) throw new CannotRender("too_complex");
    // An element that uses itself adds no cost, because librsvg does not draw it.
    known.set(element, nothing);
    const cost: Cost = { elements: 1, points: element.points, work: element.surfaceWork };
    for (const child of element.children)
      if (!definitions.has(child.name)) add(cost, costOf(child, depth + 1));
    for (const { id, kind } of element.references) {
      const target = byId.get(id);
      if (!target) continue;
      const drawn = costOf(target, depth + 1);
      const times = kind === "inherited" ? cost.elements : kind === "marker" ? cost.points + 1 : 1;
      add(cost, drawn, times);
      if (kind === "filter") add(cost, { ...nothing, work: workOfFilter(target) });
    }
    known.set(element, cost);
    return cost;
  }

  return costOf;
}

function add(to: Cost, { elements, points, work }: Cost, times = 1) {
  to.elements = Math.min(maxCost, to.elements + elements * times);
  to.points = Math.min(maxCost, to.points + points * times);
  to.work = Math.min(maxCost, to.work + work * times);
}

const workOfFilter = (filter: DrawingElement) =>
  filter.children.reduce((sum, primitive) => sum + workOfPrimitive(primitive), 0);

/** A map, because an element can have the name of any property of objects. */
const workOfName = new Map([
  ["feGaussianBlur", 600],
  ["feDropShadow", 800],
  ["feDiffuseLighting", 550],
  ["feSpecularLighting", 600],
  ["feDisplacementMap", 1000],
  ["feFlood", 30],
  ["feOffset", 30],
  ["feTile", 30],
]);
const workOfOther = 350;
/** librsvg computes no more octaves than this. */
const maxOctaves = 9;

/** Radii are in units of the drawing, which usually are pixels. */
function workOfPrimitive({ name, attributes }: DrawingElement): number {
  const numbers = (text: string | undefined) => (text ?? "").match(/[\d.]+/g)?.map(Number) ?? [];
  switch (name) {
    case "feTurbulence":
      return 150 * Math.min(maxOctaves, Math.max(1, numbers(attributes.numOctaves)[0] ?? 1));
    case "feMorphology": {
      const [x = 0, y = x] = numbers(attributes.radius);
      return 25 * (2 * x + 1) * (2 * y + 1);
    }
    case "feConvolveMatrix": {
      const [x = 3, y = x] = numbers(attributes.order);
      return 50 * x * y;
    }
    default:
      return workOfName.get(name) ?? workOfOther;
  }
}
