import { mebibytes } from "#app/platform/units.ts";

/** What a playlist asks for is out of all proportion to what it says. */
export class PlaylistTooLargeError extends Error {
  override name = "PlaylistGrew";
}

/**
 * A few bytes of playlist become as many addresses, each with the whole of the playlist's own before it, and the
 * process does nothing else meanwhile: both are paid for out of this, in characters written or read over.
 */
export function createCharacterBudget(left = mebibytes(64)): Spend {
  return (characters) => {
    left -= characters;
    if (left < 0) throw new PlaylistTooLargeError();
  };
}
export type Spend = (characters: number) => void;
export const costPerAttribute = 100;
export const costPerUrl = 300;
