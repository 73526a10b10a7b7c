import { kibibytes, mebibytes, sizeText } from "#app/platform/units.ts";

/**
 * Checks the frames and blocks of a zstd stream (RFC 8878, section 3.1.1) before it is unpacked. The unpacking library
 * allocates a buffer as large as a frame requests, up to 2 GB.
 */

const maxWindowBytes = mebibytes(128);
const maxBlockBytes = kibibytes(128);
const magic = 0xfd2fb528;
/** The magic numbers of skippable frames, which carry user data, without their last four bits. */
const skippableMagic = 0x184d2a5;
const isSkippable = (found: number) => found >>> 4 === skippableMagic;
const runLengthBlock = 1;
const reservedBlock = 3;

export function isZstd(head: Buffer): boolean {
  const signature = head.length < 4 ? 0 : head.readUInt32LE();
  return signature === magic || isSkippable(signature);
}

export class ZstdFrames {
  #head: number[] = [];
  #isInFrame = false;
  #hasChecksum = false;
  /** The number of bytes before the next header. */
  #skip = 0;

  /** Throws if a frame needs too much memory or is not valid zstd. */
  follow(chunk: Uint8Array): void {
    for (let at = 0; at < chunk.length; ) {
      const skipped = Math.min(this.#skip, chunk.length - at);
      at += skipped;
      this.#skip -= skipped;
      const byte = chunk[at];
      if (byte === undefined) return;
      this.#head.push(byte);
      at += 1;
      const isRead = this.#isInFrame ? this.#readBlock() : this.#readFrame();
      if (isRead) this.#head = [];
    }
  }

  /** Returns false until the header is complete. */
  #readFrame(): boolean {
    const head = this.#head;
    if (head.length < 5) return false;
    const signature = littleEndian(head.slice(0, 4));
    if (isSkippable(signature)) {
      if (head.length < 8) return false;
      this.#skip = littleEndian(head.slice(4, 8));
      return true;
    }
    if (signature !== magic) throw new Error("it is not zstd");
    const descriptor = head[4] ?? 0;
    const isSingleSegment = (descriptor & 0x20) !== 0;
    const idBytes = [0, 1, 2, 4][descriptor & 3] ?? 0;
    const sizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >>> 6] ?? 0;
    if (head.length < 5 + (isSingleSegment ? 0 : 1) + idBytes + sizeBytes) return false;
    const size = littleEndian(head.slice(head.length - sizeBytes)) + (sizeBytes === 2 ? 256 : 0);
    const windowBytes = isSingleSegment ? size : windowOf(head[5] ?? 0);
    if (windowBytes > maxWindowBytes)
      throw new Error(`it needs a window of more than ${sizeText(maxWindowBytes)} to unpack`);
    this.#hasChecksum = (descriptor & 4) !== 0;
    this.#isInFrame = true;
    return true;
  }

  #readBlock(): boolean {
    if (this.#head.length < 3) return false;
    const header = littleEndian(this.#head);
    const type = (header >>> 1) & 3;
    const size = header >>> 3;
    if (type === reservedBlock || size > maxBlockBytes) throw new Error("it is not valid zstd");
    const isLast = (header & 1) === 1;
    this.#skip = (type === runLengthBlock ? 1 : size) + (isLast && this.#hasChecksum ? 4 : 0);
    this.#isInFrame = !isLast;
    return true;
  }
}

const littleEndian = (bytes: readonly number[]) => bytes.reduceRight((value, byte) => value * 256 + byte, 0);

function windowOf(descriptor: number) {
  const base = 2 ** (10 + (descriptor >>> 3));
  return base + (base / 8) * (descriptor & 7);
}
