import { type RatingCode, ratingCodes, ratingLabels } from "#app/domain/catalog/catalog.ts";

/** Age ratings as people write them. */

/** A `+` in an address decodes to a space, so that `r+` may arrive as `r `: the two are read alike. */
const plusAsSpace = (text: string) => text.toLowerCase().replaceAll("+", " ").replace(/ +/g, " ");
/** `pg13` is `pg-13`; without its sign `r+` would be `r`. */
const bare = (text: string) => text.replace(/[^a-z0-9]+/g, "");
const ratingsByText = new Map<string, RatingCode>(
  ratingCodes.flatMap((code) => [
    ...(code.endsWith("+") ? [] : [[bare(code), code] as const]),
    [bare(ratingLabels[code].toLowerCase()), code] as const,
    [plusAsSpace(code), code] as const,
    [plusAsSpace(ratingLabels[code]).trim(), code] as const,
  ]),
);

export function findRating(part: string): RatingCode | undefined {
  const text = plusAsSpace(part).trimStart();
  return ratingsByText.get(text) ?? ratingsByText.get(text.trim()) ?? ratingsByText.get(bare(text));
}
