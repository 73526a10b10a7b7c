import type { z } from "zod";

/**
 * Texts that describe what is wrong with a value. They follow the name of its field. The API, forms, imported files and
 * the environment use the same text for the same error.
 */

export const mustBeOneOf = (words: readonly unknown[]) => `must be one of ${words.join(", ")}`;
export const mustBeWithin = (noun: string, min: number, max: number) =>
  `must be ${noun} from ${min} to ${max}`;
export const mustNotBeEmpty = "must not be empty";
export const mustBeEmail = "must be an e-mail address";
export const mustBeDate = "must be a date, YYYY-MM-DD";
export const mustBeTimeZone = "must be the name of a time zone";
export const mustBeTime = "must be an ISO 8601 time, such as 2026-01-31T18:30:00Z";
export const mustNameDayByMonth =
  "must name the day by month and day, YYYY-MM-DD: weeks and days of a year are not read";

const kinds: Record<string, string> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

const formats: Record<string, string> = {
  email: mustBeEmail,
  url: "must be an address",
  uuid: "must be an id",
  date: mustBeDate,
  datetime: mustBeTime,
};

const units: Record<string, string> = { string: " characters", array: " entries", object: " fields" };

/** For `safeParse(value, { error: issueText })`. A schema's own messages take precedence. */
export const issueText: z.core.$ZodErrorMap = (issue) => {
  const unit = "origin" in issue ? (units[String(issue.origin)] ?? "") : "";
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is missing" : `must be ${kinds[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return mustBeOneOf(issue.values);
    case "invalid_format":
      return formats[issue.format] ?? "has the wrong format";
    case "too_small":
      if (unit === "") return `must be at least ${issue.minimum}`;
      return issue.minimum === 1 ? mustNotBeEmpty : `needs at least ${issue.minimum}${unit}`;
    case "too_big":
      return unit === "" ? `must be at most ${issue.maximum}` : `must have at most ${issue.maximum}${unit}`;
    case "unrecognized_keys":
      return `has unknown fields: ${issue.keys.join(", ").slice(0, 80)}`;
    case "invalid_union":
      return "has none of the accepted forms";
    default:
      return "is not valid";
  }
};
