import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { Decompress } from "fzstd";
import { kibibytes, mebibytes } from "#app/platform/units.ts";
import { withHead } from "./with-head.ts";
import { isZstd, ZstdFrames } from "./zstd-frames.ts";

/**
 * Unpacks gzip (RFC 1952) and zstd (RFC 8878). The format is detected from the first bytes, because file names and
 * content types can be wrong.
 */

type Packing = {
  is: (head: Buffer) => boolean;
  unpack: (chunks: AsyncIterable<Buffer>) => AsyncIterable<Uint8Array>;
};

const packings: Packing[] = [
  // `pipeline` requires a callback. It is empty because the reader of the returned stream gets the same error.
  { is: isGzip, unpack: (chunks) => pipeline(Readable.from(chunks), createGunzip(), () => {}) },
  { is: isZstd, unpack: unzstd },
];

/** Limits decompression bombs: a small file can unpack to any size. */
const maxUnpackedBytes = mebibytes(10 * 1024);
/** A server may compress a file that is already compressed. */
const maxLayers = 2;

export const unpack = (chunks: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> =>
  inLargeParts(unpackLayers(chunks, maxLayers));

/**
 * Readers look at the beginning of a text again with each part, so a million parts of one byte would take hours. Both a
 * server and a packed file can have such parts.
 */
const minPartBytes = kibibytes(64);

async function* inLargeParts(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const takePart = () => {
    const part = Buffer.concat(parts);
    parts = [];
    length = 0;
    return part;
  };
  try {
    for await (const chunk of chunks) {
      // A packed file can have millions of empty blocks.
      if (chunk.length === 0) continue;
      parts.push(chunk);
      length += chunk.length;
      if (length >= minPartBytes) yield takePart();
    }
  } catch (error) {
    // A damaged file is imported up to the damage.
    yield takePart();
    throw error;
  }
  yield takePart();
}

/** The first bytes show how a file is packed. */
const signatureBytes = 4;

async function* unpackLayers(chunks: AsyncIterable<Buffer>, layers: number): AsyncGenerator<Uint8Array> {
  const rest = chunks[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < signatureBytes) {
    const { done, value } = await rest.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  const all = withHead(head, rest);
  const packing = packings.find(({ is }) => is(head));
  if (!packing) yield* all;
  else if (layers === 0) throw new Error("it is packed several times");
  else yield* unpackLayers(limited(packing.unpack(all)), layers - 1);
}

async function* limited(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let total = 0;
  for await (const chunk of chunks) {
    total += chunk.length;
    if (total > maxUnpackedBytes) throw new Error("it unpacks to more than 10 GB");
    yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
  }
}

/** This many compressed bytes can unpack to 16 MiB: every four bytes can be a block of 128 KiB. */
const zstdStepBytes = 512;

async function* unzstd(chunks: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  const frames = new ZstdFrames();
  const pieces: Uint8Array[] = [];
  const stream = new Decompress((bytes) => void pieces.push(bytes));
  for await (const chunk of chunks) {
    frames.follow(chunk);
    for (let at = 0; at < chunk.length; at += zstdStepBytes) {
      stream.push(chunk.subarray(at, at + zstdStepBytes));
      yield* pieces.splice(0);
    }
  }
  stream.push(new Uint8Array(0), true);
  yield* pieces;
}

function isGzip(head: Buffer) {
  return head[0] === 0x1f && head[1] === 0x8b;
}
