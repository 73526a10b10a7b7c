import type { SubtitleScript } from "../film/inspection.ts";
import { readAssLines } from "./ass-script.ts";
import { scriptOfLines } from "./block-lines.ts";
import { toCues, toWebVtt } from "./cues.ts";
import { readSrtLines } from "./srt.ts";
import { decodeText } from "./text-encoding.ts";

/** As WebVTT for the browser, or as the script itself for the player that draws it. */
export type SubtitleForm = "vtt" | "ass";

export type SubtitleJob = {
  kind: "subtitles";
  bytes: Uint8Array;
  format: SubtitleScript;
  form: SubtitleForm;
  /** The bytes are the lines of a track of a film, and this is the head of its script. Left out: they are a file. */
  head?: string;
};

/** Writes subtitles in the form that is asked for, in UTF-8. */
export function writeSubtitles({ bytes, format, form, head }: SubtitleJob): string {
  const text = head === undefined ? decodeText(bytes) : scriptOfLines(bytes, format, head);
  if (format === form || format === "vtt") return text;
  return toWebVtt(toCues(format === "ass" ? readAssLines(text) : readSrtLines(text)));
}
