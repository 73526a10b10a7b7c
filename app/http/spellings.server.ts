import { z } from "zod";
import { mostEpisodes } from "../domain/catalog/catalog.ts";
import { findWord } from "../domain/spelling.ts";
import { fail } from "./error-response.server.ts";

/** Every spelling that is accepted besides the one that is sent back, in one place; what comes out is canonical. */

/** A word of a closed set: as label or as slug, in any letter case. */
export const spelledWord = <const Words extends readonly string[]>(words: Words) =>
  z
    .string()
    .meta({ description: `One of ${words.join(", ")}; also in lower case, spaces as _` })
    .transform((spelled, checks): Words[number] => {
      const word = findWord(words, spelled);
      if (word !== undefined) return word;
      checks.addIssue({ code: "custom", message: `must be one of ${words.join(", ")}` });
      return z.NEVER;
    });

/** As a number or as its digits. Which ids exist is for the catalog to say. */
export const spelledId = z
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
export const spelledEpisode = spelledId.pipe(z.int().max(mostEpisodes));

const earliest = Date.UTC(1970, 0, 1);

/** ISO 8601, with a zone or as a bare date in UTC. */
export const spelledMoment = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], "must be an ISO 8601 time with a zone")
  .transform((text) => new Date(text))
  .refine((date) => date.getTime() >= earliest, "must not lie before 1970");

/** A day of the calendar. A time behind it is let go: the day is the one that was written. */
export const spelledDate = z
  .string()
  .transform((text) => text.trim().replace(/T.*$/, ""))
  .pipe(z.iso.date("must be a date of the calendar"))
  // A year that PostgreSQL does not know.
  .refine((date) => !date.startsWith("0000"), "must be a date of the calendar");

const accent = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

/** `#rrggbb`, or `#rgb` for short. */
export const spelledColor = z
  .string()
  .trim()
  .regex(accent, "must be a color, #rrggbb or #rgb")
  .transform((color) => (color.length === 4 ? color.replace(/[0-9a-f]/gi, "$&$&") : color));

/** A switch in a query. */
export const spelledSwitch = z
  .enum(["1", "0", "true", "false"])
  .default("0")
  .transform((text) => text === "1" || text === "true");

/** Names that mean the same field, the canonical one first; the first that is given counts. */
export const spellings = {
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
export const spelled = <const Names extends readonly string[], Schema extends z.ZodType>(
  names: Names,
  schema: Schema,
) => Object.fromEntries(names.map((name) => [name, schema.optional()])) as Spelled<Names, Schema>;

export function firstOf<
  const Names extends readonly string[],
  Body extends { [Name in Names[number]]?: unknown },
>(names: Names, body: Body): Body[Names[number]] | undefined {
  const given = names.find((name: Names[number]) => body[name] !== undefined);
  return given === undefined ? undefined : body[given as Names[number]];
}

/** Left empty, a parameter that narrows a deletion would widen it to everything. */
export function refuseEmpty(request: Request, ...names: string[]) {
  const { searchParams } = new URL(request.url);
  const empty = names.filter((name) => searchParams.getAll(name).includes(""));
  if (empty.length > 0)
    throw fail(
      "invalid",
      `${empty.join(", ")}: must not be empty`,
      empty.map((path) => ({ path, message: "must not be empty" })),
    );
}

/** A body that names a title. */
export const aboutTitle = z.object(spelled(spellings.animeId, spelledId)).transform((body, checks) => {
  const malId = firstOf(spellings.animeId, body);
  if (malId !== undefined) return { malId };
  checks.addIssue({ code: "custom", path: ["animeId"], message: "is missing" });
  return z.NEVER;
});
