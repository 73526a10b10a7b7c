import type { Piece } from "../film/edition.ts";
import type { BitmapFormat } from "../film/inspection.ts";
import { unpackLines } from "./block-lines.ts";
import { readPgs } from "./pgs.ts";
import { writeSup } from "./sup.ts";
import { readSupFile } from "./sup-file.ts";
import { readVobSub } from "./vobsub.ts";
import { readUnits } from "./vobsub-files.ts";

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

export type BitmapFileJob = {
  kind: "bitmap file";
  /** The bytes of a `.sup` file, or of a `.sub` file from `index.offset` on. */
  bytes: Uint8Array;
  /** The text of the `.idx` file and the stream in it. */
  index: { text: string; stream: number; offset: number } | null;
  maxBytes: number;
};

/** Checks the pictures of files beside a film and writes them anew. Empty: there are too many, or they are too large. */
export function writeBitmapFile({
  bytes,
  index,
  maxBytes,
}: Omit<BitmapFileJob, "kind">): Uint8Array<ArrayBuffer> {
  const shown = index
    ? readVobSub(index.text, readUnits(index.text, { number: index.stream, bytes, offset: index.offset }))
    : readPgs(readSupFile(bytes));
  return writeSup(shown, { pieces: null, maxBytes }) ?? new Uint8Array();
}
