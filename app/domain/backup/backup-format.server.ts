import { createReadStream } from "node:fs";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";

/**
 * The file format of a backup: JSON lines. A line with `bytes` is followed by that many raw bytes. Rows are stored as
 * PostgreSQL's COPY wrote them, so this code never has to parse a value and cannot change one.
 */

export const formatName = "engawa-backup";
export const formatVersion = 1;

export type TableHeader = { name: string; columns: string[] };
export type Frame =
  | {
      kind: "backup";
      format: string;
      version: number;
      madeAt: string;
      migrations: string[];
      tables: TableHeader[];
    }
  | { kind: "rows"; table: string; bytes: number }
  | { kind: "picture"; cid: string; bytes: number }
  /** The last line. A file without it is incomplete. */
  | { kind: "end"; rows: Record<string, number>; pictures: number };
export type FrameWithPayload = { frame: Frame; payload: Buffer };

export const encodeFrameLine = (frame: Frame) => Buffer.from(`${JSON.stringify(frame)}\n`);

const maxLineBytes = 1_048_576;

export class BrokenBackup extends Error {}

/** Opens a backup file. Its reader may start late: the embedded database needs a second to start. */
export function openFrames(file: string) {
  // Without pipeline's handlers, an incomplete file would end the process before its first frame is read.
  const text = pipeline(createReadStream(file), createGunzip(), () => {});
  return { frames: readFrames(text), close: () => text.destroy() };
}

async function* readFrames(source: Readable): AsyncGenerator<FrameWithPayload> {
  const reader = new ByteReader(source);
  for (let line = await reader.line(); line !== null; line = await reader.line()) {
    const frame = parse(line);
    yield { frame, payload: "bytes" in frame ? await reader.take(frame.bytes) : Buffer.alloc(0) };
    if (frame.kind === "end") return;
  }
  throw new BrokenBackup("The backup is incomplete: the file ends too early");
}

function parse(line: string): Frame {
  try {
    return JSON.parse(line) as Frame;
  } catch {
    throw new BrokenBackup("This file is not an Engawa backup");
  }
}

class ByteReader {
  private readonly chunks: AsyncIterator<Buffer>;
  private held: Buffer = Buffer.alloc(0);

  constructor(source: Readable) {
    this.chunks = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  }

  async line(): Promise<string | null> {
    for (;;) {
      const end = this.held.indexOf(10);
      if (end >= 0) return this.cut(end + 1).toString("utf8", 0, end);
      if (this.held.length > maxLineBytes) throw new BrokenBackup("This file is not an Engawa backup");
      if (!(await this.more())) return null;
    }
  }

  async take(bytes: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let missing = bytes; missing > 0; ) {
      if (this.held.length === 0 && !(await this.more()))
        throw new BrokenBackup("The backup is incomplete: the file ends too early");
      const part = this.cut(Math.min(missing, this.held.length));
      missing -= part.length;
      parts.push(part);
    }
    return Buffer.concat(parts);
  }

  private cut(bytes: number) {
    const part = this.held.subarray(0, bytes);
    this.held = this.held.subarray(bytes);
    return part;
  }

  private async more() {
    const { value, done } = await this.chunks.next();
    if (!done) this.held = this.held.length === 0 ? value : Buffer.concat([this.held, value]);
    return !done;
  }
}
