import { mebibytes } from "#app/platform/units.ts";
import { type FilmBytes, withinBudget } from "../film/film-bytes.ts";
import {
  childrenOf,
  type EbmlElement,
  maxHeadLength,
  readEbmlText,
  readElementHead,
  readUnsigned,
} from "./ebml.ts";
import { ids } from "./element-ids.ts";

/** Finds the parts of a Matroska file. Reads only the heads of elements, and the parts that are requested. */

/** More than any film has beside its index. A file that needs more is refused. */
const maxReadBytes = mebibytes(2);
/** A film with subtitles in 25 languages has an index of 2 MiB, because muxers list each line there. */
const maxIndexBytes = mebibytes(8);
const maxTopLevel = 64;

export type MatroskaFile = {
  docType: string;
  size: number;
  /** The position where the content of the segment begins. Other positions in a file count from here. */
  segmentStart: number;
  firstCluster: number | null;
  parts: ReadonlyMap<number, EbmlElement>;
  /** The content of a part; empty if the file has none, or ends within it. */
  read(id: number): Uint8Array;
  /** The content of the index. Empty also if the index is larger than that of any film, which plays without it. */
  readIndex(): Uint8Array;
  readHead(at: number): EbmlElement | null;
  readAt(at: number, length: number): Uint8Array;
};

/** Null: the file is not Matroska. */
export function openMatroska(film: FilmBytes): MatroskaFile | null {
  const bounded = withinBudget(film, maxReadBytes);
  const header = readHeadAt(bounded, 0);
  if (header?.id !== ids.header || header.end === null || header.end > 4096) return null;
  const content = bounded.read(header.start, header.end - header.start);
  const docType = [...childrenOf(content)].find(({ id }) => id === ids.docType);
  const segment = readHeadAt(bounded, header.end);
  if (segment?.id !== ids.segment) return null;
  const { parts, firstCluster } = findParts(bounded, segment.start);
  return {
    docType: docType ? readEbmlText(docType.content) : "matroska",
    size: film.size,
    segmentStart: segment.start,
    firstCluster,
    parts,
    read(id) {
      const part = parts.get(id);
      return part ? contentOf(bounded, part) : new Uint8Array();
    },
    readIndex() {
      const part = parts.get(ids.cues);
      const isUsable = part && part.end !== null && part.end - part.start <= maxIndexBytes;
      return isUsable ? contentOf(film, part) : new Uint8Array();
    },
    readHead: (at) => readHeadAt(bounded, at),
    readAt: bounded.read,
  };
}

/** Reads the head of the element at the position `at` of the file. */
export function readHeadAt(film: FilmBytes, at: number): EbmlElement | null {
  if (at < 0 || at >= film.size) return null;
  const head = readElementHead(film.read(at, maxHeadLength), 0);
  return head && { id: head.id, start: at + head.start, end: head.end === null ? null : at + head.end };
}

function contentOf(film: FilmBytes, { start, end }: EbmlElement): Uint8Array {
  if (end === null || end > film.size) return new Uint8Array();
  return film.read(start, end - start);
}

/** Finds the parts before the first cluster, and the parts after it that the list of parts names. */
function findParts(film: FilmBytes, segmentStart: number) {
  const parts = new Map<number, EbmlElement>();
  let firstCluster: number | null = null;
  let at = segmentStart;
  for (let count = 0; count < maxTopLevel; count++) {
    const part = readHeadAt(film, at);
    if (part?.id === ids.cluster) firstCluster = at;
    if (!part || part.end === null || firstCluster !== null) break;
    if (!parts.has(part.id)) parts.set(part.id, part);
    at = part.end;
  }
  const list = parts.get(ids.seekHead);
  const listed = list ? listParts(contentOf(film, list)) : [];
  // A list can name a second list at the end of the file.
  const second = listed.find(({ id }) => id === ids.seekHead);
  const secondList = second && readHeadAt(film, segmentStart + second.position);
  if (secondList?.id === ids.seekHead) listed.push(...listParts(contentOf(film, secondList)));
  for (const { id, position } of listed) {
    const part = parts.has(id) ? null : readHeadAt(film, segmentStart + position);
    if (part?.id === id) parts.set(id, part);
  }
  return { parts, firstCluster };
}

function listParts(seekHead: Uint8Array) {
  const listed: { id: number; position: number }[] = [];
  for (const { id, content } of childrenOf(seekHead)) {
    if (id !== ids.seek) continue;
    const values = new Map([...childrenOf(content)].map((child) => [child.id, readUnsigned(child.content)]));
    const partId = values.get(ids.seekId);
    const position = values.get(ids.seekPosition);
    if (partId !== undefined && position !== undefined) listed.push({ id: partId, position });
    if (listed.length >= maxTopLevel) break;
  }
  return listed;
}
