import { z } from "zod";
import { maxEpisodeNumber } from "#app/domain/catalog/catalog.ts";
import { findWord } from "#app/domain/spelling.ts";
import { fail } from "#app/http/endpoint/error-response.server.ts";
import { readRequestBytes } from "#app/http/endpoint/request-body.server.ts";
import {
  aliasOf,
  declaredRequired,
  describedAs,
  integer,
  oneOfWords,
} from "#app/http/endpoint/wire-schema.ts";
import { instantInput } from "#app/platform/instant.ts";
import { kibibytes } from "#app/platform/units.ts";
import { mustBeDate, mustBeOneOf, mustNotBeEmpty } from "#app/platform/validation-messages.ts";

/** All accepted spellings of input. The parsed value has the canonical spelling, which answers use too. */

export const wordInput = <const Words extends readonly string[]>(words: Words) =>
  describedAs(
    z.string().transform((text, checks): Words[number] => {
      const word = findWord(words, text);
      if (word !== null) return word;
      checks.addIssue({ code: "custom", message: mustBeOneOf(words) });
      return z.NEVER;
    }),
    oneOfWords(words),
  ).meta({ description: "Also in lower case, spaces as _" });

/** A number or its digits. The domain checks whether the id exists. */
export const idInput = describedAs(
  z
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
    .pipe(z.int("must be a positive integer").positive("must be a positive integer")),
  { anyOf: [integer(1), { type: "string", pattern: "^\\d+$" }] },
);

export const episodeInput = idInput.pipe(z.int().max(maxEpisodeNumber));

const minTime = Date.UTC(1970, 0, 1);

export const timeInput = describedAs(
  instantInput.refine((date) => date.getTime() >= minTime, "must not be before 1970"),
  { type: "string", format: "date-time" },
);

/** A calendar date. A time after the date is ignored without converting the zone, so the day stays as written. */
export const dateInput = describedAs(z.string(), { type: "string", format: "date" })
  // Anchored: otherwise, in a text of many T before a line break, it would begin again at each of them.
  .transform((text) => text.trim().replace(/^([^T]*)T.*$/, "$1"))
  .pipe(z.iso.date(mustBeDate))
  // PostgreSQL has no year 0.
  .refine((date) => !date.startsWith("0000"), mustBeDate);

/** Both cases are in the pattern, since the OpenAPI document has no place for flags. */
const hexColor = /^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/;

export const colorInput = z
  .string()
  .trim()
  .regex(hexColor, "must be a color, #rrggbb or #rgb")
  .transform((color) => (color.length === 4 ? color.replace(/[0-9a-f]/gi, "$&$&") : color));

export const switchInput = describedAs(
  z
    .enum(["1", "0", "true", "false"])
    .default("0")
    .transform((text) => text === "1" || text === "true"),
  { type: "boolean", default: false },
);

/** Names of the same field, the canonical one first. If a request has several of them, the first in this list is used. */
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

export const withAliases = <const Names extends readonly string[], Schema extends z.ZodType>(
  names: Names,
  schema: Schema,
  { isRequired = false } = {},
) =>
  Object.fromEntries(
    names.map((name, at) => {
      if (at > 0) return [name, aliasOf(names[0] ?? "", schema.optional())];
      return [name, isRequired ? declaredRequired(schema.optional()) : schema.optional()];
    }),
  ) as Spelled<Names, Schema>;

export function firstAliasIn<
  const Names extends readonly string[],
  Body extends { [Name in Names[number]]?: unknown },
>(names: Names, body: Body): Body[Names[number]] | undefined {
  const firstPresent = names.find((name: Names[number]) => body[name] !== undefined);
  return firstPresent === undefined ? undefined : body[firstPresent as Names[number]];
}

/**
 * For a deletion that deletes everything unless the query names these. Refuses `?id=`, which would count as missing, and
 * a body with fields, which nothing reads: both mean less than everything.
 */
export async function requireSelectorInQuery(request: Request, ...names: string[]) {
  const body = await readRequestBytes(request, kibibytes(256));
  if (!["", "{}"].includes(body.toString().replace(/\s+/g, ""))) {
    const message = `The body must be empty: name ${names.join(" and ")} in the query`;
    throw fail("invalid", message, [{ path: "", message }]);
  }
  const { searchParams } = new URL(request.url);
  const empty = names.filter((name) => searchParams.getAll(name).includes(""));
  if (empty.length > 0)
    throw fail(
      "invalid",
      `${empty.join(", ")}: ${mustNotBeEmpty}`,
      empty.map((path) => ({ path, message: mustNotBeEmpty })),
    );
}

export const titleIdInput = z
  .object(withAliases(inputAliases.animeId, idInput, { isRequired: true }))
  .transform((body, checks) => {
    const malId = firstAliasIn(inputAliases.animeId, body);
    if (malId !== undefined) return { malId };
    checks.addIssue({ code: "custom", path: ["animeId"], message: "is missing" });
    return z.NEVER;
  });
