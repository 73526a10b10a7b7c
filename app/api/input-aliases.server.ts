import { z } from "zod";
import { maxEpisodeNumber } from "#app/domain/catalog/catalog.ts";
import { findWord } from "#app/domain/spelling.ts";
import { fail } from "#app/http/endpoint/error-response.server.ts";
import { mustBeDate, mustBeOneOf, mustBeTime, mustNotBeEmpty } from "#app/platform/validation-messages.ts";

/** Every spelling that is accepted besides the one that is sent back, in one place; what comes out is canonical. */

/** A word of a closed set: as label or as slug, in any letter case. */
export const wordInput = <const Words extends readonly string[]>(words: Words) =>
  z
    .string()
    .meta({ description: `One of ${words.join(", ")}; also in lower case, spaces as _` })
    .transform((withAliases, checks): Words[number] => {
      const word = findWord(words, withAliases);
      if (word !== undefined) return word;
      checks.addIssue({ code: "custom", message: mustBeOneOf(words) });
      return z.NEVER;
    });

/** As a number or as its digits. Which ids exist is for the catalog to say. */
export const idInput = z
  .union(
    [
      z.number(),
      z
        .string()
        .regex(/^\s*\d{1,15}\s*$/)
        .transform(Number),
    ],
    "must be a positive integer",
  )
  .pipe(z.int("must be a positive integer").positive("must be a positive integer"));

/** An episode's number in its series. */
export const episodeInput = idInput.pipe(z.int().max(maxEpisodeNumber));

const earliest = Date.UTC(1970, 0, 1);

/** ISO 8601, with a zone or as a bare date in UTC. */
export const timeInput = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], mustBeTime)
  .transform((text) => new Date(text))
  .refine((date) => date.getTime() >= earliest, "must not lie before 1970");

/** A day of the calendar. A time behind it is let go: the day is the one that was written. */
export const dateInput = z
  .string()
  .transform((text) => text.trim().replace(/T.*$/, ""))
  .pipe(z.iso.date(mustBeDate))
  // A year that PostgreSQL does not know.
  .refine((date) => !date.startsWith("0000"), mustBeDate);

const accent = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

/** `#rrggbb`, or `#rgb` for short. */
export const colorInput = z
  .string()
  .trim()
  .regex(accent, "must be a color, #rrggbb or #rgb")
  .transform((color) => (color.length === 4 ? color.replace(/[0-9a-f]/gi, "$&$&") : color));

/** A switch in a query. */
export const switchInput = z
  .enum(["1", "0", "true", "false"])
  .default("0")
  .transform((text) => text === "1" || text === "true");

/** Names that mean the same field, the canonical one first; the first that is given counts. */
export const inputAliases = {
  accent: ["enfasiscolor", "enfasisColor", "enfasis"],
  parentalControl: ["parentalControl", "parental_control"],
  trackSearchHistory: ["trackSearchHistory", "track_search_history"],
  name: ["name", "username", "user_name"],
  username: ["username", "user_name"],
  animeId: ["animeId", "anime_id", "mal_id"],
  frequency: ["frequency", "frequency_of_watch"],
  avatar: ["avatar", "avatar_url"],
  banner: ["banner_image", "banner"],
} as const;

type Spelled<Names extends readonly string[], Schema extends z.ZodType> = {
  [Name in Names[number]]: z.ZodOptional<Schema>;
};

/** The fields of an object under each of their names. */
export const withAliases = <const Names extends readonly string[], Schema extends z.ZodType>(
  names: Names,
  schema: Schema,
) => Object.fromEntries(names.map((name) => [name, schema.optional()])) as Spelled<Names, Schema>;

export function firstAliasIn<
  const Names extends readonly string[],
  Body extends { [Name in Names[number]]?: unknown },
>(names: Names, body: Body): Body[Names[number]] | undefined {
  const given = names.find((name: Names[number]) => body[name] !== undefined);
  return given === undefined ? undefined : body[given as Names[number]];
}

/** Left empty, a parameter that narrows a deletion would widen it to everything. */
export function requireNonEmpty(request: Request, ...names: string[]) {
  const { searchParams } = new URL(request.url);
  const empty = names.filter((name) => searchParams.getAll(name).includes(""));
  if (empty.length > 0)
    throw fail(
      "invalid",
      `${empty.join(", ")}: ${mustNotBeEmpty}`,
      empty.map((path) => ({ path, message: mustNotBeEmpty })),
    );
}

/** A body that names a title. */
export const titleIdInput = z.object(withAliases(inputAliases.animeId, idInput)).transform((body, checks) => {
  const malId = firstAliasIn(inputAliases.animeId, body);
  if (malId !== undefined) return { malId };
  checks.addIssue({ code: "custom", path: ["animeId"], message: "is missing" });
  return z.NEVER;
});
