import { readSync } from "node:fs";
import { kibibytes } from "../units.ts";

/**
 * Reads a JSON text of any length from a file in constant memory. `JSON.parse` reads values of up to `maxWhole` bytes.
 * A longer object is read member by member. A longer array, or an array in such an object, becomes a `StoredArray`,
 * which reads its items from the file each time it is iterated.
 */

/** A value of this length takes at most about 10 MiB, if it consists of empty objects. */
const defaultMaxWhole = kibibytes(512);
const windowBytes = kibibytes(64);

/** A single string, or the short members of one object, are longer than `maxWhole`. */
export class OversizedJson extends Error {
  override name = "OversizedJson";
}

export class StoredArray implements Iterable<unknown> {
  readonly #read: () => Iterator<unknown>;
  constructor(read: () => Iterator<unknown>) {
    this.#read = read;
  }
  [Symbol.iterator]() {
    return this.#read();
  }
}

/** A UTF-8 text in a file. Tests set `maxWhole`. */
type Region = { fd: number; begin: number; end: number; maxWhole?: number };

/** Checks the whole text before it returns, and throws a SyntaxError if the text is not JSON. */
export const readStoredJson = (region: Region): unknown => new JsonText(region).read();

/** Counts the values of a JSON text and their nesting depth without parsing it. */
export const measureStoredJson = (region: Region) => new JsonText(region).measure();

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const space = 0x20;
const openArray = 0x5b;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;
/** Returned in place of a byte behind the end of the text. */
const nothing = -1;

/** A value, and the position after it. */
type Read = { value: unknown; next: number };
/** The number of bytes that an object read member by member may still take in memory. */
type Budget = { bytes: number };

