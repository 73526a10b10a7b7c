import type { z } from "zod";

/** What is wrong with a value, in words that follow its name. A schema's own words come before these. */

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
  email: "an e-mail address",
  url: "an address",
  uuid: "an id",
  date: "a date",
  datetime: "a date and time",
};

const units: Record<string, string> = { string: " characters", array: " entries", object: " fields" };

export const issueWords: z.core.$ZodErrorMap = (issue) => {
  const unit = "origin" in issue ? (units[String(issue.origin)] ?? "") : "";
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is missing" : `is not ${kinds[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `is none of: ${issue.values.map(String).join(", ")}`;
    case "invalid_format":
      return `is not ${formats[issue.format] ?? "written as it should be"}`;
    case "too_small":
      return unit !== "" && issue.minimum === 1 ? "is empty" : `has to be at least ${issue.minimum}${unit}`;
    case "too_big":
      return `has to be at most ${issue.maximum}${unit}`;
    case "unrecognized_keys":
      return `has fields that are not known here: ${issue.keys.join(", ").slice(0, 80)}`;
    case "invalid_union":
      return "has none of the forms that are taken here";
    default:
      return "is not valid";
  }
};
