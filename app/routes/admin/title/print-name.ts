/** The hidden field beside a text field. It holds the print of the text that the page showed. */
export const printName = (name: string) => `was ${name}`;
