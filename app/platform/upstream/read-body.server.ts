import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import { type FetchRefusal, FetchTimeout, fetchRefusalOf } from "./fetch-refusal.server.ts";
import type { SafeResponse } from "./safe-fetch.server.ts";

const decoders = {
  gzip: promisify(gunzip),
  "x-gzip": promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/**
 * `admit` reserves memory for each chunk before it is stored. `withinMs` limits the whole read, against an upstream
 * that sends byte by byte.
 */
type BodyReadOptions = { admit?: (bytes: number) => boolean; withinMs?: number };

/** Reads and decompresses a whole body. Refuses it and closes the connection if either form is larger than `maxBytes`. */
export async function readUpstreamBody(
  { headers, body }: Pick<SafeResponse, "headers" | "body">,
  maxBytes: number,
  { admit = () => true, withinMs }: BodyReadOptions = {},
): Promise<{ ok: true; bytes: Buffer } | FetchRefusal> {
  const tooLarge: FetchRefusal = { ok: false, reason: "too_large", maxBytes };
  if (Number(headers["content-length"] ?? 0) > maxBytes) {
    dropBody(body);
    return tooLarge;
  }
  const chunks: Buffer[] = [];
  let length = 0;
  const timer = withinMs && setTimeout(() => body.destroy(new FetchTimeout(withinMs)), withinMs);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxBytes) return tooLarge;
      if (!admit(chunk.length)) return { ok: false, reason: "busy" };
      chunks.push(chunk);
    }
  } catch (error) {
    return fetchRefusalOf(error);
  } finally {
    clearTimeout(timer);
    dropBody(body);
  }
  return decodeBody(Buffer.concat(chunks, length), String(headers["content-encoding"] ?? ""), maxBytes);
}

async function decodeBody(bytes: Buffer, encoding: string, maxBytes: number) {
  const decode = decoders[encoding.trim().toLowerCase() as keyof typeof decoders];
  if (!decode || bytes.length === 0) return { ok: true as const, bytes };
  try {
    return { ok: true as const, bytes: await decode(bytes, { maxOutputLength: maxBytes }) };
  } catch (error) {
    const isTooLarge = (error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE";
    const refusal: FetchRefusal = isTooLarge
      ? { ok: false, reason: "too_large", maxBytes }
      : { ok: false, reason: "bad_answer" };
    return refusal;
  }
}

/** Closes an unread body. Without the listener, its later `error` event would end the process. */
export function dropBody(body: Readable) {
  body.on("error", () => {}).destroy();
}
