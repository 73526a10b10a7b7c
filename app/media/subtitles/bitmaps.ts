import type { Piece } from "../film/edition.ts";
import type { BitmapFormat } from "../film/inspection.ts";
import { unpackLines } from "./block-lines.ts";
import { readPgs } from "./pgs.ts";
import { writeSup } from "./sup.ts";
import { readVobSub } from "./vobsub.ts";

export type BitmapJob = {
  kind: "bitmaps";
  /** The blocks of a film's track, as `packLines` writes them. */
  bytes: Uint8Array;
  format: BitmapFormat;
  head: string;
  /** The pieces of an ordered edition in which the pictures are shown. */
  pieces: readonly Piece[] | null;
  /** The largest file to be written. */
  maxBytes: number;
};

/** Writes subtitles that are pictures as a `.sup` file. Empty: there are too many pictures, or they are too large. */
export function writeBitmaps({ bytes, format, head, pieces, maxBytes }: BitmapJob): Uint8Array<ArrayBuffer> {
  const shown = format === "pgs" ? readPgs(blocksOf(bytes)) : readVobSub(head, blocksOf(bytes));
  return writeSup(shown, { pieces, maxBytes }) ?? new Uint8Array();
}

function* blocksOf(packed: Uint8Array) {
  for (const { text, ...times } of unpackLines(packed)) yield { ...times, bytes: text };
}
