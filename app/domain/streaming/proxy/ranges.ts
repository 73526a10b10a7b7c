import { type ByteRange, parseByteRange } from "#app/platform/byte-range.ts";

/** What to send for a Range, given what the upstream made of it (RFC 9110, section 14). Pure. */

type RangeRequest = { range: string | undefined; ifRange: string | undefined };

export type UpstreamAnswer = {
  status: number;
  /** Bytes of the body, where the upstream says so and they are sent as they are. */
  length: number | undefined;
  contentRange: string | undefined;
  tag: string | undefined;
  lastModified: string | undefined;
};

export type RangePlan =
  | { send: "whole"; size: number | undefined }
  /** `skip`: how far into the upstream's body the part begins, unless that body is the part already. */
  | { send: "part"; part: ByteRange; size: number | undefined; skip: number; isCutAlready: boolean }
  | { send: "unsatisfiable"; size: number | undefined }
  | { send: "nothing sensible" };

const unusablePlan: RangePlan = { send: "nothing sensible" };

/** The one range that is worth sending on; several, and what is none, are answered with the whole. */
export function singleRange(header: string | undefined): string | undefined {
  const [, first = "", last = ""] = /^\s*bytes\s*=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  if (first !== "" && last !== "" && Number(last) < Number(first)) return undefined;
  return `bytes=${first}-${last}`;
}

export function planAnswer(asked: RangeRequest, answered: UpstreamAnswer): RangePlan {
  const range = singleRange(asked.range);
  switch (answered.status) {
    case 200:
      return planFromWhole(range, asked.ifRange, answered);
    case 206:
      return planFromPart(range, answered);
    case 416:
      return range === undefined
        ? unusablePlan
        : { send: "unsatisfiable", size: sizeIn(answered.contentRange) };
    default:
      return unusablePlan;
  }
}

function planFromWhole(
  range: string | undefined,
  ifRange: string | undefined,
  answered: UpstreamAnswer,
): RangePlan {
  const size = answered.length;
  const whole: RangePlan = { send: "whole", size };
  if (range === undefined || size === undefined || !matchesIfRange(ifRange, answered)) return whole;
  const part = parseByteRange(range, size);
  if (part === null) return whole;
  return part === "unsatisfiable"
    ? { send: "unsatisfiable", size }
    : { send: "part", part, size, skip: part.start, isCutAlready: false };
}

function planFromPart(range: string | undefined, { contentRange, length }: UpstreamAnswer): RangePlan {
  const given = parseContentRange(contentRange);
  if (!given) return unusablePlan;
  const { start, end, size } = given;
  const bytes = end - start + 1;
  if (length !== undefined && length !== bytes) return unusablePlan;
  if (range === undefined) return start === 0 && bytes === size ? { send: "whole", size } : unusablePlan;
  return coversRange(range, given)
    ? { send: "part", part: { start, end }, size, skip: 0, isCutAlready: true }
    : unusablePlan;
}

type ContentRange = ByteRange & { size: number | undefined };

export function parseContentRange(header: string | undefined): ContentRange | null {
  const [, first, last, total] = /^\s*bytes\s+(\d+)-(\d+)\/(\d+|\*)\s*$/i.exec(header ?? "") ?? [];
  if (first === undefined || last === undefined || total === undefined) return null;
  const range = { start: Number(first), end: Number(last), size: total === "*" ? undefined : Number(total) };
  const isOrdered = range.start <= range.end && (range.size === undefined || range.end < range.size);
  return isOrdered && Number.isSafeInteger(range.size ?? range.end) ? range : null;
}

/** An upstream may give less than was asked for, but it must begin where the range does. */
function coversRange(range: string, { start, end, size }: ContentRange): boolean {
  const [first = "", last = ""] = range.slice("bytes=".length).split("-");
  if (first === "") return size !== undefined && end === size - 1 && end - start + 1 <= Number(last);
  return start === Number(first) && (last === "" || end <= Number(last));
}

function sizeIn(contentRange: string | undefined): number | undefined {
  const size = /^\s*bytes\s+\*\/(\d{1,15})\s*$/i.exec(contentRange ?? "")?.[1];
  return size === undefined ? undefined : Number(size);
}

/** Strong tags compare, weak ones never do; a date must be the very same (RFC 9110, section 13.1.5). */
function matchesIfRange(ifRange: string | undefined, { tag, lastModified }: UpstreamAnswer): boolean {
  if (ifRange === undefined) return true;
  const condition = ifRange.trim();
  return condition.startsWith('"') ? condition === tag : condition !== "" && condition === lastModified;
}

/** Those bytes of a body that belong to the part; the rest is neither kept nor, after the part, waited for. */
export async function* sliceBytes(
  body: AsyncIterable<Uint8Array>,
  skip: number,
  length: number,
): AsyncGenerator<Uint8Array> {
  let before = skip;
  let left = length;
  for await (const chunk of body) {
    const piece = chunk.subarray(before, before + left);
    before = Math.max(0, before - chunk.length);
    if (piece.length === 0) continue;
    left -= piece.length;
    yield piece;
    if (left === 0) return;
  }
  throw new UpstreamEndedEarly();
}

class UpstreamEndedEarly extends Error {
  override name = "EndedEarly";
}
