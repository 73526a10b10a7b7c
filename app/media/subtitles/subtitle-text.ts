import type { Piece } from "../film/edition.ts";
import type { SubtitleScript } from "../film/inspection.ts";
import { readAssLines } from "./ass-script.ts";
import { scriptOfLines } from "./block-script.ts";
import { type Line, toCues, toWebVtt } from "./cues.ts";
import { readSrtLines } from "./srt.ts";
import { decodeText } from "./text-encoding.ts";

/** `vtt`: WebVTT for the browser; `ass`: the script itself for the player that draws it. */
export type SubtitleForm = "vtt" | "ass";

export type SubtitleJob = {
  kind: "subtitles";
  bytes: Uint8Array;
  format: SubtitleScript;
  form: SubtitleForm;
  /** A BCP 47 tag, if the language of a file is known. */
  language?: string | null;
  /** The head of the script, if the bytes are the lines of a film's track. Left out: the bytes are a file. */
  head?: string;
  /** The pieces of an ordered edition in which the lines are shown. */
  pieces?: readonly Piece[] | null;
};

/** WebVTT needs no reader, because it is sent as it is. */
const readers: Record<Exclude<SubtitleScript, "vtt">, (script: string) => Line[]> = {
  ass: readAssLines,
  srt: readSrtLines,
};

/** Writes subtitles in the requested form. */
export function writeSubtitles({ bytes, format, form, language, head, pieces = null }: SubtitleJob): string {
  const text =
    head === undefined ? decodeText(bytes, language) : scriptOfLines(bytes, format, { head, pieces });
  if (format === form || format === "vtt") return text;
  return toWebVtt(toCues(readers[format](text)));
}
