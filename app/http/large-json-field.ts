import { StringDecoder } from "node:string_decoder";

/**
 * Reads a JSON object of which one text may be very large, without ever holding that text: its characters go to
 * `onPiece` as they come, and stand empty in what is returned. Throws SyntaxError as JSON.parse does.
 */
export async function readLargeField(
  body: AsyncIterable<Uint8Array>,
  { name, restLimit, onPiece }: { name: string; restLimit: number; onPiece(piece: string): void },
): Promise<unknown> {
  const scanner = scan(name, onPiece);
  for await (const chunk of body) {
    scanner.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    if (scanner.restLength() > restLimit) throw new SyntaxError("too much beside the large text");
  }
  return JSON.parse(scanner.rest());
}

const quote = 0x22;
const backslash = 0x5c;
const opening = new Set([0x7b, 0x5b]);
const closing = new Set([0x7d, 0x5d]);

function scan(name: string, onPiece: (piece: string) => void) {
  const kept: Buffer[] = [];
  let keptLength = 0;
  let depth = 0;
  /** The text being read, as written, or null outside of one. */
  let text: number[] | null = null;
  let escaped = false;
  /** The last text read, and the name whose value comes next. */
  let last = "";
  let due = "";
  let inField = false;
  const decoder = new StringDecoder("utf8");
  let unfinished = "";

  function push(chunk: Buffer) {
    let at = 0;
    while (at < chunk.length) at = inField ? pass(chunk, at) : keep(chunk, at);
  }

  /** Copies up to where the large text begins. */
  function keep(chunk: Buffer, start: number) {
    let at = start;
    while (at < chunk.length && !inField) note(chunk[at++] ?? 0);
    kept.push(Buffer.from(chunk.subarray(start, at)));
    keptLength += at - start;
    return at;
  }

  function note(byte: number) {
    if (text) {
      if (escaped) escaped = false;
      else if (byte === backslash) escaped = true;
      else if (byte === quote) {
        last = JSON.parse(`"${Buffer.from(text).toString()}"`) as string;
        text = null;
        return;
      }
      text.push(byte);
    } else if (byte === quote) {
      if (depth === 1 && due === name) inField = true;
      else text = [];
      due = "";
    } else if (opening.has(byte)) depth++;
    else if (closing.has(byte)) depth--;
    else if (byte === 0x3a) due = depth === 1 ? last : "";
    else if (byte === 0x2c) due = "";
  }

  /** Hands on up to the closing quote or to the next escape. */
  function pass(chunk: Buffer, start: number) {
    if (unfinished !== "") return passEscape(chunk, start);
    const stop = firstOf(chunk, start);
    if (stop > start) onPiece(decoder.write(chunk.subarray(start, stop)));
    if (chunk[stop] === quote) {
      inField = false;
      kept.push(Buffer.from('"'));
      keptLength++;
      return stop + 1;
    }
    if (stop < chunk.length) unfinished = "\\";
    return stop + 1;
  }

  function passEscape(chunk: Buffer, at: number) {
    unfinished += String.fromCharCode(chunk[at] ?? 0);
    const isWhole = unfinished[1] === "u" ? unfinished.length === 6 : true;
    if (isWhole) {
      onPiece(JSON.parse(`"${unfinished}"`) as string);
      unfinished = "";
    }
    return at + 1;
  }

  return {
    push,
    rest: () => Buffer.concat(kept, keptLength).toString(),
    restLength: () => keptLength,
  };
}

function firstOf(chunk: Buffer, start: number) {
  const ends = [chunk.indexOf(quote, start), chunk.indexOf(backslash, start)].filter((end) => end !== -1);
  return ends.length > 0 ? Math.min(...ends) : chunk.length;
}
