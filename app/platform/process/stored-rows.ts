import { readSync, writeSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { kibibytes } from "../units.ts";

/** Rows that stay in a file until they are needed, as pieces of JSON of about `pieceBytes`. */

/** The message in which a thread tells another thread where it has written rows. `rows` only keeps their type. */
export type StoredRows<Row> = {
  isStoredRows: true;
  count: number;
  pieces: Place[];
  rows?: Row[];
};
type Place = readonly [begin: number, bytes: number];

export type Rows<Row> = { count: number; pieces(): AsyncGenerator<readonly Row[]> };

export const noRows: Rows<never> = { count: 0, async *pieces() {} };

const pieceBytes = kibibytes(128);

/**
 * Appends to a file after `begin`, and reads it back. Only for a worker thread, because it blocks while the disk works.
 */
export class ScratchFile {
  readonly fd: number;
  #end: number;

  constructor(fd: number, begin: number) {
    this.fd = fd;
    this.#end = begin;
  }

  /** The position of the next write. */
  get end() {
    return this.#end;
  }

  append(text: string): Place {
    const bytes = Buffer.from(text);
    const begin = this.#end;
    for (let at = 0; at < bytes.byteLength; )
      at += writeSync(this.fd, bytes, at, bytes.byteLength - at, begin + at);
    this.#end += bytes.byteLength;
    return [begin, bytes.byteLength];
  }

  read([begin, bytes]: Place): string {
    const buffer = Buffer.allocUnsafe(bytes);
    for (let at = 0; at < bytes; ) {
      const count = readSync(this.fd, buffer, at, bytes - at, begin + at);
      if (count === 0) throw new Error("a scratch file is shorter than it was");
      at += count;
    }
    return buffer.toString();
  }

  writeRows<Row>(): RowWriter<Row> {
    return new RowWriter(this);
  }

  store<Row>(rows: Iterable<Row>): StoredRows<Row> {
    const writer = this.writeRows<Row>();
    for (const row of rows) writer.add(row);
    return writer.end();
  }

  *rowsOf<Row>({ pieces }: StoredRows<Row>): Generator<Row> {
    for (const piece of pieces) yield* JSON.parse(this.read(piece)) as Row[];
  }
}

class RowWriter<Row> {
  readonly #file: ScratchFile;
  readonly #stored: StoredRows<Row> = { isStoredRows: true, count: 0, pieces: [] };
  #texts: string[] = [];
  #length = 0;

  constructor(file: ScratchFile) {
    this.#file = file;
  }

  add(row: Row) {
    const text = JSON.stringify(row);
    this.#texts.push(text);
    this.#length += text.length;
    this.#stored.count++;
    if (this.#length >= pieceBytes) this.#write();
  }

  end(): StoredRows<Row> {
    this.#write();
    return this.#stored;
  }

  #write() {
    if (this.#texts.length === 0) return;
    this.#stored.pieces.push(this.#file.append(`[${this.#texts.join(",")}]`));
    this.#texts = [];
    this.#length = 0;
  }
}

/**
 * Rows that are added to the end of an open file and read back from it, without blocking. Only one piece of them is in
 * memory.
 */
export class AppendedRows<Row> implements Rows<Row> {
  readonly #file: FileHandle;
  readonly #pieces: Place[] = [];
  count = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Add to one file only after the previous addition has ended. */
  async add(rows: readonly Row[]) {
    if (rows.length === 0) return;
    const { size } = await this.#file.stat();
    const bytes = Buffer.from(JSON.stringify(rows));
    for (let at = 0; at < bytes.byteLength; )
      at += (await this.#file.write(bytes, at, bytes.byteLength - at, size + at)).bytesWritten;
    this.#pieces.push([size, bytes.byteLength]);
    this.count += rows.length;
  }

  pieces = () => readPieces<Row>(this.#file, this.#pieces);
}

async function* readPieces<Row>(file: FileHandle, pieces: readonly Place[]): AsyncGenerator<readonly Row[]> {
  for (const [begin, bytes] of pieces) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, begin);
    if (bytesRead < bytes) throw new Error("stored rows are missing from their file");
    yield JSON.parse(buffer.toString()) as Row[];
  }
}

const isStoredRows = (value: object): value is StoredRows<unknown> => "isStoredRows" in value;

/** A value with readers of its rows. */
export type WithRows<Value> =
  Value extends StoredRows<infer Row> ? Rows<Row> : { [Name in keyof Value]: WithRows<Value[Name]> };

/** Replaces every `StoredRows` in a value with a reader of its rows. */
export function withRows(value: unknown, file: FileHandle): unknown {
  if (Array.isArray(value)) return value.map((one) => withRows(one, file));
  if (typeof value !== "object" || value === null) return value;
  if (isStoredRows(value)) return { count: value.count, pieces: () => readPieces(file, value.pieces) };
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withRows(one, file)]));
}

/** Applies `map` to every row when the result is read. */
export const mapRows = <Row, Mapped>(rows: Rows<Row>, map: (row: Row) => Mapped): Rows<Mapped> => ({
  count: rows.count,
  async *pieces() {
    for await (const piece of rows.pieces()) yield piece.map(map);
  },
});

/** Leaves out rows when the result is read. The count includes them. */
export const filterRows = <Row>(rows: Rows<Row>, keeps: (row: Row) => boolean): Rows<Row> => ({
  count: rows.count,
  async *pieces() {
    for await (const piece of rows.pieces()) yield piece.filter(keeps);
  },
});

const isRows = (value: object): value is Rows<unknown> => "pieces" in value;

/** A value as JSON. Its rows become an array, which is read piece by piece. */
export async function* jsonPieces(value: unknown): AsyncGenerator<string> {
  if (typeof value !== "object" || value === null || "toJSON" in value)
    return yield JSON.stringify(value) ?? "null";
  let separator = "";
  const next = (text: string) => {
    const piece = separator + text;
    separator = ",";
    return piece;
  };
  if (isRows(value)) {
    yield "[";
    for await (const rows of value.pieces())
      if (rows.length > 0) yield next(rows.map((row) => JSON.stringify(row)).join(","));
    yield "]";
  } else if (Array.isArray(value)) {
    yield "[";
    for (const one of value) {
      yield next("");
      yield* jsonPieces(one);
    }
    yield "]";
  } else {
    yield "{";
    for (const [name, one] of Object.entries(value)) {
      if (one === undefined) continue;
      yield next(`${JSON.stringify(name)}:`);
      yield* jsonPieces(one);
    }
    yield "}";
  }
}

/** The first rows, up to `limit`. */
export async function firstRows<Row>(rows: Rows<Row>, limit: number): Promise<Row[]> {
  const first: Row[] = [];
  for await (const piece of rows.pieces()) {
    first.push(...piece.slice(0, limit - first.length));
    if (first.length >= limit) break;
  }
  return first;
}
