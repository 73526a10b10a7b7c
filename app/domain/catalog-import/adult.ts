import { matureGenres, matureRating } from "#db/schema/enumerations.ts";

/** The maturity rule for what is not in the database yet. In the database it is the generated column `is_mature`. */
export const isAdult = ({
  rating,
  genres,
}: {
  rating?: string | null | undefined;
  genres?: readonly string[] | undefined;
}): boolean =>
  rating === matureRating ||
  (genres ?? []).some((name) => (matureGenres as readonly string[]).includes(name));
