import type { passedOverReasons } from "#db/schema/enumerations.ts";

/** Says why a file or folder was not taken as a film. */

/** `damaged` and `cut_off`: only reading the file shows this, so no scan stores it. */
type Reason = (typeof passedOverReasons)[number] | "damaged" | "cut_off";
export type PassedOver = { path: string; reason: Reason };

export const passedOverTexts = {
  empty: "It is empty.",
  cut_off: "It ends too early: it was not copied as a whole. Replace it.",
  damaged: "It is damaged, or no video: nothing in it can be read.",
  format: "The site cannot play this format. Convert it, for example to MKV.",
  disc_image: "It is the image of a disc. Copy the videos out of it.",
  disc_folder:
    "It is the folder of a Blu-ray or DVD, which the site does not play. Make a file of each movie or episode, for example MKV.",
  link_outside: "It is a link out of the media folder, or to a hidden folder.",
  link_broken: "It is a link that leads nowhere.",
  name: "Its name has control characters or is not UTF-8. Give it another name.",
} as const satisfies Record<Reason, string>;
