import { kibibytes } from "#app/platform/units.ts";
import { costPerUrl, PlaylistTooLargeError, type Spend } from "./playlist-budget.ts";

/** EXT-X-DEFINE (RFC 8216bis, 4.4.2.3): the variables a playlist defines, and their substitution. */

export type Variables = ReadonlyMap<string, string>;
export const noVariables: Variables = new Map();

/**
 * One attribute of an attribute list (RFC 8216bis, 4.2): a name with a quoted string, or with text up to the next
 * comma.
 */
export const attributePattern = /([:,]\s*)([^\s=,:"]+)(\s*=\s*)("[^"]*"|[^",\s]*)/g;

export const defineTag = "#EXT-X-DEFINE:";
const reference = /\{\$([A-Za-z0-9_-]+)\}/g;

/**
 * Replaces references once; a reference inside a value stays as it is (RFC 8216bis, 4.3). An undefined variable stays
 * in the URL, so that the request for that URL fails with an error that shows it.
 */
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

/** A long value can be used many times in one URL. No real URL is this long. */
const maxSubstitutedLength = kibibytes(64);
/** Every definition is repeated in the proxy URL of every child playlist. */
const maxDefinitions = 1000;

/**
 * A variable is defined by value (NAME), from the playlist's own URL (QUERYPARAM) or by the parent (IMPORT) (RFC
 * 8216bis, 4.4.2.3). References in a definition are not replaced.
 */
export function definitionsOf(text: string, base: string, imported: Variables, spend: Spend): Variables {
  if (!text.includes(defineTag)) return noVariables;
  const parameters = queryParameters(base);
  const defined = new Map<string, string>();
  for (const line of text.split(/[\r\n]+/)) {
    if (!line.trimStart().startsWith(defineTag)) continue;
    spend(costPerUrl);
    const attributes = new Map<string, string>();
    for (const [, , name = "", , value = ""] of line.matchAll(attributePattern))
      attributes.set(name, value.replace(/^"|"$/g, ""));
    const name = attributes.get("NAME") ?? attributes.get("IMPORT") ?? attributes.get("QUERYPARAM");
    const value =
      attributes.get("VALUE") ??
      (attributes.has("IMPORT")
        ? imported.get(name ?? "")
        : parameters.get(attributes.get("QUERYPARAM") ?? ""));
    if (name !== undefined && value !== undefined && !defined.has(name)) defined.set(name, value);
    if (defined.size > maxDefinitions) throw new PlaylistTooLargeError();
  }
  return defined;
}

/**
 * Not `URLSearchParams`: the draft requires percent-decoding only, so a plus stays a plus. If a name occurs twice, the
 * first value counts.
 */
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
