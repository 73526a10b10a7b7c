import { SaxesParser } from "saxes";

/** Reads title and plot of notes (NFO), which media library programs write beside films. */

export type NotesTexts = { title: string | null; plot: string | null };

const names = ["title", "plot"] as const;
/** A longer text is ignored. No person writes one by hand. */
const maxLengths = { title: 300, plot: 8_000 };

/**
 * Reads only elements directly in the root element; deeper ones belong to actors and sets. Notes with a DOCTYPE are not
 * read, because its entities could grow to any size. Errors after the texts are ignored, since some programs append the
 * URL of a page to the XML.
 */
export function textsOfNotes(xml: string): NotesTexts {
  const texts: NotesTexts = { title: null, plot: null };
  const parser = new SaxesParser();
  let depth = 0;
  let value = "";
  const stop = (why: string) => {
    throw new Error(why);
  };
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("doctype", () => {
    texts.title = null;
    texts.plot = null;
    stop("it has a DOCTYPE");
  });
  parser.on("opentag", ({ name }) => {
    depth++;
    if (depth === 1 && name !== "tvshow" && name !== "movie") stop(`its root is ${name}`);
    if (depth === 2) value = "";
  });
  const take = (piece: string) => {
    if (depth === 2) value += piece;
  };
  parser.on("text", take);
  parser.on("cdata", take);
  parser.on("closetag", ({ name }) => {
    const known = depth === 2 ? names.find((one) => one === name) : undefined;
    if (known !== undefined) texts[known] ??= tidyNote(value, maxLengths[known]);
    depth--;
  });
  try {
    parser.write(xml.replace(/^\uFEFF/, "")).close();
  } catch {
    // Texts found before the error are kept.
  }
  return texts;
}

/** Lone surrogates and control characters other than line breaks cannot be stored or shown. */
function tidyNote(text: string, maxLength: number): string | null {
  const tidy = text
    .toWellFormed()
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/[^\P{Cc}\n]/gu, " ")
    .trim();
  return tidy === "" || tidy.length > maxLength ? null : tidy;
}