class JsonText {
  readonly #fd: number;
  readonly #begin: number;
  readonly #end: number;
  readonly #maxWhole: number;
  readonly #window = Buffer.alloc(windowBytes);
  #windowBegin = 0;
  #windowEnd = 0;
  /**
   * Where the last search for an end gave up, and the arrays and objects that had not ended there. A search for the end
   * of one of them goes on from there, or many brackets around a long value would cause as many searches of all of it.
   */
  #unfinished: { at: number; open: readonly number[]; isInString: boolean } = {
    at: 0,
    open: [],
    isInString: false,
  };
  /** Whether the last search gave up in a string. */
  #isInString = false;
  /** After the text is checked, the end of an array is found without parsing its items again. */
  #isChecked = false;

  constructor({ fd, begin, end, maxWhole = defaultMaxWhole }: Region) {
    this.#fd = fd;
    this.#begin = begin;
    this.#end = end;
    this.#maxWhole = maxWhole;
  }

  read(): unknown {
    const { value, next } = this.#valueAt(this.#skipSpace(this.#begin), this.#newBudget());
    if (this.#skipSpace(next) !== this.#end) throw new SyntaxError("there is text behind the value");
    this.#isChecked = true;
    return value;
  }

  measure(): { values: number; depth: number } {
    let [values, depth, deepest] = [0, 0, 0];
    for (let at = this.#begin; at < this.#end; at++) {
      const byte = this.#byteAt(at);
      if (byte === quote) at = this.#endOfString(at, this.#end) - 1;
      else if (byte === comma) values++;
      else if (byte === openArray || byte === openObject) {
        values++;
        depth++;
        if (depth > deepest) deepest = depth;
      } else if (byte === closeArray || byte === closeObject) depth--;
    }
    return { values, depth: deepest };
  }

  #newBudget(): Budget {
    return { bytes: this.#maxWhole };
  }

  #valueAt(at: number, budget: Budget): Read {
    const whole = this.#wholeAt(at, budget);
    if (whole) return whole;
    const first = this.#byteAt(at);
    if (first === openArray) return this.#arrayAt(at);
    if (first === openObject) return this.#objectAt(at, budget);
    throw new OversizedJson("a string is too long");
  }

  #wholeAt(at: number, budget: Budget): Read | null {
    const next = this.#endOfValue(at, at + budget.bytes);
    if (next > at + budget.bytes) return null;
    budget.bytes -= next - at;
    return { value: JSON.parse(this.#textBetween(at, next)), next };
  }

  #arrayAt(at: number): Read {
    const read = () => this.#itemsAt(at);
    const next = this.#isChecked ? this.#endOfValue(at, this.#end) : runToEnd(read());
    return { value: new StoredArray(read), next };
  }

  /** Returns the position after the array. */
  *#itemsAt(at: number): Generator<unknown, number> {
    let next = this.#skipSpace(at + 1);
    if (this.#byteAt(next) === closeArray) return next + 1;
    for (;;) {
      const item = this.#valueAt(next, this.#newBudget());
      yield item.value;
      next = this.#skipSpace(item.next);
      if (this.#byteAt(next) === closeArray) return next + 1;
      next = this.#skipSpace(this.#behind(comma, next));
    }
  }

  #objectAt(at: number, budget: Budget): Read {
    // Without a prototype, `__proto__` is an ordinary name.
    const value: Record<string, unknown> = Object.create(null);
    let next = this.#skipSpace(at + 1);
    if (this.#byteAt(next) === closeObject) return { value, next: next + 1 };
    for (;;) {
      const name = this.#wholeAt(next, budget);
      if (!name) throw new OversizedJson("an object has too many members");
      if (typeof name.value !== "string") throw new SyntaxError("a member has no name");
      const member = this.#memberAt(this.#skipSpace(this.#behind(colon, this.#skipSpace(name.next))), budget);
      value[name.value] = member.value;
      next = this.#skipSpace(member.next);
      if (this.#byteAt(next) === closeObject) return { value, next: next + 1 };
      next = this.#skipSpace(this.#behind(comma, next));
    }
  }

  #memberAt(at: number, budget: Budget): Read {
    return this.#byteAt(at) === openArray ? this.#arrayAt(at) : this.#valueAt(at, budget);
  }

  #behind(expected: number, at: number): number {
    if (this.#byteAt(at) !== expected) throw new SyntaxError("a character is not where JSON has it");
    return at + 1;
  }

  #skipSpace(at: number): number {
    while (this.#byteAt(at) === space) at++;
    return at;
  }

  /**
   * The position after a value, or any position beyond `last` if the value is longer. Only looks for the end of the
   * value; `JSON.parse` later refuses invalid content.
   */
  #endOfValue(at: number, last: number): number {
    const first = this.#byteAt(at);
    if (first === quote) return this.#endOfString(at, last);
    if (first !== openArray && first !== openObject) return this.#endOfWord(at, last);
    const unfinished = this.#unfinished;
    const index = unfinished.open.indexOf(at);
    const open = index < 0 ? [] : unfinished.open.slice(index);
    this.#isInString = index >= 0 && unfinished.isInString;
    if (index >= 0) at = this.#isInString ? this.#endOfRest(unfinished.at, last) : unfinished.at;
    while (at < this.#end && at <= last) {
      const byte = this.#byteAt(at);
      if (byte === quote) {
        at = this.#endOfString(at, last);
        continue;
      }
      if (byte === openArray || byte === openObject) open.push(at);
      else if (byte === closeArray || byte === closeObject) open.pop();
      at++;
      if (open.length === 0) return at;
    }
    this.#unfinished = { at, open, isInString: this.#isInString };
    return Math.min(at, this.#end);
  }

  #endOfString(at: number, last: number): number {
    return this.#endOfRest(at + 1, last);
  }

  /** The position after the rest of a string. */
  #endOfRest(at: number, last: number): number {
    this.#isInString = true;
    while (at < this.#end && at <= last) {
      const byte = this.#byteAt(at);
      if (byte === quote) {
        this.#isInString = false;
        return at + 1;
      }
      at += byte === backslash ? 2 : 1;
    }
    return Math.min(at, this.#end);
  }

  #endOfWord(at: number, last: number): number {
    while (at <= last && !endsWord(this.#byteAt(at))) at++;
    return at;
  }

  #byteAt(at: number): number {
    if (at >= this.#windowBegin && at < this.#windowEnd)
      return this.#window[at - this.#windowBegin] as number;
    if (at >= this.#end) return nothing;
    const bytes = this.#readBytes(this.#window.subarray(0, Math.min(windowBytes, this.#end - at)), at);
    this.#windowBegin = at;
    this.#windowEnd = at + bytes.byteLength;
    return bytes[0] as number;
  }

  #textBetween(at: number, next: number): string {
    if (at >= this.#windowBegin && next <= this.#windowEnd)
      return this.#window.toString("utf8", at - this.#windowBegin, next - this.#windowBegin);
    return this.#readBytes(Buffer.allocUnsafe(next - at), at).toString();
  }

  /** A raw control character is invalid in JSON. It becomes a space, so that the rest of the file can still be read. */
  #readBytes(bytes: Buffer, at: number): Buffer {
    for (let read = 0; read < bytes.byteLength; ) {
      const count = readSync(this.#fd, bytes, read, bytes.byteLength - read, at + read);
      if (count === 0) throw new Error("a stored text is shorter than it was");
      read += count;
    }
    for (let index = 0; index < bytes.byteLength; index++)
      if ((bytes[index] as number) < space) bytes[index] = space;
    return bytes;
  }
}

const endsWord = (byte: number) =>
  byte === comma || byte === closeArray || byte === closeObject || byte === space || byte === nothing;

function runToEnd(items: Generator<unknown, number>): number {
  for (;;) {
    const { done, value } = items.next();
    if (done) return value;
  }
}
