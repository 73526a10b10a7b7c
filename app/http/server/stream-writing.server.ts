import { Readable, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { mebibytes } from "#app/platform/units.ts";

export type Body = Buffer | Readable | ReadableStream<Uint8Array> | null;

/** Writes a body as fast as its reader takes it. Rejects when either side fails; both are closed then. */
export async function writeBody(body: Body, to: Writable): Promise<void> {
  if (body === null) to.end();
  else if (Buffer.isBuffer(body)) to.end(body);
  else if (body instanceof Readable) await pipeline(body, to);
  else await writeWebStream(body, to);
}

/**
 * A longer body than was announced would be read as the next answer on the connection, a shorter one waited for: both
 * end the connection instead. To be called before the body is written.
 */
export function enforceLength(body: Body, length: number, to: Writable) {
  if (!(body instanceof Readable) || Number.isNaN(length)) return;
  let left = length;
  // Heard before the writer is, and not before it is there: a stream starts to flow a turn after its first listener.
  body.on("data", (chunk: Uint8Array) => {
    left -= chunk.byteLength;
    if (left < 0) to.destroy();
  });
  body.once("end", () => left > 0 && to.destroy());
}

/** Answers made for one client alone, all that nobody has read of them yet. */
const maxUnsentBytes = mebibytes(256);
let unsent = 0;

/** A client that asks again and again and reads nothing is cut off once all of them together hold too much. */
export function limitUnsentBytes(to: Writable) {
  const waiting = to.writableLength;
  if (waiting === 0 || to.destroyed) return;
  unsent += waiting;
  to.once("close", () => {
    unsent -= waiting;
  });
  if (unsent > maxUnsentBytes) to.destroy();
}

async function writeWebStream(stream: ReadableStream<Uint8Array>, to: Writable) {
  const reader = stream.getReader();
  const gone = () => void reader.cancel().catch(() => {});
  to.once("close", gone);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || to.destroyed) break;
      if (!to.write(value)) await drained(to);
    }
    to.end();
  } catch (error) {
    to.destroy();
    throw error;
  } finally {
    to.off("close", gone);
    if (to.destroyed) gone();
  }
}

/** The other side may close instead of draining. */
const drained = (to: Writable) =>
  new Promise<void>((resolve) => {
    if (to.destroyed) return resolve();
    const settle = () => {
      to.off("drain", settle).off("close", settle);
      resolve();
    };
    to.on("drain", settle).on("close", settle);
  });

/** A body nobody will read gives back what it holds open. */
export function discardBody(body: Body) {
  if (body instanceof Readable) body.destroy();
  else if (body instanceof ReadableStream && !body.locked) void body.cancel().catch(() => {});
}
