import { matureGenres, matureRating } from "#db/schema/enumerations.ts";

/**
 * The maturity rule for records that are not in the database yet. For stored titles, the generated column `is_mature`
 * has the same rule.
 */
export const isAdult = ({
  rating,
  genres,
}: {
  rating?: string | null | undefined;
  genres?: readonly string[] | undefined;
}): boolean =>
  rating === matureRating ||
  (genres ?? []).some((name) => (matureGenres as readonly string[]).includes(name));
