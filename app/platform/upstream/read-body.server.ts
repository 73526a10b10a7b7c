import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { errorCodeOf } from "../error-code.ts";
import { giveBackOf } from "../reused-pieces.server.ts";
import { type FetchRefusal, FetchTimeout, fetchRefusalOf } from "./fetch-refusal.server.ts";
import type { SafeResponse } from "./safe-fetch.server.ts";

type Encoded = Pick<SafeResponse, "headers" | "body">;

const decoders = new Map([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

export const headerOf = (headers: SafeResponse["headers"], name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
};

const encodingOf = (headers: SafeResponse["headers"]) => {
  const encoding = headerOf(headers, "content-encoding")?.trim().toLowerCase() ?? "";
  return encoding === "identity" ? "" : encoding;
};

export const isEncoded = (headers: SafeResponse["headers"]) => encodingOf(headers) !== "";

/** Some servers compress without being asked to. Returns null for an unknown encoding. */
export function decodedBody({ headers, body }: Encoded): Readable | null {
  if (!isEncoded(headers)) return body;
  const decoder = decoders.get(encodingOf(headers))?.();
  if (!decoder) return null;
  // zlib refuses no bytes at all as damaged data.
  const flush = decoder._flush.bind(decoder);
  decoder._flush = (done) => (decoder.bytesWritten === 0 ? done() : flush(done));
  pipeline(body, decoder, () => {});
  return decoder;
}

/** Decoding errors become `bad_answer`; all other body errors are treated as connection errors. */
export function refusalOfBodyError(error: unknown): FetchRefusal {
  if (/^(?:Z_|ERR_BROTLI|ERR__ERROR_FORMAT)/.test(errorCodeOf(error)))
    return { ok: false, reason: "bad_answer" };
  return fetchRefusalOf(error);
}

class BodyTooLarge extends Error {}

export class RefusedBody extends Error {
  override name = "RefusedBody";
  readonly refusal: FetchRefusal;
  constructor(refusal: FetchRefusal) {
    super("the body of an upstream's answer was refused");
    this.refusal = refusal;
  }
}

/**
 * The pieces of a body, decompressed. Throws `RefusedBody` and closes the connection if the upstream fails, or if either
 * form is larger than `maxBytes`. A body with an unknown encoding is returned as it is.
 */
export async function* piecesOfBody({ headers, body }: Encoded, maxBytes: number): AsyncGenerator<Buffer> {
  const tooLarge = () => new RefusedBody({ ok: false, reason: "too_large", maxBytes });
  if (Number(headers["content-length"] ?? 0) > maxBytes) {
    dropBody(body);
    throw tooLarge();
  }
  let length = 0;
  let receivedBytes = 0;
  const decoded = decodedBody({ headers, body }) ?? body;
  // A hostile server can send compressed data without end that decodes to nothing.
  if (decoded !== body)
    body.on("data", (chunk: Buffer) => {
      receivedBytes += chunk.length;
      if (receivedBytes > maxBytes) body.destroy(new BodyTooLarge());
    });
  try {
    for await (const chunk of decoded as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxBytes) throw new BodyTooLarge();
      yield chunk;
    }
  } catch (error) {
    throw error instanceof BodyTooLarge ? tooLarge() : new RefusedBody(refusalOfBodyError(error));
  } finally {
    dropBody(decoded);
    dropBody(body);
  }
}

/**
 * `admit` reserves memory for each decoded chunk before it is stored. `withinMs` limits the whole read, against an
 * upstream that sends byte by byte.
 */
type BodyReadOptions = { admit?: (bytes: number) => boolean; withinMs?: number };

/** Reads a whole body as `piecesOfBody` does, and returns why it was refused. */
export async function readUpstreamBody(
  { headers, body }: Encoded,
  maxBytes: number,
  { admit = () => true, withinMs }: BodyReadOptions = {},
): Promise<{ ok: true; bytes: Buffer } | FetchRefusal> {
  const chunks: Buffer[] = [];
  const timer = withinMs && setTimeout(() => body.destroy(new FetchTimeout(withinMs)), withinMs);
  try {
    for await (const chunk of piecesOfBody({ headers, body }, maxBytes)) {
      if (!admit(chunk.length)) return { ok: false, reason: "busy" };
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof RefusedBody) return error.refusal;
    throw error;
  } finally {
    clearTimeout(timer);
  }
  const bytes = Buffer.concat(chunks);
  const giveBack = isEncoded(headers) ? undefined : giveBackOf(body);
  if (giveBack) chunks.forEach(giveBack);
  return { ok: true, bytes };
}

/** Closes an unread body. Without the listener, its later `error` event would end the process. */
export function dropBody(body: Readable) {
  body.on("error", () => {}).destroy();
}
