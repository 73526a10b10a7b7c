import type { Inspection } from "#app/media/film/inspection.ts";
import { extensionOf, filmFormats } from "#app/platform/media-types.ts";
import type { passedOverReasons } from "#db/schema/enumerations.ts";

/** Says, for operators, why a file or folder was not taken as a film, or why a film cannot be played. */

/** Why a film cannot be played, or not to its end. Only reading its file shows this, so no scan stores it. */
export type UnreadableReason = keyof typeof unreadableFilmTexts;

export const unreadableFilmTexts = {
  empty: "It is empty.",
  "cut-off": "It ends too early: it was not copied as a whole. Replace it.",
  damaged: "It is damaged, or no video: nothing in it can be read.",
  encrypted: "It is encrypted, so only programs of its seller can play it.",
  compressed:
    "Its picture or sound is compressed in a way that browsers do not read. Write it anew without that, for example with mkvmerge --compression -1:none.",
};

export type ReadFile = {
  path: string;
  size: number;
  inspection: Pick<Inspection, "container" | "obstacle">;
};

/** Undefined: the file can be read, or is of a format of which the site knows nothing. */
export function unreadableOf({ path, size, inspection }: ReadFile): UnreadableReason | undefined {
  const { container, obstacle } = inspection;
  if (obstacle === "encrypted" || obstacle === "compressed") return obstacle;
  if (container === "mp4" && obstacle === "cut-off") return obstacle;
  if (container !== "other" || !filmFormats.has(extensionOf(path))) return undefined;
  if (size === 0) return "empty";
  return obstacle === "cut-off" ? obstacle : "damaged";
}

type Reason = (typeof passedOverReasons)[number] | UnreadableReason;
export type PassedOver = { path: string; reason: Reason };

export const passedOverTexts: Readonly<Record<Reason, string>> = {
  ...unreadableFilmTexts,
  format: "The site cannot play this format. Convert it, for example to MKV.",
  disc_image: "It is the image of a disc. Copy the videos out of it.",
  disc_folder:
    "It is the folder of a Blu-ray or DVD, which the site does not play. Make a file of each movie or episode, for example MKV.",
  link_outside: "It is a link out of the media folder, or to a hidden folder.",
  link_broken: "It is a link that leads nowhere.",
  name: "Its name has control characters, begins with a dot, or is not UTF-8. Give it another name.",
};
