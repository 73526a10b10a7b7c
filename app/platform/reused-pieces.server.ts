import type { Readable } from "node:stream";

/** Connects whoever makes the pieces of a stream with their reader, so that their memory can be reused. */

type GiveBack = (piece: Buffer) => void;
const piecesGivenBack = new WeakMap<Readable, GiveBack>();

/** Returns each piece of this body to `giveBack` once the socket has taken it or its bytes are copied. */
export function reusePieces(body: Readable, giveBack: GiveBack) {
  piecesGivenBack.set(body, giveBack);
}

export const giveBackOf = (body: Readable): GiveBack | undefined => piecesGivenBack.get(body);
