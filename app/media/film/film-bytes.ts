/** The bytes of a film as its readers see them, and the error for a damaged film. */

/** A file or a part of it. A read that returns fewer bytes than requested has reached its end. */
export type FilmBytes = { readonly size: number; read(at: number, length: number): Uint8Array };

/** The file breaks the rules of its format, or makes its reader read more than a film needs. */
export class DamagedFilm extends Error {
  override name = "DamagedFilm";
}

/** Refuses a film that makes its reader read more than a film needs. */
export function withinBudget(film: FilmBytes, budget: number): FilmBytes {
  let left = budget;
  return {
    size: film.size,
    read(at, length) {
      left -= length;
      if (left < 0) throw new DamagedFilm("the index of the film is larger than a film needs");
      return film.read(at, length);
    },
  };
}
