import type { Readable } from "node:stream";

/** Memory of a stream's pieces that is used again. */

type GiveBack = (piece: Buffer) => void;
const piecesGivenBack = new WeakMap<Readable, GiveBack>();

/** Returns each piece of this body to `giveBack` once the socket has taken it. */
export function reusePieces(body: Readable, giveBack: GiveBack) {
  piecesGivenBack.set(body, giveBack);
}

export const giveBackOf = (body: Readable): GiveBack | undefined => piecesGivenBack.get(body);
