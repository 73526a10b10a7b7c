import { writeSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { kibibytes } from "../units.ts";

/** Rows that lie in a file until they are needed, as pieces of JSON of about `pieceBytes`. */

/** A thread's message about the rows that it has written for another thread. */
export type StoredRows = {
  isStoredRows: true;
  count: number;
  pieces: (readonly [begin: number, bytes: number])[];
};

export type Rows<Row> = { count: number; pieces(): AsyncGenerator<readonly Row[]> };

export const noRows: Rows<never> = { count: 0, async *pieces() {} };

const pieceBytes = kibibytes(128);

/** Returns what writes rows into the file, behind `begin`. For a thread of its own, which may wait for the disk. */
export function createRowStore(fd: number, begin: number) {
  let end = begin;
  return function store(rows: Iterable<unknown>): StoredRows {
    const stored: StoredRows = { isStoredRows: true, count: 0, pieces: [] };
    let texts: string[] = [];
    let length = 0;
    const write = () => {
      if (texts.length === 0) return;
      const bytes = Buffer.from(`[${texts.join(",")}]`);
      for (let at = 0; at < bytes.byteLength; )
        at += writeSync(fd, bytes, at, bytes.byteLength - at, end + at);
      stored.pieces.push([end, bytes.byteLength]);
      end += bytes.byteLength;
      [texts, length] = [[], 0];
    };
    for (const row of rows) {
      const text = JSON.stringify(row);
      texts.push(text);
      length += text.length;
      stored.count++;
      if (length >= pieceBytes) write();
    }
    write();
    return stored;
  };
}

async function* readPieces<Row>(file: FileHandle, { pieces }: StoredRows): AsyncGenerator<readonly Row[]> {
  for (const [begin, bytes] of pieces) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, begin);
    if (bytesRead < bytes) throw new Error("stored rows are missing from their file");
    yield JSON.parse(buffer.toString()) as Row[];
  }
}

const isStoredRows = (value: object): value is StoredRows => "isStoredRows" in value;

/** Replaces all `StoredRows` within a value by what reads them from the file. */
export function withRows(value: unknown, file: FileHandle): unknown {
  if (Array.isArray(value)) return value.map((one) => withRows(one, file));
  if (typeof value !== "object" || value === null) return value;
  if (isStoredRows(value)) return { count: value.count, pieces: () => readPieces(file, value) };
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withRows(one, file)]));
}

/** The first rows, at most `most`. */
export async function firstRows<Row>(rows: Rows<Row>, most: number): Promise<Row[]> {
  const found: Row[] = [];
  for await (const piece of rows.pieces()) {
    found.push(...piece.slice(0, most - found.length));
    if (found.length >= most) break;
  }
  return found;
}
