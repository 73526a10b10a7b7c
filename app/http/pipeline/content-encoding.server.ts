import type { Readable } from "node:stream";
import { promisify } from "node:util";
import zlib from "node:zlib";
import { type Body, writeBody } from "../server/stream-writing.server.ts";

/** Which encoding an answer goes out in, and how it gets there. Media bytes are never touched. */
export type Encoding = "br" | "gzip";

const compressible =
  /^(?:text\/(?!event-stream)|application\/(?:json|manifest\+json|javascript|xml|[\w.+-]*\+(?:json|xml)|vnd\.apple\.mpegurl|x-mpegurl)|image\/svg\+xml)/i;

export const isCompressible = (contentType: string | null | undefined) =>
  contentType != null && compressible.test(contentType);

/** Below this the headers cost more than the bytes saved. */
const minCompressedBytes = 860;
export const isWorthCompressing = (length: number) => length >= minCompressedBytes;

/**
 * The encoding that an `Accept-Encoding` header allows, brotli before gzip. Weights other than 0 and `*` are ignored
 * (RFC 9110, section 12.5.3): clients name both encodings plainly, and one that does not gets the bytes uncompressed.
 */
export function chooseEncoding(accepted: string | string[] | undefined): Encoding | undefined {
  if (!accepted) return undefined;
  const header = String(accepted);
  if (takes(header, "br")) return "br";
  return takes(header, "gzip") ? "gzip" : undefined;
}

function takes(header: string, encoding: Encoding) {
  if (!header.includes(encoding)) return false;
  const entry = header
    .split(",")
    .map((part) => part.trim().toLowerCase())
    .find((part) => part === encoding || part.startsWith(`${encoding};`));
  return entry !== undefined && !/;\s*q=0(?:\.0*)?$/.test(entry);
}

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);

/** `thorough` is for bytes that are kept and sent many times. */
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
 * Compresses a body as it comes: what is written within one turn of the event loop is compressed together, then
 * flushed, so that a page's first part is on its way while the rest still waits for the database.
 */
export function compressStream(body: Exclude<Body, Buffer | null>, encoding: Encoding): Readable {
  const encoder =
    encoding === "br"
      ? zlib.createBrotliCompress({ params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 4 } })
      : zlib.createGzip({ level: 5 });
  const write = encoder.write.bind(encoder) as (chunk: Uint8Array, ...rest: unknown[]) => boolean;
  let isFlushDue = false;
  const flush = () => {
    isFlushDue = false;
    if (!encoder.destroyed && !encoder.writableEnded) encoder.flush();
  };
  encoder.write = (chunk: Uint8Array, ...rest: unknown[]) => {
    // A flush is itself an empty write.
    if (!isFlushDue && chunk.byteLength > 0) {
      isFlushDue = true;
      setImmediate(flush);
    }
    return write(chunk, ...rest);
  };
  writeBody(body, encoder).catch((error: Error) => encoder.destroy(error));
  return encoder;
}

/** A strong tag names exact bytes, so each encoding has its own (RFC 9110, section 8.8.3). */
export const tagFor = (tag: string, encoding: Encoding | undefined) =>
  encoding && tag.endsWith('"') && !tag.startsWith("W/") ? `${tag.slice(0, -1)}-${encoding}"` : tag;

/** The route knows its tags without our suffixes. */
export const routeTags = (header: string) => header.replace(/-(?:br|gzip)"/g, '"');

/** Whether If-None-Match names this tag; compared weakly, as RFC 9110, section 13.1.2 wants. */
export function matchesTag(header: string | undefined, tag: string) {
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  const bare = tag.replace(/^W\//, "");
  return header.split(",").some((one) => one.trim().replace(/^W\//, "") === bare);
}
