import { wordKey } from "./normalise.ts";

/**
 * Reads a list of names from a query parameter. It tries the whole value as one name, then splits it at commas, then at
 * underscores. Neighbouring parts that together form a name (`slice_of_life`, `Yamamura Animation, Inc.`) stay
 * together.
 */
export function readNames<Name>(
  value: string,
  find: (key: string) => Name | undefined,
  separators: readonly string[] = [",", "_"],
): { found: Name[]; unknown: string[] } {
  const whole = find(wordKey(value));
  if (whole !== undefined) return { found: [whole], unknown: [] };
  const [separator, ...finer] = separators;
  if (separator === undefined) return { found: [], unknown: value.trim() === "" ? [] : [value.trim()] };
  const parts = value.split(separator);
  if (parts.length === 1) return readNames(value, find, finer);
  const result: { found: Name[]; unknown: string[] } = { found: [], unknown: [] };
  for (let at = 0; at < parts.length; ) {
    const end = longestName(parts, at, separator, find);
    const { found, unknown } = readNames(parts.slice(at, end).join(separator), find, finer);
    result.found.push(...found);
    result.unknown.push(...unknown);
    at = end;
  }
  return result;
}

/** No name has more parts. Without this limit, reading a list of thousands of names would take too long. */
const maxNameParts = 4;

function longestName<Name>(
  parts: readonly string[],
  from: number,
  separator: string,
  find: (key: string) => Name | undefined,
): number {
  for (let end = Math.min(parts.length, from + maxNameParts); end > from + 1; end--)
    if (find(wordKey(parts.slice(from, end).join(separator))) !== undefined) return end;
  return from + 1;
}
