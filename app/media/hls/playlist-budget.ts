import { mebibytes } from "#app/platform/units.ts";

export class PlaylistTooLargeError extends Error {
  override name = "PlaylistTooLargeError";
}

/** Null if the rewritten text would be too large. */
export function rewriteOrNull(rewrite: () => string): string | null {
  try {
    return rewrite();
  } catch (error) {
    if (error instanceof PlaylistTooLargeError) return null;
    throw error;
  }
}

const maxCharacters = mebibytes(64);

/**
 * Limits how much one playlist may cost, counted in characters written or read. Without it a hostile playlist of a
 * few bytes per line grows into long proxy URLs that fill the memory, and blocks the process while it is rewritten.
 */
export function createCharacterBudget(characters = maxCharacters): Spend {
  let left = characters;
  return (characters) => {
    left -= characters;
    if (left < 0) throw new PlaylistTooLargeError();
  };
}
export type Spend = (characters: number) => void;
export const costPerTag = 50;
export const costPerAttribute = 100;
export const costPerUrl = 300;
