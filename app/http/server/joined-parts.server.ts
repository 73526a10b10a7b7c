import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import { kibibytes } from "#app/platform/units.ts";

/**
 * Joins the parts of a body before anything holds them. Node makes a buffer of each chunk (RFC 9112, section 7.1) and of
 * each packet, and a buffer of one byte takes hundreds. Without this, a body of 256 KiB in chunks of one byte would fill
 * the heap of a small site, whether a route reads it or not.
 */

const pieceBytes = kibibytes(4);

/**
 * Node takes microseconds for each part, however short it is. Programs that write a body word by word stay below the
 * number of parts, and networks send longer ones.
 */
const maxShortParts = 20_000;
const minBytesPerPart = 32;

export const tooManyParts = "ERR_TOO_MANY_PARTS";
const tooManyPartsError = () =>
  Object.assign(new Error("the body is sent in too many parts"), { code: tooManyParts });

/** Call before the first part arrives. */
export function joinParts(request: IncomingMessage): void {
  const push = request.push.bind(request);
  let piece: Buffer | undefined;
  let length = 0;
  let parts = 0;
  let bytes = 0;

  /** False if Node should read no more for now. */
  const pushPiece = (): boolean => {
    const joined = piece?.subarray(0, length);
    piece = undefined;
    length = 0;
    return joined === undefined || push(joined);
  };

  const add = (part: Buffer): boolean => {
    if (length + part.byteLength > pieceBytes) pushPiece();
    if (part.byteLength >= pieceBytes) return push(part);
    // Most bodies are a single part, which is not copied.
    if (piece === undefined) piece = part;
    else {
      if (piece.byteLength < pieceBytes) piece = Buffer.concat([piece], pieceBytes);
      part.copy(piece, length);
    }
    length += part.byteLength;
    return length < pieceBytes || pushPiece();
  };

  const refuse = (): boolean => {
    const { socket } = request;
    (socket as Socket & { server?: Server }).server?.emit("clientError", tooManyPartsError(), socket);
    return false;
  };

  let isRefused = false;
  request.push = (part: Buffer | null): boolean => {
    if (isRefused) return false;
    if (part === null) {
      pushPiece();
      return push(null);
    }
    parts++;
    bytes += part.byteLength;
    isRefused = parts > maxShortParts && bytes < parts * minBytesPerPart;
    return isRefused ? refuse() : add(part);
  };
}
