import { text } from "node:stream/consumers";
import { SaxesParser } from "saxes";
import { openMediaFile } from "#app/domain/films/films.server.ts";
import { kibibytes } from "#app/platform/units.ts";

/** Reads notes (NFO), which media library programs write beside films: `tvshow.nfo` and `movie.nfo`. */

/** `type` is the attribute of that name. */
export type NotesElement = { name: string; type: string; text: string };

const maxNotesBytes = kibibytes(256);

/** Returns a function that reads the notes at this path. Null if there are none, or if they are empty or too large. */
export async function openNotes(path: string): Promise<(() => Promise<NotesElement[]>) | null> {
  const opened = await openMediaFile(path);
  if (!opened.ok || opened.value.size === 0 || opened.value.size > maxNotesBytes) return null;
  return async () => elementsOfNotes(await text(opened.value.read(null)));
}

/**
 * Returns only elements directly in the root element; deeper ones belong to actors and sets. Notes with a DOCTYPE are
 * not read, because its entities could grow to any size. Elements before an error are kept, since some programs append
 * the URL of a page to the XML.
 */
export function elementsOfNotes(xml: string): NotesElement[] {
  const elements: NotesElement[] = [];
  const parser = new SaxesParser();
  let depth = 0;
  let current: NotesElement = { name: "", type: "", text: "" };
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("doctype", () => {
    throw new Error("it has a DOCTYPE");
  });
  parser.on("opentag", ({ name, attributes }) => {
    depth++;
    if (depth === 1 && name !== "tvshow" && name !== "movie") throw new Error(`its root is ${name}`);
    if (depth === 2) current = { name, type: String(attributes.type ?? ""), text: "" };
  });
  const addText = (piece: string) => {
    if (depth === 2) current.text += piece;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", () => {
    if (depth === 2) elements.push(current);
    depth--;
  });
  try {
    parser.write(xml.replace(/^\uFEFF/, "")).close();
  } catch {
    // The elements found before the error are returned.
  }
  return elements;
}
