import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { reusePieces } from "#app/http/server/stream-writing.server.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { gauge } from "#app/platform/metrics.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { hasFreeDisk } from "#app/platform/process/free-disk.server.ts";
import { memoryPlan } from "#app/platform/process/memory.server.ts";
import { kibibytes, mebibytes } from "#app/platform/units.ts";

/**
 * Segments of films on their way to viewers. A segment of ten seconds has many megabytes, and a phone on a bad line takes as
 * long to read them. While there is room, a segment waits in memory, once for all its viewers. Otherwise those who read slowest
 * get the rest of theirs from a file. Where even that is too much, or the disk takes no more, of the client with most of it who
 * has read nothing for the longest time is cut off: a player reads on every second, and asks again.
 */

const pieceBytes = kibibytes(64);
/** Less is sent at once. */
export const minPiecedBytes = kibibytes(256);

const part = mebibytes(memoryPlan.filmSegments / 4);
const limits = {
  /** Segments in memory. */
  heldBytes: part,
  /** Segments that wait until the disk has taken them, or stay because it does not, and one that is alone. */
  movingBytes: part + mebibytes(memoryPlan.movingSegments),
  fileBytes: mebibytes(env.FILM_CACHE_SIZE / 4),
  /** Of each, a piece waits in the socket and another one before it. */
  answers: Math.max(64, Math.floor(mebibytes(memoryPlan.unsentAnswers) / (2 * pieceBytes))),
};

/** `name`: its film, version and part. `isCut`: it was cut to be sent, and its name stands for the same bytes for ever. */
type WholeSegment = { name: string; type: string; isCut: boolean; bytes: Buffer };
type Segment = Omit<WholeSegment, "bytes"> & {
  length: number;
  bytes: Buffer | null;
  file: FileHandle | null;
  readers: number;
};
type SentSegment = { type: string; size: number; body(client: string): Readable };
/**
 * Pieces that clients have, for the next ones. V8 counts memory outside of its heap: with new memory for each piece, the
 * garbage collector would take longer than all else that is done to send a segment.
 */
const freePieces: Buffer[] = [];
const maxFreePieces = 32;
const takePiece = () => freePieces.pop() ?? Buffer.allocUnsafeSlow(pieceBytes);
function giveBack({ buffer }: Buffer) {
  // A stream that joined two pieces has copied them, possibly to memory that others use.
  if (buffer.byteLength === pieceBytes && freePieces.length < maxFreePieces)
    freePieces.push(Buffer.from(buffer));
}

type Sending = { segment: Segment; body: Readable; client: string };

/** Who read on last is at the end. */
const sending = new Set<Sending>();
/** By their names, in memory and in files. */
const cut = new Map<string, Segment>();
/** By their bytes, in memory: a conversion that is made again has others under the same name. */
const converted = new WeakMap<Buffer, Segment>();
gauge("film_segments_sending", "Segments of films that viewers are reading", () => sending.size);

/** The body of an answer. `client`: an address, or an IPv6 block. */
export function sendSegment(whole: WholeSegment, client: string): Readable {
  const { name, isCut, bytes } = whole;
  const known = isCut ? cut.get(name) : converted.get(bytes);
  const segment = known ?? { ...whole, length: bytes.length, file: null, readers: 0 };
  if (isCut) cut.set(name, segment);
  else converted.set(bytes, segment);
  return send(segment, client);
}

/**
 * A segment that was cut for somebody who still reads it, so that it is not cut again for the next viewer. Make its body before
 * anything else happens: its last reader may go.
 */
export function findSent(name: string): SentSegment | null {
  const segment = cut.get(name);
  if (!segment) return null;
  const { type, length } = segment;
  return { type, size: length, body: (client) => send(segment, client) };
}

function send(segment: Segment, client: string): Readable {
  segment.readers++;
  // Reads one piece ahead.
  const body = Readable.from(pieces(), { objectMode: false, highWaterMark: 1 });
  reusePieces(body, giveBack);
  const one = { segment, body, client };
  sending.add(one);
  body.once("close", () => {
    sending.delete(one);
    segment.readers--;
    if (segment.readers === 0) forget(segment);
  });
  void makeRoom();
  return body;

  async function* pieces() {
    for (let at = 0; at < segment.length; at += pieceBytes) {
      sending.delete(one);
      sending.add(one);
      yield await readPiece(segment, at);
    }
  }
}

