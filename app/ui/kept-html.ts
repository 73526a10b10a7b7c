import { LRUCache } from "lru-cache";
import type { ReactElement } from "react";
import { renderToString } from "react-dom/server";
import { mebibytes } from "#app/platform/units.ts";

/** A character takes two bytes where a name is Japanese. */
const kept = new LRUCache<string, string>({
  maxSize: mebibytes(16),
  sizeCalculation: (html) => 2 * html.length,
});

type Shown = { id: number; forms: Set<string> };

/** Most data is shown once, for one page. Nothing is kept of it then. */
const shown = new WeakMap<object, Shown>();
let lastId = 0;

/**
 * The HTML of a part that many pages show, which the browser hydrates like any other: React would write the same. `form` names
 * what besides the data decides how it looks; parts of two kinds never show the same data. What is shown for the first time may
 * be for one page only, so it has no HTML yet.
 *
 * The part is rendered outside of the page: it can use no context and no hooks (`useId` would give all pages the same id), and
 * what React puts into the head of a page would come into it.
 */
export function keptHtml(data: object, form: string, part: ReactElement): string | undefined {
  const { id, forms } = shown.get(data) ?? { id: ++lastId, forms: new Set<string>() };
  if (!forms.has(form)) {
    shown.set(data, { id, forms: forms.add(form) });
    return undefined;
  }
  const key = `${id} ${form}`;
  const html = kept.get(key) ?? renderToString(part);
  kept.set(key, html);
  return html;
}
