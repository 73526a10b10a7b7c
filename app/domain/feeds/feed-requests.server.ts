import { setTimeout as sleep } from "node:timers/promises";
import { unpack } from "#app/domain/catalog-import/catalog-import.server.ts";
import { refusalOfFetch } from "#app/domain/upstream-refusal.server.ts";
import { mebibytes, minutes, sizeText } from "#app/platform/units.ts";
import { type FetchRefusal, fetchRefusalOf } from "#app/platform/upstream/fetch-refusal.server.ts";
import { dropBody, headerOf } from "#app/platform/upstream/read-body.server.ts";
import { retryAfterMs } from "#app/platform/upstream/retry-after.ts";
import { type FetchOptions, type SafeResponse, safeFetch } from "#app/platform/upstream/safe-fetch.server.ts";
import { FeedFailure } from "./feed-failure.ts";

/** Sends requests to the server of a feed. Throws a `FeedFailure` if the response cannot be used. */

/** How a feed is read that arrives in pages. `position`: where the last run stopped. */
export type PagedReading = {
  position: string | null;
  onBytes: (bytes: number) => void;
  pauseMs?: number;
  /** The limit for one response. */
  maxMs?: number;
  maxRunMs?: number;
};

type RequestOptions = Pick<FetchOptions, "headers" | "headersOf" | "signal">;

/** Feeds are read one after the other. A file that takes longer than this is downloaded in parts over several runs. */
const usualMaxMs = minutes(15);

export async function askServer(
  address: string,
  options: RequestOptions,
  maxMs = usualMaxMs,
): Promise<SafeResponse> {
  const fetched = await safeFetch(address, {
    client: "feeds",
    isConfigured: true,
    ...options,
    firstByteMs: minutes(1),
    idleMs: minutes(1),
    totalMs: maxMs,
  });
  if (!fetched.ok) throw failureOfFetch(fetched);
  return fetched.response;
}

/** If a server asks for a longer wait, the run ends and the next one continues. */
const maxWaitInRunMs = minutes(2);
const maxWaitsInRow = 5;

/** Pauses between requests to a server, and waits when the server asks for it. */
export class PacedClient {
  readonly #pauseMs: number;
  readonly #maxMs: number | undefined;
  #lastAt = Number.NEGATIVE_INFINITY;

  constructor(pauseMs: number, maxMs?: number) {
    this.#pauseMs = pauseMs;
    this.#maxMs = maxMs;
  }

  /** Returns a response with status 200, or 304 if the request has `If-None-Match`. */
  async ask(address: string, options: RequestOptions): Promise<SafeResponse> {
    for (let waits = 0; ; waits++) {
      const pauseMs = this.#lastAt + this.#pauseMs - performance.now();
      if (pauseMs > 0) await sleep(pauseMs);
      const response = await askServer(address, options, this.#maxMs).finally(() => {
        this.#lastAt = performance.now();
      });
      if (response.status === 200) return response;
      dropBody(response.body);
      // A 304 to a request without `If-None-Match` is invalid.
      if (response.status === 304 && options.headers?.["if-none-match"] !== undefined) return response;
      const failure = failureOfStatus(response);
      const isBusy = response.status === 429 || response.status === 503;
      if (!isBusy || failure.waitMs > maxWaitInRunMs || waits >= maxWaitsInRow) throw failure;
      await sleep(Math.max(failure.waitMs, this.#pauseMs));
    }
  }
}

/** Real pages are far smaller. */
const maxPageBytes = mebibytes(32);

/** The decoded text of a response. Fails if the response is larger than `maxPageBytes`, compressed or decompressed. */
export async function* textOf(
  response: SafeResponse,
  onBytes: (bytes: number) => void,
): AsyncGenerator<string> {
  requireReadable(response);
  const decoder = new TextDecoder();
  try {
    const chunks = limited(response.body, onBytes);
    for await (const chunk of limited(unpack(chunks))) yield decoder.decode(chunk, { stream: true });
  } catch (error) {
    throw error instanceof FeedFailure ? error : failureOfBody(error as Error);
  } finally {
    dropBody(response.body);
  }
}

async function* limited(
  chunks: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void = () => {},
): AsyncGenerator<Buffer> {
  let total = 0;
  for await (const chunk of chunks) {
    total += chunk.length;
    if (total > maxPageBytes) throw new FeedFailure(`The answer is larger than ${sizeText(maxPageBytes)}`);
    onBytes(chunk.length);
    yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
  }
}

function failureOfBody(error: Error & { code?: unknown }): FeedFailure {
  const isPacking = typeof error.code === "number" || /^(Z_|ERR_ZLIB)/.test(String(error.code));
  return isPacking || error.message.startsWith("it ")
    ? new FeedFailure(`The answer is incomplete or damaged (${error.message})`)
    : failureOfFetch(fetchRefusalOf(error));
}

export const isWebPage = (text: string) => /^\s*<(!doctype\s+html|html)\b/i.test(text);

/** `unpack` detects these by their first bytes. */
const readableEncodings = ["", "identity", "gzip", "x-gzip", "zstd"];

export function requireReadable(response: SafeResponse) {
  const encoding = (headerOf(response.headers, "content-encoding") ?? "").trim().toLowerCase();
  if (readableEncodings.includes(encoding)) return;
  dropBody(response.body);
  throw new FeedFailure(
    `The server packs the file as ${encoding.slice(0, 40)}, which it was not asked to do`,
  );
}

export const failureOfFetch = (refusal: FetchRefusal) =>
  new FeedFailure(refusalOfFetch(refusal).message ?? refusal.reason);

export function failureOfStatus(response: SafeResponse): FeedFailure {
  const waitMs = retryAfterMs(headerOf(response.headers, "retry-after")) ?? 0;
  return new FeedFailure(`The server answered ${response.status}`, { waitMs });
}
