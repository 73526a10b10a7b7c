import type { FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import { countEach } from "#app/platform/lists.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { hasFreeDisk } from "#app/platform/process/free-disk.server.ts";
import { memoryPlan } from "#app/platform/process/memory.server.ts";
import { openUnnamedFile } from "#app/platform/process/unnamed-file.server.ts";
import { reusePieces } from "#app/platform/reused-pieces.server.ts";
import { kibibytes, mebibytes } from "#app/platform/units.ts";

const pieceBytes = kibibytes(64);
/** Smaller bodies are sent at once. */
const minLargeBytes = kibibytes(256);
/**
 * Each reader has one piece in its socket and the next one in its stream. The number of readers is limited by their
 * memory.
 */
const maxReaders = Math.max(64, Math.floor(mebibytes(memoryPlan.unsentAnswers) / (2 * pieceBytes)));

/**
 * Buffers of pieces that a socket has taken, for reuse. V8 counts memory outside its heap: with new memory for each
 * piece, garbage collection would cost more time than the rest of sending.
 */
const freePieces: Buffer[] = [];
const maxFreePieces = 32;
const takePiece = () => freePieces.pop() ?? Buffer.allocUnsafeSlow(pieceBytes);
function giveBack({ buffer }: Buffer) {
  // A stream that joined two pieces has copied them, possibly to memory that others use.
  if (buffer.byteLength === pieceBytes && freePieces.length < maxFreePieces)
    freePieces.push(Buffer.from(buffer));
}

type Limits = {
  /** The name of a folder under DATA_DIR. */
  folder: string;
  /** The limit for bodies that stay in memory. */
  memoryBytes: number;
  /** The limit for bodies that are being moved to the disk or that the disk refused, and for a single large body. */
  movingBytes: number;
  fileBytes: number;
};

/** `isImmutable`: the bytes under this name never change, so a second request can find them by the name alone. */
type NamedBytes = { name: string; type: string; isImmutable: boolean; bytes: Buffer };
type LargeBody = Omit<NamedBytes, "bytes"> & {
  length: number;
  bytes: Buffer | null;
  file: FileHandle | null;
  readers: number;
};
type SentBody = { type: string; size: number; body(client: string): Readable };
type Reader = { of: LargeBody; stream: Readable; client: string };

/**
 * Sends bodies of several megabytes, which a client on a slow line reads for minutes. All readers of a body share one
 * copy. Bodies stay in memory while there is room. After that, the bodies with the slowest readers move to files. When
 * memory and files are both full, one connection is closed: among the readers of the client that has the most, the one
 * that has read nothing for the longest time.
 */
export function createLargeBodies({ folder, memoryBytes, movingBytes, fileBytes }: Limits) {
  /** Ordered by last read; the most recent is last. */
  const readers = new Set<Reader>();
  /** Immutable bodies by name, in memory or in files. */
  const byName = new Map<string, LargeBody>();
  /** Other bodies by their bytes, in memory only, because the same name can have other bytes later. */
  const byBytes = new WeakMap<Buffer, LargeBody>();
  let isMoving = false;

  /** The body of an answer. `client`: an address or an IPv6 block. */
  function send(whole: NamedBytes, client: string): Buffer | Readable {
    const { name, isImmutable, bytes } = whole;
    if (bytes.length < minLargeBytes) return bytes;
    const known = isImmutable ? byName.get(name) : byBytes.get(bytes);
    const body = known ?? { ...whole, length: bytes.length, file: null, readers: 0 };
    if (isImmutable) byName.set(name, body);
    else byBytes.set(bytes, body);
    return read(body, client);
  }

  /**
   * An immutable body that a client is still reading, so that it need not be made again. Call `body` synchronously:
   * when the last reader leaves, the body is gone.
   */
  function findSent(name: string): SentBody | null {
    const body = byName.get(name);
    if (!body) return null;
    const { type, length } = body;
    return {
      type,
      size: length,
      body: (client) => read(body, client),
    };
  }

  function read(body: LargeBody, client: string): Readable {
    body.readers++;
    // Reads one piece ahead.
    const stream = Readable.from(pieces(), { objectMode: false, highWaterMark: 1 });
    reusePieces(stream, giveBack);
    const reader = { of: body, stream, client };
    readers.add(reader);
    stream.once("close", () => {
      readers.delete(reader);
      body.readers--;
      if (body.readers === 0) forget(body);
    });
    void makeRoom();
    return stream;

    async function* pieces() {
      for (let at = 0; at < body.length; at += pieceBytes) {
        readers.delete(reader);
        readers.add(reader);
        yield await readPiece(body, at);
      }
    }
  }

  function forget(body: LargeBody) {
    if (body.isImmutable) byName.delete(body.name);
    leaveMemory(body);
    body.file?.close().catch(() => {});
    body.file = null;
  }

  function leaveMemory(body: LargeBody) {
    if (body.bytes) byBytes.delete(body.bytes);
    body.bytes = null;
  }

  async function makeRoom() {
    cutOff();
    if (isMoving) return;
    isMoving = true;
    for (let slowest = nextToMove(); slowest; slowest = nextToMove()) if (!(await moveToFile(slowest))) break;
    isMoving = false;
    cutOff();
  }

  /** The bytes of all bodies in memory, or in files. A body with several readers counts once. */
  const bytesIn = (place: "bytes" | "file") =>
    [...new Set([...readers].map((reader) => reader.of))]
      .filter((body) => body[place] !== null)
      .reduce((sum, { length }) => sum + length, 0);

  function nextToMove(): LargeBody | undefined {
    const inMemory = [...readers].map((reader) => reader.of).filter(({ bytes }) => bytes !== null);
    const isAlone = new Set(inMemory).size === 1;
    const limit = isAlone ? memoryBytes + movingBytes : memoryBytes;
    return bytesIn("bytes") > limit ? inMemory[0] : undefined;
  }

  /** Returns false if the body stays in memory. */
  async function moveToFile(body: LargeBody): Promise<boolean> {
    const { bytes } = body;
    try {
      if (!bytes || !(await hasFreeDisk())) return false;
      const file = await writeToFile(bytes, folder);
      if (body.readers === 0) {
        await file.close();
        return true;
      }
      body.file = file;
      leaveMemory(body);
      return true;
    } catch (error) {
      log.warnOnce("large-bodies", "large answers for slow clients cannot be stored", errorFields(error));
      return false;
    }
  }

  function cutOff() {
    for (;;) {
      const wouldMakeRoom = findExcess();
      const reader = wouldMakeRoom && longestIdle([...readers].slice(0, -1).filter(wouldMakeRoom));
      if (!reader) return;
      // The stream's close event comes one turn later, and this loop must not choose the same reader again.
      readers.delete(reader);
      reader.stream.destroy();
    }
  }

  /** Selects the readers whose closing would make room. Undefined if there is room. */
  function findExcess(): ((reader: Reader) => boolean) | undefined {
    if (bytesIn("bytes") > memoryBytes + movingBytes) return (reader) => reader.of.bytes !== null;
    if (bytesIn("file") > fileBytes) return (reader) => reader.of.file !== null;
    return readers.size > maxReaders ? () => true : undefined;
  }

  return { send, findSent, readers: () => readers.size };
}

async function readPiece({ bytes, file, length }: LargeBody, at: number): Promise<Buffer> {
  const size = Math.min(pieceBytes, length - at);
  const piece = takePiece().subarray(0, size);
  // A copy: a view would keep the whole body in memory for as long as its client does not read.
  if (bytes) {
    bytes.copy(piece, 0, at, at + size);
    return piece;
  }
  const read = await file?.read(piece, 0, size, at);
  if (read?.bytesRead !== size) throw new Error("a waiting body cannot be read");
  return piece;
}

async function writeToFile(bytes: Buffer, folder: string): Promise<FileHandle> {
  const file = await openUnnamedFile(folder);
  try {
    await file.writeFile(bytes);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** The first reader of the client that has the most candidates. The candidates are ordered by last read. */
function longestIdle(candidates: readonly Reader[]): Reader | undefined {
  const counts = countEach(candidates.map(({ client }) => client));
  const highest = Math.max(...counts.values());
  return candidates.find(({ client }) => counts.get(client) === highest);
}
