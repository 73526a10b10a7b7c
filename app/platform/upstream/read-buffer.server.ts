import type { Socket } from "node:net";
import { kibibytes } from "../units.ts";

/**
 * The memory that sockets read into. Node takes 64 KiB of new memory for each read, and V8 counts memory outside its
 * heap: garbage collection would cost more time than the rest of reading. So all sockets read into one buffer, and what
 * arrived is copied to pieces, which are used again once their reader returns them.
 */
const readBuffer = Buffer.allocUnsafeSlow(kibibytes(64));
/** Less than this is copied to memory of its own size. */
const minPieceBytes = kibibytes(32);
const maxFreePieces = 32;
const freePieces: Buffer[] = [];
/** The pieces in use, and how many bytes of each hold what arrived. */
const filledBytes = new WeakMap<ArrayBufferLike, number>();

function copyOf(count: number): Buffer {
  const arrived = readBuffer.subarray(0, count);
  if (count < minPieceBytes) return Buffer.from(arrived);
  const piece = freePieces.pop() ?? Buffer.allocUnsafeSlow(readBuffer.byteLength);
  arrived.copy(piece);
  filledBytes.set(piece.buffer, count);
  return piece.subarray(0, count);
}

/** Takes back a chunk that nobody reads any more. If it is only a part of a piece, others may read the rest. */
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
