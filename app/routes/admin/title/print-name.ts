/** The name of the hidden field beside a text field. It contains the hash of the text that the page showed. */
export const printName = (name: string) => `was ${name}`;
