import { type MissingPart, missingParts } from "#app/media/film/edition.ts";
import type { Inspection } from "#app/media/film/inspection.ts";

/** Says which parts of a film are in other files. For example, all episodes can share a file with the opening. */

type Linked = Pick<Inspection, "edition" | "linkedFiles">;

/** A film that names hundreds of files would fill the page. */
const maxNamed = 8;

const lists = new Intl.ListFormat("en", { type: "conjunction" });

/** For viewers. Null: nothing is missing. */
export function missingNote(film: Linked): string | null {
  const parts = missingParts(film);
  const within = parts.filter(({ place }) => place === "within");
  const partNames = within.slice(0, maxNamed).map(nameOf);
  const more = within.length - partNames.length;
  if (more > 0) partNames.push(more === 1 ? "another part" : `${more} other parts`);
  const isOne = within.length === 1;
  const sentences = [
    within.length > 0 &&
      `This video is played without ${lists.format(partNames)}, which ${isOne ? "is in another file" : "are in other files"}.`,
    ...parts.filter(({ place }) => place !== "within").map(({ place }) => `${placed[place]}.`),
  ];
  return sentences.filter(Boolean).join(" ") || null;
}

const placed: Record<MissingPart["place"], string> = {
  within: "A part of this video is in another file",
  before: "The beginning of this video is in another file",
  after: "The rest of this video is in another file",
};

/** For operators, with the file of each part. `pathOf`: the path of the film with this id, if the site knows one. */
export function missingFiles(film: Linked, pathOf: (segmentId: string) => string | undefined): string | null {
  const parts = missingParts(film);
  const sentences = parts.slice(0, maxNamed).map((part) => {
    const { place, segmentId, fileName } = part;
    const what =
      place === "within" ? `It is played without ${nameOf(part)}, which is in another file` : placed[place];
    const path = pathOf(segmentId) ?? fileName;
    return path ? `${what}: ${path}.` : `${what}. No video in the media folder has its id, ${segmentId}.`;
  });
  const more = parts.length - sentences.length;
  if (more > 0) sentences.push(`${more} more ${more === 1 ? "part is" : "parts are"} in other files.`);
  return sentences.join(" ") || null;
}

function nameOf({ title, seconds }: MissingPart): string {
  const name = title === null ? "a part" : `“${title}”`;
  return seconds === null ? name : `${name} (${clock(seconds)})`;
}

function clock(seconds: number): string {
  const all = Math.round(seconds);
  return `${Math.floor(all / 60)}:${String(all % 60).padStart(2, "0")}`;
}
