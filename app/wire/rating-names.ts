import { type RatingCode, ratingCodes, ratingLabels } from "#app/domain/catalog/catalog.ts";

/** A `+` in a query string decodes to a space, so `r+` can arrive as `r `. Both count as the same text. */
const plusAsSpace = (text: string) => text.toLowerCase().replaceAll("+", " ").replace(/ +/g, " ");
/** Accepts `pg13` for `pg-13`. Codes with a `+` are not reduced this way, because `r+` would become `r`. */
const lettersAndDigits = (text: string) => text.replace(/[^a-z0-9]+/g, "");
const ratingsByText = new Map<string, RatingCode>(
  ratingCodes.flatMap((code) => [
    ...(code.endsWith("+") ? [] : [[lettersAndDigits(code), code] as const]),
    [lettersAndDigits(ratingLabels[code].toLowerCase()), code] as const,
    [plusAsSpace(code), code] as const,
    [plusAsSpace(ratingLabels[code]).trim(), code] as const,
  ]),
);

export function findRating(part: string): RatingCode | undefined {
  const text = plusAsSpace(part).trimStart();
  return (
    ratingsByText.get(text) ?? ratingsByText.get(text.trim()) ?? ratingsByText.get(lettersAndDigits(text))
  );
}
