import { type ByteRange, parseByteRange } from "#app/platform/byte-range.ts";

/** Decides what to send for a Range header, given the upstream's response (RFC 9110, section 14). No I/O. */

type RangeRequest = { range: string | undefined; ifRange: string | undefined };

export type UpstreamAnswer = {
  status: number;
  /** Length of the body; undefined if the upstream does not state it, or if the body is decoded on the way. */
  length: number | undefined;
  contentRange: string | undefined;
  tag: string | undefined;
  lastModified: string | undefined;
};

export type RangePlan =
  | { send: "whole"; size: number | undefined }
  /** `skip`: where the part begins in the upstream's body; 0 if the upstream sent just the part. */
  | { send: "part"; part: ByteRange; size: number | undefined; skip: number }
  | { send: "unsatisfiable"; size: number | undefined }
  /** The answer may be of another version than the one that the client has, so the file must be fetched whole. */
  | { send: "other version" }
  | { send: "nothing sensible" };

const unusablePlan: RangePlan = { send: "nothing sensible" };

/**
 * White space belongs to the number before it, so that the expression can match in one way only. With `\s*(\d*)\s*`, a
 * header of spaces took the main thread for minutes.
 */
const rangePattern = /^\s*bytes\s*=\s*(?:(\d+)\s*)?-\s*(?:(\d+)\s*)?$/i;

/**
 * The range to send upstream. For several ranges or a malformed one, returns undefined, and the whole file is sent (RFC
 * 9110, 14.2).
 */
export function singleRange(header: string | undefined): string | undefined {
  const [, first = "", last = ""] = rangePattern.exec(header ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  if (first !== "" && last !== "" && Number(last) < Number(first)) return undefined;
  return `bytes=${first}-${last}`;
}

export function planAnswer(request: RangeRequest, upstream: UpstreamAnswer): RangePlan {
  const range = singleRange(request.range);
  switch (upstream.status) {
    case 200:
      return planFromWhole(range, request.ifRange, upstream);
    case 206:
      return planFromPart(range, request.ifRange, upstream);
    case 416:
      if (range === undefined) return unusablePlan;
      return contradictsIfRange(request.ifRange, upstream)
        ? { send: "other version" }
        : { send: "unsatisfiable", size: sizeIn(upstream.contentRange) };
    default:
      return unusablePlan;
  }
}

function planFromWhole(
  range: string | undefined,
  ifRange: string | undefined,
  upstream: UpstreamAnswer,
): RangePlan {
  const size = upstream.length;
  const whole: RangePlan = { send: "whole", size };
  if (range === undefined || size === undefined || !matchesIfRange(ifRange, upstream)) return whole;
  const part = parseByteRange(range, size);
  if (part === null) return whole;
  return part === "unsatisfiable"
    ? { send: "unsatisfiable", size }
    : { send: "part", part, size, skip: part.start };
}

function planFromPart(
  range: string | undefined,
  ifRange: string | undefined,
  upstream: UpstreamAnswer,
): RangePlan {
  const { contentRange, length } = upstream;
  const upstreamRange = parseContentRange(contentRange);
  if (!upstreamRange) return unusablePlan;
  const { start, end, size } = upstreamRange;
  const bytes = end - start + 1;
  if (length !== undefined && length !== bytes) return unusablePlan;
  if (range === undefined) return start === 0 && bytes === size ? { send: "whole", size } : unusablePlan;
  if (contradictsIfRange(ifRange, upstream)) return { send: "other version" };
  return coversRange(range, upstreamRange)
    ? { send: "part", part: { start, end }, size, skip: 0 }
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

/** The upstream may send less than the range, but must start where the range starts. */
function coversRange(range: string, { start, end, size }: ContentRange): boolean {
  const [first = "", last = ""] = range.slice("bytes=".length).split("-");
  if (first === "") return size !== undefined && end === size - 1 && end - start + 1 <= Number(last);
  return start === Number(first) && (last === "" || end <= Number(last));
}

function sizeIn(contentRange: string | undefined): number | undefined {
  const size = /^\s*bytes\s+\*\/(\d{1,15})\s*$/i.exec(contentRange ?? "")?.[1];
  return size === undefined ? undefined : Number(size);
}

/** Weak tags never match, and a date must be equal to Last-Modified (RFC 9110, section 13.1.5). */
function matchesIfRange(ifRange: string | undefined, { tag, lastModified }: UpstreamAnswer): boolean {
  if (ifRange === undefined) return true;
  const condition = ifRange.trim();
  return condition.startsWith('"') ? condition === tag : condition !== "" && condition === lastModified;
}

/**
 * True if a 206 or 416 is certainly not of the version that If-Range names, which an upstream sends that ignores If-Range.
 * One that respects it may leave out Last-Modified, which the client has already (RFC 9110, section 15.3.7), and the page
 * of a 416 often has no validator at all.
 */
function contradictsIfRange(ifRange: string | undefined, upstream: UpstreamAnswer): boolean {
  if (matchesIfRange(ifRange, upstream)) return false;
  const condition = ifRange?.trim() ?? "";
  const isUsable = condition !== "" && !condition.startsWith("W/");
  const version = condition.startsWith('"') ? upstream.tag : upstream.lastModified;
  return !isUsable || version !== undefined;
}

/** Yields `length` bytes after the first `skip`. It does not wait for the rest of the body. */
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
  override name = "UpstreamEndedEarly";
}
