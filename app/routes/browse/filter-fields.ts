/** The filter form as its fields: what the loader says is chosen, and what the form itself says. */
export type Fields = Readonly<Record<string, readonly string[]>>;

export const chosenIn = (fields: Fields, name: string, value: string) =>
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

/** `?…` of what is filled in. The server writes it shorter; it knows the one spelling. */
export function searchOf(form: HTMLFormElement): string {
  const filled = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  return `?${new URLSearchParams(filled.filter(([, value]) => value !== ""))}`;
}
