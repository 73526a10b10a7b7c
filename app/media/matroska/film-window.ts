import type { FilmBytes } from "../film/film-bytes.ts";
import { childrenOf, readElementHead, readUnsigned } from "./ebml.ts";
import { ids } from "./element-ids.ts";
import { openMatroska, readHeadAt } from "./matroska-file.ts";

/**
 * A view of a film with only one track, which begins at the cluster at `at`; `head` comes from `windowHead`. The
 * packets of a segment are at the beginning of this view, so its reader needs no index and reads nothing before them.
 */
export function openWindow(film: FilmBytes, head: Uint8Array, at: number): FilmBytes {
  return {
    size: head.length + film.size - at,
    read(from, length) {
      if (from >= head.length) return film.read(at + from - head.length, length);
      const first = head.subarray(from, from + length);
      if (first.length === length) return first;
      return Buffer.concat([first, film.read(at, length - first.length)]);
    },
  };
}

/**
 * Writes the head of a Matroska segment of unknown size, with the film's clock and the description of the track.
 * `hasOthers`: the descriptions of all other tracks follow, for a reader that gives up at a packet of an unknown track.
 */
export function windowHead(
  film: FilmBytes,
  track: number,
  { hasOthers }: { hasOthers: boolean },
): Uint8Array {
  const file = openMatroska(film);
  const header = readHeadAt(film, 0);
  if (!file || header?.end == null) return new Uint8Array();
  const unknownSize = Uint8Array.of(0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff);
  return Buffer.concat([
    film.read(0, header.end),
    idBytes(ids.segment),
    unknownSize,
    element(ids.info, file.read(ids.info)),
    element(ids.tracks, entriesOf(file.read(ids.tracks), track, hasOthers)),
  ]);
}

const idBytes = (id: number) => Buffer.from(id.toString(16).padStart(2, "0"), "hex");

function element(id: number, content: Uint8Array): Uint8Array {
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(0x0100000000000000n | BigInt(content.length));
  return Buffer.concat([idBytes(id), size, content]);
}

/** The entries of the tracks with their heads, the wanted track first. */
function entriesOf(tracks: Uint8Array, track: number, hasOthers: boolean): Uint8Array {
  const entries: Uint8Array[] = [];
  for (let at = 0; at < tracks.length; ) {
    const entry = readElementHead(tracks.subarray(at), 0);
    if (!entry || entry.end === null) break;
    const content = tracks.subarray(at + entry.start, at + entry.end);
    const whole = tracks.subarray(at, at + entry.end);
    if (entry.id === ids.trackEntry && numberOf(content) === track) entries.unshift(whole);
    else if (entry.id === ids.trackEntry && hasOthers) entries.push(whole);
    at += entry.end;
  }
  return Buffer.concat(entries);
}

function numberOf(entry: Uint8Array): number | null {
  for (const { id, content } of childrenOf(entry)) if (id === ids.trackNumber) return readUnsigned(content);
  return null;
}
