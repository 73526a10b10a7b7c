import { StringDecoder } from "node:string_decoder";

/**
 * Reads a JSON object that contains one very large text without holding that text in memory. The text goes to `onPiece`
 * in one piece for each chunk of the body, and the returned object has an empty text in its place. Undefined for an empty
 * body. Throws SyntaxError as JSON.parse does.
 */
export async function readLargeJsonField(
  body: AsyncIterable<Uint8Array>,
  { name, restLimit, onPiece }: { name: string; restLimit: number; onPiece(piece: string): void },
): Promise<unknown> {
  const scanner = new Scanner(name, onPiece);
  for await (const chunk of body) {
    scanner.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    if (scanner.restLength() > restLimit)
      throw new SyntaxError("the JSON around the large text is too large");
  }
  return scanner.restLength() === 0 ? undefined : JSON.parse(scanner.rest());
}

const quote = 0x22;
const backslash = 0x5c;
const opening = new Set([0x7b, 0x5b]);
const closing = new Set([0x7d, 0x5d]);

class Scanner {
  readonly #name: string;
  readonly #onPiece: (piece: string) => void;
  readonly #restChunks: Buffer[] = [];
  readonly #decoder = new StringDecoder("utf8");
  #restLength = 0;
  #depth = 0;
  /** The bytes of the text being read, escapes included. Null outside of a text. */
  #text: number[] | null = null;
  #isEscaped = false;
  /** The last text that was read, and the name of the value that follows. */
  #last = "";
  #nextName = "";
  #isInField = false;
  #unfinishedEscape = "";
  /**
   * The part of the large text in the current chunk. It is passed on as a whole, because escapes passed on one by one take
   * a hundred times their own memory.
   */
  #piece = "";

  constructor(name: string, onPiece: (piece: string) => void) {
    this.#name = name;
    this.#onPiece = onPiece;
  }

  push(chunk: Buffer) {
    let at = 0;
    while (at < chunk.length) at = this.#isInField ? this.#readField(chunk, at) : this.#storeRest(chunk, at);
    if (this.#piece === "") return;
    this.#onPiece(this.#piece);
    this.#piece = "";
  }

  /** Without a byte order mark, which JSON.parse refuses. */
  rest() {
    return new TextDecoder().decode(Buffer.concat(this.#restChunks, this.#restLength));
  }

  restLength() {
    return this.#restLength;
  }

  /** Stores the bytes up to the large text, or the whole rest of the chunk if the text does not begin in it. */
  #storeRest(chunk: Buffer, start: number) {
    let at = start;
    while (at < chunk.length && !this.#isInField) this.#read(chunk[at++] ?? 0);
    this.#restChunks.push(Buffer.from(chunk.subarray(start, at)));
    this.#restLength += at - start;
    return at;
  }

  #read(byte: number) {
    if (this.#text) this.#readInText(byte, this.#text);
    else if (byte === quote) {
      if (this.#depth === 1 && this.#nextName === this.#name) this.#isInField = true;
      else this.#text = [];
      this.#nextName = "";
    } else if (opening.has(byte)) this.#depth++;
    else if (closing.has(byte)) this.#depth--;
    else if (byte === 0x3a) this.#nextName = this.#depth === 1 ? this.#last : "";
    else if (byte === 0x2c) this.#nextName = "";
  }

  #readInText(byte: number, text: number[]) {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) {
      this.#last = JSON.parse(`"${Buffer.from(text).toString()}"`) as string;
      this.#text = null;
      return;
    }
    text.push(byte);
  }

  /** Reads the large text up to its closing quote or its next escape. */
  #readField(chunk: Buffer, start: number) {
    if (this.#unfinishedEscape !== "") return this.#readEscape(chunk, start);
    const stop = firstOf(chunk, start);
    if (stop > start) this.#piece += this.#decoder.write(chunk.subarray(start, stop));
    if (chunk[stop] === quote) {
      this.#isInField = false;
      this.#restChunks.push(Buffer.from('"'));
      this.#restLength++;
      return stop + 1;
    }
    if (stop < chunk.length) this.#unfinishedEscape = "\\";
    return stop + 1;
  }

  #readEscape(chunk: Buffer, at: number) {
    this.#unfinishedEscape += String.fromCharCode(chunk[at] ?? 0);
    const isWhole = this.#unfinishedEscape[1] === "u" ? this.#unfinishedEscape.length === 6 : true;
    if (isWhole) {
      this.#piece += JSON.parse(`"${this.#unfinishedEscape}"`) as string;
      this.#unfinishedEscape = "";
    }
    return at + 1;
  }
}

/** Not `indexOf`: in a text full of escapes it would search the rest of the chunk for a quote at each of them. */
function firstOf(chunk: Buffer, start: number) {
  let at = start;
  while (at < chunk.length && chunk[at] !== quote && chunk[at] !== backslash) at++;
  return at;
}
