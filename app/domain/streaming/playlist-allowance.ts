/** What a playlist asks for is out of all proportion to what it says. */
export class PlaylistGrew extends Error {
  override name = "PlaylistGrew";
}

/**
 * A few bytes of playlist become as many addresses, each with the whole of the playlist's own before it, and the
 * process does nothing else meanwhile: both are paid for out of this, in characters written or read over.
 */
export function allowance(left = 64 * 1024 * 1024): Spend {
  return (characters) => {
    left -= characters;
    if (left < 0) throw new PlaylistGrew();
  };
}
export type Spend = (characters: number) => void;
export const charactersAnAttribute = 100;
export const charactersAnUrl = 300;
