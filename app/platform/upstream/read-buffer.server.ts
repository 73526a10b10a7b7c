import type { Socket } from "node:net";
import { kibibytes } from "../units.ts";

/**
 * The memory that sockets read into. Node takes 64 KiB of new memory for each read, and V8 counts memory outside its
 * heap: garbage collection would cost more time than the rest of reading. So all sockets read into one buffer. The bytes
 * that arrived are copied to pieces, which are reused once their reader returns them.
 */
const readBuffer = Buffer.allocUnsafeSlow(kibibytes(64));
/** Fewer bytes are copied to new memory of their own size. */
const minPieceBytes = kibibytes(32);
const maxFreePieces = 32;
const freePieces: Buffer[] = [];
/** The pieces in use, and how many bytes of each are filled. */
const filledBytes = new WeakMap<ArrayBufferLike, number>();

function copyOf(count: number): Buffer {
  const arrived = readBuffer.subarray(0, count);
  if (count < minPieceBytes) return Buffer.from(arrived);
  const piece = freePieces.pop() ?? Buffer.allocUnsafeSlow(readBuffer.byteLength);
  arrived.copy(piece);
  filledBytes.set(piece.buffer, count);
  return piece.subarray(0, count);
}

/** Takes back a chunk that has been read. Ignores a part of a piece, because the rest may still be unread. */
export function returnPiece({ buffer, byteOffset, byteLength }: Buffer) {
  if (byteOffset !== 0 || filledBytes.get(buffer) !== byteLength) return;
  filledBytes.delete(buffer);
  if (freePieces.length < maxFreePieces) freePieces.push(Buffer.from(buffer));
}

/** The option of a new connection. `socketOf` returns its socket, which exists when something arrives. */
export const readingShared = (socketOf: () => Socket) => ({
  buffer: readBuffer,
  callback: (count: number) => socketOf().push(copyOf(count)),
});
