/** The bytes of a film as its readers see them, and the error that ends the reading of a damaged one. */

/** A file or a part of it. Fewer bytes than asked for mean that it ends there. */
export type FilmBytes = { readonly size: number; read(at: number, length: number): Uint8Array };

/** The file breaks the rules of its format, or asks for more than a film needs. */
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
