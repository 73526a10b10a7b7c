import { isChangedEarly } from "#app/ui/forms/early-change.ts";

/** The values of the filter form, by field name. */
export type Fields = Readonly<Record<string, readonly string[]>>;

export const isChosen = (fields: Fields, name: string, value: string) =>
  fields[name]?.includes(value) ?? false;
export const valueIn = (fields: Fields, name: string) => fields[name]?.[0] ?? "";

const isOfTags = ({ name }: HTMLInputElement) => /^(add-)?(not-)?tag$/.test(name);

/** The change of the form that has led to another address: one field, or sending the whole form. */
export type OwnChange = "field" | "form";

/**
 * Shows the values in the form. After a change by the form itself, only the tag fields are updated: an added tag has
 * become a chosen one. The others may hold a newer choice.
 */
export function showFields(form: HTMLFormElement, fields: Fields, ownChange: OwnChange | undefined) {
  for (const element of form.elements) {
    if (ownChange && !isOfTags(element as HTMLInputElement)) continue;
    if (ownChange === "field" && isUnfinishedTag(element as HTMLInputElement)) continue;
    if (element instanceof HTMLInputElement && /radio|checkbox/.test(element.type))
      element.checked = (fields[element.name] ?? [""]).includes(element.value);
    else if (element instanceof HTMLInputElement || element instanceof HTMLSelectElement)
      element.value = valueIn(fields, element.name);
  }
}

/** Years in the wrong order change places, as they do in the address. */
export function sortYears(form: HTMLFormElement) {
  const [from, to] = ["from", "to"].map((name) => form.elements.namedItem(name) as HTMLSelectElement);
  if (from && to && to.value !== "" && from.value > to.value) [from.value, to.value] = [to.value, from.value];
}

/** Whether a filter was chosen before the scripts had loaded. */
export const hasEarlyChange = (form: HTMLFormElement): boolean =>
  [...form.elements].some(
    (field) =>
      (field instanceof HTMLSelectElement ||
        (field instanceof HTMLInputElement && !isUnfinishedTag(field))) &&
      isChangedEarly(field),
  );

/** Whether the field holds an unfinished tag: text that is not one of the offered tags. */
export function isUnfinishedTag({ name, value, list }: HTMLInputElement): boolean {
  if (!name.startsWith("add-")) return false;
  const typed = value.trim().toLowerCase();
  return ![...(list?.options ?? [])].some((option) => option.value.toLowerCase() === typed);
}

/**
 * The query string of the filled-in fields. A tag that is still being typed counts only when the form is sent. The
 * server redirects to the canonical address, which is shorter.
 */
export function searchOf(form: HTMLFormElement, isSent: boolean): string {
  const filled = new FormData(form);
  for (const field of form.elements)
    if (!isSent && field instanceof HTMLInputElement && isUnfinishedTag(field)) filled.delete(field.name);
  const chosen = [...filled].filter(([, value]) => value !== "");
  return `?${new URLSearchParams(chosen.map(([name, value]) => [name, String(value)]))}`;
}
