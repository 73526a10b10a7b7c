/** The encoding that a byte order mark of UTF-16 at the start of a text names. Null: there is no such mark. */
export function utf16Of(text: Uint8Array): "utf-16le" | "utf-16be" | null {
  if (text[0] === 0xff && text[1] === 0xfe) return "utf-16le";
  return text[0] === 0xfe && text[1] === 0xff ? "utf-16be" : null;
}
