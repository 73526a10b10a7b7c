import { kibibytes } from "#app/platform/units.ts";
import { costPerUrl, PlaylistTooLargeError, type Spend } from "./playlist-budget.ts";

/** EXT-X-DEFINE (RFC 8216bis, 4.4.2.3): what a playlist defines, and what references to it stand for. Pure. */

/** Values by name. */
export type Variables = ReadonlyMap<string, string>;
export const noVariables: Variables = new Map();

/** One attribute of a list (RFC 8216bis, 4.2): its name and a quoted string, or what reaches to the comma. */
export const attributePattern = /([:,]\s*)([^\s=,:"]+)(\s*=\s*)("[^"]*"|[^",\s]*)/g;

export const defineTag = "#EXT-X-DEFINE:";
const reference = /\{\$([A-Za-z0-9_-]+)\}/g;

/** A reference to what nobody defined stays as it is: the address fails where it is asked for, and says so. */
export function substitute(text: string, defined: Variables): string {
  if (defined.size === 0 || !text.includes("{$")) return text;
  let length = text.length;
  return text.replace(reference, (whole, name: string) => {
    const value = defined.get(name) ?? whole;
    length += value.length;
    if (length > maxSubstitutedLength) throw new PlaylistTooLargeError();
    return value;
  });
}

/** Definitions made of definitions grow many times over at every step, and no address is this long. */
const maxSubstitutedLength = kibibytes(64);
/** Each of them travels in the address of every child. */
const maxDefinitions = 1000;

/** The playlist's own variables: given by value, taken from its address, or imported (RFC 8216bis, 4.4.2.3). */
export function definitionsOf(text: string, base: string, imported: Variables, spend: Spend): Variables {
  if (!text.includes(defineTag)) return noVariables;
  const parameters = queryParameters(base);
  const defined = new Map<string, string>();
  for (const line of text.split(/[\r\n]+/)) {
    if (!line.trimStart().startsWith(defineTag)) continue;
    spend(costPerUrl);
    const given = new Map<string, string>();
    for (const [, , name = "", , value = ""] of line.matchAll(attributePattern))
      given.set(name, substitute(value.replace(/^"|"$/g, ""), defined));
    const name = given.get("NAME") ?? given.get("IMPORT") ?? given.get("QUERYPARAM");
    const value =
      given.get("VALUE") ??
      (given.has("IMPORT") ? imported.get(name ?? "") : parameters.get(given.get("QUERYPARAM") ?? ""));
    if (name !== undefined && value !== undefined && !defined.has(name)) defined.set(name, value);
    if (defined.size > maxDefinitions) throw new PlaylistTooLargeError();
  }
  return defined;
}

/** Percent-decoded as the draft says, so that a plus stays a plus; of two with one name the first counts. */
function queryParameters(base: string): Variables {
  const parameters = new Map<string, string>();
  for (const pair of new URL(base).search.slice(1).split("&")) {
    const equals = pair.indexOf("=");
    const name = percentDecoded(pair.slice(0, Math.max(0, equals)));
    if (equals > 0 && !parameters.has(name)) parameters.set(name, percentDecoded(pair.slice(equals + 1)));
  }
  return parameters;
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
