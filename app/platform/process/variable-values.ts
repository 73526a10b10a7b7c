import { existsSync } from "node:fs";
import { delimiter, isAbsolute, resolve } from "node:path";
import { z } from "zod";
import { decodePercent } from "../percent-decoding.ts";
import { isLoopbackHost } from "../upstream/local-mode.ts";
import { mustBeOneOf, mustBeWithin } from "../validation-messages.ts";

/** The kinds of values of environment variables. */

export const oneOf = <const Values extends readonly string[]>(...values: Values) =>
  z.enum(values, mustBeOneOf(values));
export const flag = oneOf("0", "1").transform((value) => value === "1");
export const wholeNumber = (min: number, max: number) => {
  const error = mustBeWithin("a whole number", min, max);
  return z
    .string()
    .regex(/^\d+$/, error)
    .transform(Number)
    .refine((value) => value >= min && value <= max, error);
};
/** `http` also accepts `https`, and so on. */
export const url = (scheme: string, secure = `${scheme}s`) =>
  z.url({
    protocol: new RegExp(`^(?:${scheme}|${secure})$`),
    error: `must be a URL that begins with ${scheme}:// or ${secure}://`,
  });
/** The drivers of the database and of Redis throw on a user name or password that they cannot decode. */
export const serverUrl = (...schemes: Parameters<typeof url>) =>
  url(...schemes).refine(
    hasReadableLogin,
    "must have %25 in the place of each % in its user name and password",
  );

function hasReadableLogin(value: string): boolean {
  // zod also calls this for values that are no URL.
  if (!URL.canParse(value)) return true;
  const { username, password } = new URL(value);
  return decodePercent(username) !== null && decodePercent(password) !== null;
}

export const origin = url("http")
  .refine(
    // zod also calls this for values that `url` has refused, and `new URL` throws on them.
    (value) => URL.canParse(value) && new URL(value).pathname === "/" && !value.includes("?"),
    "must be an origin, without a path",
  )
  .transform((value) => new URL(value).origin);
export const isLoopbackOrigin = (value: string) =>
  URL.canParse(value) && isLoopbackHost(new URL(value).hostname);
/** On plain http, anyone on the network can impersonate the origin and would read members' data with their cookies. */
export const corsOrigin = origin
  .refine(
    (value) => value.startsWith("https:") || isLoopbackOrigin(value),
    "must begin with https://; only origins on this machine, such as http://localhost:5173, may begin with http://",
  )
  .refine((value) => !value.includes("*"), "must name each https origin in full, without *");
export const commaList = z.string().transform((value) =>
  value
    .split(",")
    .map((item) => item.trim())
    .filter(Boolean),
);

export const hostList = commaList.refine(
  (hosts) => hosts.every((host) => !/\s/.test(host)),
  "must be hosts, separated by commas",
);
export const signingSecret = z.string().min(32, "needs at least 32 characters");

/** A value for headers and signatures. A newline copied along with a secret would break them. */
export const headerValue = z.string().regex(/^[ -~]+$/, "must contain only ASCII characters, on one line");
export const path = z
  .string()
  .min(1)
  .transform((text) => resolve(text));

/**
 * Parses one folder, or a list as in PATH. A text is a list if every part is an absolute path and no folder exists
 * under the whole text, since a folder's name may contain the separator.
 */
export const folderList = z
  .string()
  .min(1)
  .transform((text) => {
    const parts = text.split(delimiter).filter((part) => part !== "");
    const isList = parts.length > 1 && parts.every((part) => isAbsolute(part)) && !existsSync(text);
    return [...new Set((isList ? parts : [text]).map((part) => resolve(part)))];
  });

export type Variable = {
  schema: z.ZodType;
  /** The default as written in `.env`. */
  default?: string;
  meaning: string;
  secret?: true;
};

export const variable = <T extends z.ZodType>(
  schema: T,
  meaning: string,
  options: { default?: string; secret?: true } = {},
) => ({
  schema,
  meaning,
  ...options,
});
export const optional = <T extends z.ZodType>(schema: T, meaning: string, options: { secret?: true } = {}) =>
  variable(schema.optional(), meaning, options);
