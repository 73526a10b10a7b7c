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

/** `admit` is asked for room before bytes are kept; `withinMs` bounds those who send byte by byte. */
type BodyReadOptions = { admit?: (bytes: number) => boolean; withinMs?: number };

/** All of a body, up to `maxBytes` of them, also once decoded; more is refused and the connection closed. */
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
  const late = withinMs && setTimeout(() => body.destroy(new FetchTimeout(withinMs)), withinMs);
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
    clearTimeout(late);
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

/** A body that is not wanted; its failing later is nobody's concern. */
export function dropBody(body: Readable) {
  body.on("error", () => {}).destroy();
}
