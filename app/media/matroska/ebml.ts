import { DamagedFilm } from "../film/film-bytes.ts";

/** Reads EBML (RFC 8794), the format below Matroska, from files that may lie about every size. */

export type EbmlElement = {
  id: number;
  /** Where the content begins and ends. `end` is null if the size is unknown, as in a live recording. */
  start: number;
  end: number | null;
};

/** An element's id has up to 4 bytes, and its size up to 8. */
export const maxHeadLength = 12;

/** Reads the head of the element at `at`. Null if the bytes end before the head does, or if no element begins there. */
export function readElementHead(bytes: Uint8Array, at: number): EbmlElement | null {
  const idLength = Math.clz32(bytes[at] ?? 0) - 23;
  const sizeAt = at + idLength;
  const sizeLength = Math.clz32(bytes[sizeAt] ?? 0) - 23;
  if (idLength > 4 || sizeLength > 8 || sizeAt + sizeLength > bytes.length) return null;
  const id = readNumber(bytes, at, idLength);
  const start = sizeAt + sizeLength;
  const { value, isUnknown } = readSize(bytes, sizeAt, sizeLength);
  if (isUnknown) return { id, start, end: null };
  return Number.isSafeInteger(start + value) ? { id, start, end: start + value } : null;
}

/** A number of variable length without its marker bit. All bits set mean an unknown size (RFC 8794, 6.2). */
export function readSize(bytes: Uint8Array, at: number, length: number) {
  let value = (bytes[at] ?? 0) & (0xff >> length);
  let isUnknown = value === 0xff >> length;
  for (let next = at + 1; next < at + length; next++) {
    value = value * 256 + (bytes[next] ?? 0);
    isUnknown &&= bytes[next] === 0xff;
  }
  return { value, isUnknown };
}

function readNumber(bytes: Uint8Array, at: number, length: number): number {
  let value = 0;
  for (let next = at; next < at + length; next++) value = value * 256 + (bytes[next] ?? 0);
  return value;
}

/** No index or list of a film has more entries. */
const maxChildren = 200_000;

/** The children of an element whose content is `bytes`. A child must end within its parent. */
export function* childrenOf(bytes: Uint8Array): Generator<{ id: number; content: Uint8Array }> {
  let at = 0;
  for (let count = 0; at < bytes.length; count++) {
    const child = readElementHead(bytes, at);
    if (!child || child.end === null || child.end > bytes.length || count >= maxChildren)
      throw new DamagedFilm("an element does not end within the one around it");
    yield { id: child.id, content: bytes.subarray(child.start, child.end) };
    at = child.end;
  }
}

export type ChildFields = ReadonlyMap<number, Uint8Array>;

/** If several children have the same id, the last one counts, as everywhere in Matroska where only one is allowed. */
export const childFields = (content: Uint8Array): ChildFields =>
  new Map([...childrenOf(content)].map((child) => [child.id, child.content]));

export function readUnsigned(content: Uint8Array): number {
  const value = content.length > 8 ? Number.NaN : readNumber(content, 0, content.length);
  if (!Number.isSafeInteger(value)) throw new DamagedFilm("a number is too large");
  return value;
}

export function readFloat(content: Uint8Array): number {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  const value =
    content.length === 8 ? view.getFloat64(0) : content.length === 4 ? view.getFloat32(0) : Number.NaN;
  if (!Number.isFinite(value)) throw new DamagedFilm("a number is not one");
  return value;
}

const maxTextLength = 500;

/**
 * Reads a name that is shown to people: control characters and everything after a null byte are left out. The cut can
 * halve a character outside of the basic plane, and the database refuses half a character.
 */
export function readEbmlText(content: Uint8Array): string {
  const end = content.indexOf(0);
  const bytes = content.subarray(0, Math.min(end < 0 ? content.length : end, 4 * maxTextLength));
  return new TextDecoder()
    .decode(bytes)
    .replace(/[\p{Cc}\p{Cf}]/gu, "")
    .trim()
    .slice(0, maxTextLength)
    .toWellFormed();
}
