/** One byte range of a Range header (RFC 9110, section 14.2). Offsets are inclusive, as on the wire. */
export type ByteRange = { start: number; end: number };

/**
 * Returns the range to send of `size` bytes, or "unsatisfiable" (416). `null` means that the header is ignored and
 * everything is sent, which RFC 9110 allows for other units, lists of ranges and malformed headers.
 */
export function parseByteRange(header: string | undefined, size: number): ByteRange | "unsatisfiable" | null {
  const match = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header?.trim() ?? "");
  if (!match) return null;
  const [, first = "", last = ""] = match;
  if (first === "" && last === "") return null;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size - 1 };
  }
  const start = Number(first);
  const end = last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== "" && Number(last) < start) return null;
  return start >= size ? "unsatisfiable" : { start, end };
}