async function readPiece({ bytes, file, length }: Segment, at: number): Promise<Buffer> {
  const size = Math.min(pieceBytes, length - at);
  const piece = takePiece().subarray(0, size);
  // A copy: a view would keep the whole segment in memory for as long as its client does not read.
  if (bytes) {
    bytes.copy(piece, 0, at, at + size);
    return piece;
  }
  const read = await file?.read(piece, 0, size, at);
  if (read?.bytesRead !== size) throw new Error("a waiting segment cannot be read");
  return piece;
}

function forget(segment: Segment) {
  if (segment.isCut) cut.delete(segment.name);
  leaveMemory(segment);
  segment.file?.close().catch(() => {});
  segment.file = null;
}

function leaveMemory(segment: Segment) {
  if (segment.bytes) converted.delete(segment.bytes);
  segment.bytes = null;
}

let isMoving = false;

async function makeRoom() {
  cutOff();
  if (isMoving) return;
  isMoving = true;
  for (let slowest = nextToMove(); slowest; slowest = nextToMove()) if (!(await moveToFile(slowest))) break;
  isMoving = false;
  cutOff();
}

/** The bytes of the segments on their way that are in memory, or in files. Each counts once. */
const bytesIn = (place: "bytes" | "file") =>
  [...new Set([...sending].map(({ segment }) => segment))]
    .filter((segment) => segment[place] !== null)
    .reduce((sum, { length }) => sum + length, 0);

function nextToMove(): Segment | undefined {
  const inMemory = [...sending].filter(({ segment }) => segment.bytes !== null);
  const isAlone = new Set(inMemory.map(({ segment }) => segment)).size === 1;
  const most = isAlone ? limits.heldBytes + limits.movingBytes : limits.heldBytes;
  return bytesIn("bytes") > most ? inMemory[0]?.segment : undefined;
}

/** False: the segment stays in memory. */
async function moveToFile(segment: Segment): Promise<boolean> {
  const { bytes } = segment;
  try {
    if (!bytes || !(await hasFreeDisk())) return false;
    const file = await writeFile(bytes);
    if (segment.readers === 0) {
      await file.close();
      return true;
    }
    segment.file = file;
    leaveMemory(segment);
    return true;
  } catch (error) {
    log.warnOnce("sent-segments", "segments for slow viewers cannot be stored", errorFields(error));
    return false;
  }
}

/** It has no name, so it is gone with its readers, also if the process ends. */
async function writeFile(bytes: Buffer): Promise<FileHandle> {
  const folder = join(env.DATA_DIR, "film-cache", "sent");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // With a dot in its name, the cache deletes it at the next start if the process ends in between.
  const path = join(folder, `${randomUUID()}.part`);
  const file = await open(path, "wx+");
  try {
    await rm(path, { force: true });
    await file.writeFile(bytes);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

function cutOff() {
  for (;;) {
    const isInWay = findExcess();
    const one = isInWay && longestIdle([...sending].slice(0, -1).filter(isInWay));
    if (!one) return;
    // Its event comes one turn later.
    sending.delete(one);
    one.body.destroy();
  }
}

/** Whose end would make room. Undefined: there is room. */
function findExcess(): ((one: Sending) => boolean) | undefined {
  if (bytesIn("bytes") > limits.heldBytes + limits.movingBytes)
    return ({ segment }) => segment.bytes !== null;
  if (bytesIn("file") > limits.fileBytes) return ({ segment }) => segment.file !== null;
  return sending.size > limits.answers ? () => true : undefined;
}

/** Of the client with most of these, which come in the order in which they last read. */
function longestIdle(candidates: readonly Sending[]): Sending | undefined {
  const counts = new Map<string, number>();
  for (const { client } of candidates) counts.set(client, (counts.get(client) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return candidates.find(({ client }) => counts.get(client) === most);
}
