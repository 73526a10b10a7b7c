import { wordKey } from "./normalise.ts";

/**
 * Reads names out of a list in an address: the whole value as one name, else its parts between commas, else
 * those between underscores; neighbouring parts that make one name together are one.
 */
export function readNames<Name>(
  value: string,
  find: (key: string) => Name | undefined,
): { found: Name[]; unknown: string[] } {
  return take(value, [",", "_"], find);
}

function take<Name>(
  value: string,
  separators: readonly string[],
  find: (key: string) => Name | undefined,
): { found: Name[]; unknown: string[] } {
  const whole = find(wordKey(value));
  if (whole !== undefined) return { found: [whole], unknown: [] };
  const [separator, ...finer] = separators;
  if (separator === undefined) return { found: [], unknown: value.trim() === "" ? [] : [value.trim()] };
  const parts = value.split(separator);
  if (parts.length === 1) return take(value, finer, find);
  const result: { found: Name[]; unknown: string[] } = { found: [], unknown: [] };
  for (let at = 0; at < parts.length; ) {
    const end = longestName(parts, at, separator, find);
    const { found, unknown } = take(parts.slice(at, end).join(separator), finer, find);
    result.found.push(...found);
    result.unknown.push(...unknown);
    at = end;
  }
  return result;
}

/** No name has more parts than this, and lists of thousands stay cheap. */
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
