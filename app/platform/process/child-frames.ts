import { openSync, unlinkSync, writevSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { kibibytes, mebibytes, seconds } from "../units.ts";

/** The messages between this process and its child processes. */

/** Encodes a frame, in both directions: two lengths, the header as JSON, the bytes. */
export function encodeFrame(header: object, bytes: Uint8Array): Buffer[] {
  const json = Buffer.from(JSON.stringify(header));
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32BE(json.length, 0);
  lengths.writeUInt32BE(bytes.length, 4);
  return [lengths, json, bytes as Buffer];
}

/**
 * Collects chunks and calls `onFrame` for every complete frame. The frame's bytes are passed as the chunks in which
 * they arrived, and `wholeOf` copies them at most once. Throws if a frame is larger than `maxBytes`.
 */
export function frameReader<Header>(
  onFrame: (header: Header, chunks: Buffer[]) => void,
  maxBytes = Number.POSITIVE_INFINITY,
) {
  const waiting: Buffer[] = [];
  let length = 0;
  let lengths: { json: number; bytes: number } | null = null;
  const take = (count: number): Buffer[] => {
    const chunks: Buffer[] = [];
    for (let missing = count; missing > 0; ) {
      const chunk = waiting.shift();
      if (!chunk) break;
      if (chunk.length > missing) waiting.unshift(chunk.subarray(missing));
      chunks.push(chunk.subarray(0, missing));
      missing -= Math.min(missing, chunk.length);
    }
    length -= count;
    return chunks;
  };
  return (chunk: Buffer) => {
    waiting.push(chunk);
    length += chunk.length;
    for (;;) {
      if (!lengths) {
        if (length < 8) return;
        const head = wholeOf(take(8));
        lengths = { json: head.readUInt32BE(0), bytes: head.readUInt32BE(4) };
        if (lengths.json + lengths.bytes > maxBytes) throw new Error("a frame is too large");
      }
      if (length < lengths.json + lengths.bytes) return;
      const json = wholeOf(take(lengths.json)).toString();
      const bytes = take(lengths.bytes);
      lengths = null;
      onFrame(JSON.parse(json) as Header, bytes);
    }
  };
}

type ReadFrames<Header> = {
  onFrame(header: Header, chunks: Buffer[]): void;
  /** Called once, for a frame that is too large or cannot be read. Nothing is read after it. */
  onBroken(error: unknown): void;
  maxBytes: number;
};

/** Reads the frames of a child process. A hostile file may have taken over the child, which could then send anything. */
export function readFrames<Header>(
  output: Readable | null,
  { onFrame, onBroken, maxBytes }: ReadFrames<Header>,
): void {
  const read = frameReader(onFrame, maxBytes);
  output?.on("data", (chunk: Buffer) => {
    try {
      read(chunk);
    } catch (error) {
      output.destroy();
      onBroken(error);
    }
  });
}

/** The chunks as one Buffer. A single chunk is not copied. */
export const wholeOf = (chunks: readonly Buffer[]): Buffer =>
  chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);

/**
 * A child sends this before it reads its first order, whose time limit starts then: on a busy machine, starting a process
 * can take longer than the order may.
 */
export type Ready = { ready: true };
export const encodeReady = () => Buffer.concat(encodeFrame({ ready: true } satisfies Ready, Buffer.alloc(0)));
/** How long a child may take until it is ready. */
export const maxStartMs = seconds(30);
/**
 * The film child sends the frame only with this argument. An older server that still runs while a newer version is built
 * beside it starts the newer child, and would take the frame for an answer.
 */
export const saysReady = "says-ready";

/**
 * The answer of a child process. Large answers are in an unnamed file that both processes have open: a pipe would
 * deliver them in hundreds of pieces, and collecting their memory takes time.
 */
export type Reply<Answer> = { answer: Answer; sharedBytes: number };

/** In the child: the file's descriptor, its position in the `stdio` of the parent. */
const sharedDescriptor = 3;
const minSharedBytes = kibibytes(256);
/** /dev/shm is in memory, so the size of the file is limited. */
export const maxSharedFileBytes = mebibytes(16);

/** Null if the system has no such files. */
export function openSharedFile(): number | null {
  if (process.platform === "win32") return null;
  for (const folder of ["/dev/shm", tmpdir()]) {
    const name = join(folder, `engawa-${process.pid}-${crypto.randomUUID()}`);
    try {
      const descriptor = openSync(name, "wx+", 0o600);
      unlinkSync(name);
      return descriptor;
    } catch {}
  }
  return null;
}

/** Runs in the child. `hasFile` is true if the parent passed it a shared file. */
export function encodeReply(answer: object, parts: readonly Uint8Array[], hasFile: boolean): Buffer[] {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const isShared = hasFile && length >= minSharedBytes && writeShared(parts, length);
  const reply: Reply<object> = { answer, sharedBytes: isShared ? length : 0 };
  // Joined into a copy, since a pipe may read the bytes later.
  return encodeFrame(reply, isShared ? new Uint8Array() : Buffer.concat(parts));
}

/** Returns false if there is no room. */
function writeShared(parts: readonly Uint8Array[], length: number): boolean {
  if (length > maxSharedFileBytes) return false;
  try {
    return writevSync(sharedDescriptor, parts, 0) === length;
  } catch {
    return false;
  }
}
