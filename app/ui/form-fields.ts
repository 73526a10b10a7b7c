import { type BrowseQuery, formatBrowse, wordOf } from "./browse-query.ts";

/** The filter form's fields for a query: as its address, but genres are one field each. */
export function fieldsOf(query: BrowseQuery): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(formatBrowse(query)))
    fields.set(name, [...(fields.get(name) ?? []), value]);
  for (const genre of query.genres) fields.set(wordOf(genre), ["with"]);
  for (const genre of query.without) fields.set(wordOf(genre), ["without"]);
  fields.set("sort", [query.sort]);
  return fields;
}

export function showFields(form: HTMLFormElement, fields: Map<string, string[]>) {
  for (const element of form.elements) {
    if (element instanceof HTMLInputElement && /radio|checkbox/.test(element.type))
      element.checked = (fields.get(element.name) ?? [""]).includes(element.value);
    else if (element instanceof HTMLInputElement || element instanceof HTMLSelectElement)
      element.value = fields.get(element.name)?.[0] ?? "";
  }
}
