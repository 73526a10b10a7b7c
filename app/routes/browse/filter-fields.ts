/** The values of the filter form, by field name. */
export type Fields = Readonly<Record<string, readonly string[]>>;

export const isChosen = (fields: Fields, name: string, value: string) =>
  fields[name]?.includes(value) ?? false;
export const valueIn = (fields: Fields, name: string) => fields[name]?.[0] ?? "";

export function showFields(form: HTMLFormElement, fields: Fields) {
  for (const element of form.elements) {
    if (element instanceof HTMLInputElement && /radio|checkbox/.test(element.type))
      element.checked = (fields[element.name] ?? [""]).includes(element.value);
    else if (element instanceof HTMLInputElement || element instanceof HTMLSelectElement)
      element.value = valueIn(fields, element.name);
  }
}

/** The query string of the filled-in fields. The server redirects to the canonical one, which is shorter. */
export function searchOf(form: HTMLFormElement): string {
  const filled = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  return `?${new URLSearchParams(filled.filter(([, value]) => value !== ""))}`;
}
