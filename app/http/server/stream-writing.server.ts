import { Readable, type Writable } from "node:stream";
import { createContestedShare } from "#app/platform/limits/contested-share.ts";
import { createFairShare } from "#app/platform/limits/fair-share.ts";
import { createRefusalCounter } from "#app/platform/limits/refusal-counter.server.ts";
import { gauge } from "#app/platform/metrics.server.ts";
import { memoryPlan, shareOfMemory } from "#app/platform/process/memory.server.ts";
import { giveBackOf } from "#app/platform/reused-pieces.server.ts";
import { kibibytes, mebibytes } from "#app/platform/units.ts";
import { createSendingTurns } from "./sending-turns.server.ts";

export type Body = Buffer | Readable | ReadableStream<Uint8Array> | null;

type WriteOptions = {
  /** The announced length, if there is one. */
  length?: number | undefined;
  /** The client whose answers take turns. Left out if the body is read inside the process. */
  client?: string;
  /** Called for each piece of a streamed body. */
  onPiece?: (() => void) | null | undefined;
};

/**
 * Writes a body as fast as the client reads it. If either side fails, rejects and closes both. Returns undefined if the
 * whole body is in memory, because most answers are, and a promise costs more than it takes to write them.
 */
export function writeBody(body: Body, to: Writable, options: WriteOptions = {}): Promise<void> | undefined {
  if (body instanceof Readable) return writeReadable(body, to, options);
  if (body instanceof ReadableStream) return writeWebStream(body, to, options);
  if (body === null) to.end();
  else to.end(body);
  return undefined;
}

/** The body as a Node stream, for a reader inside the process. */
export function readableOf(body: Body): Readable {
  if (body instanceof Readable) return body;
  const bytes = Buffer.isBuffer(body) && body.length > 0 ? [body] : [];
  return Readable.from(body instanceof ReadableStream ? body : bytes, { objectMode: false });
}

/**
 * Closes the connection if the body differs from its announced length. Clients would read the excess of a longer body as
 * the next answer, and would wait for the rest of a shorter one.
 */
function writeReadable(
  body: Readable,
  to: Writable,
  { length = Number.NaN, client, onPiece }: WriteOptions,
): Promise<void> {
  const giveBack = giveBackOf(body);
  const sendInTurn = client === undefined ? (send: () => void) => send() : createSendingTurns(client);
  let remainingBytes = length;
  return new Promise((resolve, reject) => {
    const stop = () => {
      body.off("data", onData).off("end", onEnd).off("error", fail).off("close", onClose);
      to.off("drain", onDrain).off("error", fail).off("close", onClose);
    };
    const fail = (error: Error) => {
      stop();
      // Both streams report their end a second time, as an error.
      body.on("error", () => {}).destroy();
      to.on("error", () => {}).destroy(error);
      reject(error);
    };
    const onClose = () => fail(body.errored ?? new ClosedEarly());
    const onData = (piece: Buffer) => {
      remainingBytes -= piece.byteLength;
      if (remainingBytes < 0) return onClose();
      onPiece?.();
      // The socket may still use a piece that it could not write, so that piece is not reused.
      const onTaken = (error?: Error | null) => void (error || giveBack?.(piece));
      if (!to.write(piece, giveBack && onTaken)) body.pause();
    };
    const resume = () => void body.resume();
    const onDrain = () => sendInTurn(resume);
    const onEnd = () => {
      if (remainingBytes > 0) return onClose();
      stop();
      to.end();
      resolve();
    };
    if (body.destroyed || to.destroyed) return onClose();
    to.on("drain", onDrain).on("error", fail).on("close", onClose);
    body.on("data", onData).on("end", onEnd).on("error", fail).on("close", onClose).resume();
  });
}

/** The same code as an early close in Node's `pipeline`. */
class ClosedEarly extends Error {
  readonly code = "ERR_STREAM_PREMATURE_CLOSE";
}

/**
 * Answers that are read from a file or another server while they are sent. Each holds one piece in its stream and one
 * in its connection until its client reads. A client that opens hundreds and reads slowly would hold memory and files,
 * so their number is limited.
 */
