import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import zlib from "node:zlib";
import { type Body, writeBody } from "../server/stream-writing.server.ts";

/** Chooses the encoding of an answer and compresses it. Only text formats are compressed. */
export type Encoding = "br" | "gzip";

const compressible =
  /^(?:text\/(?!event-stream)|application\/(?:json|wasm|x-ndjson|manifest\+json|javascript|xml|[\w.+-]*\+(?:json|xml)|vnd\.apple\.mpegurl|x-mpegurl)|image\/svg\+xml)/i;

export const isCompressible = (contentType: string | null | undefined) =>
  contentType != null && compressible.test(contentType);

/** Adds `Vary` to every answer of a compressible type, even if this one is too short to be compressed. */
export function varyByEncoding(headers: Headers) {
  if (isCompressible(headers.get("Content-Type")) && !headers.get("Vary")?.includes("Accept-Encoding"))
    headers.append("Vary", "Accept-Encoding");
}

/** Compressing a smaller body saves fewer bytes than the extra headers need. */
const minCompressedBytes = 860;
export const isWorthCompressing = (length: number) => length >= minCompressedBytes;

/**
 * No browser sends longer lists of encodings and tags. They are ignored, because splitting 16 KiB takes longer than
 * everything else about an answer from memory.
 */
const maxListLength = 2000;

/**
 * The encoding that an `Accept-Encoding` header allows, brotli before gzip. Ignores `*` and all weights except 0 (RFC
 * 9110, section 12.5.3): clients list the encodings by name, and a client that does not gets the bytes uncompressed.
 */
export function chooseEncoding(accepted: string | string[] | undefined): Encoding | undefined {
  if (!accepted) return undefined;
  const header = String(accepted);
  if (header.length > maxListLength) return undefined;
  if (accepts(header, "br")) return "br";
  return accepts(header, "gzip") ? "gzip" : undefined;
}

function accepts(header: string, encoding: Encoding) {
  if (!header.includes(encoding)) return false;
  const entry = header
    .split(",")
    .map((part) => part.trim().toLowerCase())
    .find((part) => part === encoding || part.startsWith(`${encoding};`));
  return entry !== undefined && !/;\s*q=0(?:\.0*)?$/.test(entry);
}

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);

/** `thorough` compresses better and more slowly, for bytes that are cached and sent many times. */
export const compressBytes = (
  bytes: Buffer,
  encoding: Encoding,
  { thorough = false } = {},
): Promise<Buffer> =>
  encoding === "br"
    ? brotli(bytes, {
        params: {
          [zlib.constants.BROTLI_PARAM_QUALITY]: thorough ? 9 : 4,
          [zlib.constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength,
        },
      })
    : gzip(bytes, { level: thorough ? 9 : 5 });

/**
 * The window of brotli's streams, as a power of two: 256 KiB. An encoder holds its memory for as long as its client
 * reads. With this window it takes 1.5 MB, with the default window of 4 MiB more than 5 MB.
 */
const streamWindowBits = 18;

/**
 * Compresses a stream. Flushes after each turn of the event loop in which something was written; otherwise the encoder
 * would hold back the first part of a page until the rest has come from the database.
 */
export function compressStream(body: Exclude<Body, Buffer | null>, encoding: Encoding): Readable {
  const encoder =
    encoding === "br"
      ? zlib.createBrotliCompress({
          params: {
            [zlib.constants.BROTLI_PARAM_QUALITY]: 4,
            [zlib.constants.BROTLI_PARAM_LGWIN]: streamWindowBits,
          },
        })
      : zlib.createGzip({ level: 5 });
  const write = encoder.write.bind(encoder) as (chunk: Uint8Array, ...rest: unknown[]) => boolean;
  let isFlushDue = false;
  const flush = () => {
    isFlushDue = false;
    if (!encoder.destroyed && !encoder.writableEnded) encoder.flush();
  };
  encoder.write = (chunk: Uint8Array, ...rest: unknown[]) => {
    // `flush` writes an empty chunk itself, which must not cause another flush.
    if (!isFlushDue && chunk.byteLength > 0) {
      isFlushDue = true;
      setImmediate(flush);
    }
    return write(chunk, ...rest);
  };
  writeBody(body, encoder)?.catch((error: Error) => encoder.destroy(error));
  return encoder;
}

export const strongTag = (bytes: Buffer) =>
  `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;

/** A strong tag identifies exact bytes, so each encoding needs its own tag (RFC 9110, section 8.8.3). */
export const tagFor = (tag: string, encoding: Encoding | undefined) =>
  encoding && tag.endsWith('"') && !tag.startsWith("W/") ? `${tag.slice(0, -1)}-${encoding}"` : tag;

/** Removes the suffixes that `tagFor` adds, which routes do not know. */
export const routeTags = (header: string) => header.replace(/-(?:br|gzip)"/g, '"');

/** Whether If-None-Match holds this tag, by weak comparison (RFC 9110, section 13.1.2). */
export function matchesTag(header: string | undefined, tag: string) {
  if (header === undefined || header.length > maxListLength) return false;
  if (header.trim() === "*") return true;
  const withoutWeakness = tag.replace(/^W\//, "");
  return header.split(",").some((entry) => entry.trim().replace(/^W\//, "") === withoutWeakness);
}
