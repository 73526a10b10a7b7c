type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Whether somebody changed the field before the scripts had loaded. Compares it with what the server sent. */
export function isChangedEarly(field: Field): boolean {
  if (field instanceof HTMLSelectElement) {
    const options = [...field.options];
    const sent = options.find(({ defaultSelected }) => defaultSelected) ?? options[0];
    return sent?.selected === false;
  }
  if (field instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(field.type))
    return field.checked !== field.defaultChecked;
  return field.value !== field.defaultValue;
}
