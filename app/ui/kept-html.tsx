import type { ReactElement } from "react";
import { renderToString } from "react-dom/server";

type Forms = Map<string, string | undefined>;

const kept = new WeakMap<object, Forms>();

/**
 * The HTML of a part that many pages show, which the browser hydrates like any other: React would write the same. It is kept as
 * long as the data that it shows. `form` names what else decides how it looks. What is shown for the first time may be for one
 * page only, so it has no HTML yet.
 *
 * The part is rendered outside of the page, so it can use no context. What React puts into the head of a page would come into it.
 */
export function keptHtml(data: object, form: string, part: ReactElement): string | undefined {
  const forms: Forms = kept.get(data) ?? new Map();
  if (!forms.has(form)) {
    kept.set(data, forms.set(form, undefined));
    return undefined;
  }
  const html = forms.get(form) ?? renderToString(part);
  forms.set(form, html);
  return html;
}