const largePieceBytes = kibibytes(256);
const smallPieceBytes = kibibytes(64);
const streamTotal = Math.max(128, Math.floor(mebibytes(memoryPlan.unsentAnswers) / (2 * smallPieceBytes)));
const countStreamRefusal = createRefusalCounter(
  "streams",
  "A client reads too many large answers at the same time, so some requests get 503. If your own proxy forwards them, set TRUST_PROXY",
);
const streams = createContestedShare(
  { total: streamTotal, perClient: Math.min(100, Math.ceil(streamTotal / 4)) },
  countStreamRefusal,
);
/** Pages are sent in a moment, unless their readers are slow. Slow readers of long answers must not keep them waiting. */
const pages = createContestedShare(
  { total: streamTotal / 2, perClient: Math.ceil(streamTotal / 8) },
  countStreamRefusal,
);
/**
 * This many answers may use large pieces, which take less processor time. Together they use an eighth of the memory of
 * all.
 */
const roomyStreams = Math.floor(streamTotal / 32);

/** How much of a file to read at once for the next streamed answer. */
export const pieceBytes = () => (streams.held() < roomyStreams ? largePieceBytes : smallPieceBytes);

gauge(
  "streams_open",
  "Answers that are read from a file or another server while they are sent",
  streams.held,
);

/**
 * Counts a streamed answer until it closes. Null if its client has too many open; the caller must then refuse it.
 * Otherwise returns a function to call for each piece that is sent. If all clients together have too many, the client
 * with the most loses the one that it has not read for longest: players reconnect and continue.
 */
export function admitStream(to: Writable, client: string, isPage: boolean): (() => void) | null {
  const lease = (isPage ? pages : streams).take(client, {
    canEnd: () => true,
    end: () => void to.destroy(),
  });
  if (!lease) return null;
  if (to.closed) lease.giveBack();
  else to.once("close", lease.giveBack);
  return lease.noteUse;
}

/** The bytes of answers that wait for slow clients. */
const unsentBytes = createFairShare(shareOfMemory(memoryPlan.unsentAnswers));
const countRefusal = createRefusalCounter(
  "unsent",
  "Clients read their answers too slowly, so their connections were closed",
);
type SlowReader = { to: Writable; client: string; bytes: number };
/** The public cache sends the same bytes to many clients. They count once, for the client that has waited longest. */
const slowReaders = new WeakMap<Buffer | Writable, Set<SlowReader>>();

/**
 * Closes the connection if too many bytes wait. Clients that send requests and never read would otherwise fill the
 * memory: also with pages that the public cache has evicted.
 */
export function limitUnsentBytes(to: Writable, client: string, body: Body = null) {
  const bytes = to.writableLength;
  if (bytes === 0 || to.destroyed) return;
  const key = Buffer.isBuffer(body) ? body : to;
  const readers = slowReaders.get(key) ?? new Set();
  slowReaders.set(key, readers);
  const reader = { to, client, bytes };
  readers.add(reader);
  to.once("close", () => readers.delete(reader));
  if (readers.size === 1) chargeLongest(readers);
}

/** When the charged reader leaves, the next one is charged. */
function chargeLongest(readers: Set<SlowReader>) {
  const [longest] = readers;
  if (!longest) return;
  const { to, client, bytes } = longest;
  const giveBack = unsentBytes.take(client, bytes);
  to.once("close", () => {
    giveBack?.();
    chargeLongest(readers);
  });
  if (giveBack) return;
  countRefusal();
  to.destroy();
}

async function writeWebStream(stream: ReadableStream<Uint8Array>, to: Writable, { onPiece }: WriteOptions) {
  const reader = stream.getReader();
  const cancelReader = () => void reader.cancel().catch(() => {});
  to.once("close", cancelReader);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || to.destroyed) break;
      onPiece?.();
      if (!to.write(value)) await waitForDrain(to);
    }
    to.end();
  } catch (error) {
    to.destroy();
    throw error;
  } finally {
    to.off("close", cancelReader);
    if (to.destroyed) cancelReader();
  }
}

/** Also resolves when the stream closes, since it then never drains. */
const waitForDrain = (to: Writable) =>
  new Promise<void>((resolve) => {
    if (to.destroyed) return resolve();
    const settle = () => {
      to.off("drain", settle).off("close", settle);
      resolve();
    };
    to.on("drain", settle).on("close", settle);
  });

/** Closes the files and connections behind a body that is not read. */
export function discardBody(body: Body) {
  if (body instanceof Readable) body.destroy();
  else if (body instanceof ReadableStream && !body.locked) void body.cancel().catch(() => {});
}
