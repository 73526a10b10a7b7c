import type { Readable } from "node:stream";
import { kibibytes } from "./units.ts";

/**
 * Joins the parts of a body before anything holds them. Node and undici make a buffer of each chunk (RFC 9112, section
 * 7.1) and of each packet, and a buffer of one byte takes hundreds. Without this, a body of 256 KiB in chunks of one byte
 * would fill the heap of a small site, whether anybody reads it or not, and each chunk would be passed on by itself.
 */

const pieceBytes = kibibytes(4);

/**
 * A parser takes microseconds for each part, however short it is. Films and pictures, and what clients send, come in
 * longer or fewer parts.
 */
const maxShortParts = 20_000;
const minBytesPerPart = 32;

export const tooManyParts = "ERR_TOO_MANY_PARTS";
const tooManyPartsError = () =>
  Object.assign(new Error("the body is sent in too many parts"), { code: tooManyParts });

type Options = {
  /** Called once if the body has too many short parts. It should close the connection. Left out: it may have any number. */
  refuse?: ((error: Error) => void) | undefined;
  /** How long a piece waits for further parts if all before it are read. Left out: until it is full or the body ends. */
  maxHoldMs?: number;
};

/** Call before the first part arrives; parts that have arrived before stay as they are. */
export function joinParts(body: Readable, { refuse, maxHoldMs }: Options): void {
  const push = body.push.bind(body);
  let piece: Buffer | undefined;
  let length = 0;
  let parts = 0;
  let bytes = 0;
  let timer: NodeJS.Timeout | undefined;

  /** False if no more should be read for now. */
  const pushPiece = (): boolean => {
    clearTimeout(timer);
    timer = undefined;
    const joined = piece?.subarray(0, length);
    piece = undefined;
    length = 0;
    return joined === undefined || body.destroyed || push(joined);
  };

  /** Pieces of a few bytes take as much memory as whole ones, so they wait while others are unread. */
  const pushLate = () => {
    timer = undefined;
    if (body.readableLength === 0 || body.destroyed) pushPiece();
    else timer = setTimeout(pushLate, maxHoldMs);
  };

  const add = (part: Buffer): boolean => {
    const hasRoom = length + part.byteLength <= pieceBytes || pushPiece();
    if (part.byteLength >= pieceBytes) return push(part);
    // Most bodies are a single part, which is not copied.
    if (piece === undefined) piece = part;
    else {
      if (piece.byteLength < pieceBytes) piece = Buffer.concat([piece], pieceBytes);
      part.copy(piece, length);
    }
    length += part.byteLength;
    if (length === pieceBytes) return pushPiece();
    if (maxHoldMs !== undefined) timer ??= setTimeout(pushLate, maxHoldMs);
    return hasRoom;
  };

  let isRefused = false;
  body.push = (part: Buffer | null): boolean => {
    if (isRefused) return false;
    if (part === null) {
      pushPiece();
      return push(null);
    }
    parts++;
    bytes += part.byteLength;
    if (!refuse || parts <= maxShortParts || bytes >= parts * minBytesPerPart) return add(part);
    isRefused = true;
    refuse(tooManyPartsError());
    return false;
  };
}
