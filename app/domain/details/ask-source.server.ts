import { refusalOfFetch } from "#app/domain/upstream-refusal.server.ts";
import { parseJson } from "#app/platform/parse-json.ts";
import { env } from "#app/platform/process/env.server.ts";
import { mebibytes, minutes, seconds } from "#app/platform/units.ts";
import type { FetchRefusal } from "#app/platform/upstream/fetch-refusal.server.ts";
import {
  headerOf,
  piecesOfBody,
  RefusedBody,
  readUpstreamBody,
} from "#app/platform/upstream/read-body.server.ts";
import { maxRetryAfterMs, retryAfterMs } from "#app/platform/upstream/retry-after.ts";
import { type SafeResponse, safeFetch } from "#app/platform/upstream/safe-fetch.server.ts";
import type { QueueClock, QueueRun } from "./clock.ts";

/** Sends one request to a source of details and classifies the response. */

export type SourceReply =
  | { kind: "json"; status: number; json: unknown; paceMs: number }
  /** The source limits our requests. `waitMs` is null if it does not say how long to wait. */
  | { kind: "wait"; message: string; waitMs: number | null }
  /**
   * This request failed: the answer is too large, or the source could not compute it. A smaller request may succeed.
   */
  | { kind: "failed"; message: string }
  /**
   * The source does not work at the moment: it timed out, or answered with a server error or something else than JSON. A
   * download is judged by its `Content-Type` only, because its reader finds out whether it is JSON.
   */
  | { kind: "down"; message: string };

/** An answer about 50 titles has about 3 MB. */
const maxAnswerBytes = mebibytes(16);
const maxErrorBytes = mebibytes(1);

export async function ask(question: unknown, options: QueueRun): Promise<SourceReply> {
  const sent = await send(question, options);
  return sent.ok ? readReply(sent.response, maxAnswerBytes, options.clock) : sent.reply;
}

/** Gives the bytes of a good answer to `save` while they arrive, so that a long one is never in memory as a whole. */
export async function download(
  question: unknown,
  { save, ...options }: QueueRun & { save: (pieces: AsyncIterable<Uint8Array>) => Promise<void> },
): Promise<SourceReply | { kind: "saved"; paceMs: number }> {
  const sent = await send(question, options);
  if (!sent.ok) return sent.reply;
  const { response } = sent;
  const type = headerOf(response.headers, "content-type") ?? "application/json";
  if (response.status !== 200 || !/\bjson\b/i.test(type))
    return readReply(response, maxErrorBytes, options.clock);
  try {
    await save(piecesOfBody(response, maxAnswerBytes));
  } catch (error) {
    if (error instanceof RefusedBody) return replyOfRefusal(error.refusal);
    throw error;
  }
  return { kind: "saved", paceMs: paceOf(response, options.clock) };
}

type Sent = { ok: true; response: SafeResponse } | { ok: false; reply: SourceReply };

async function send(question: unknown, { signal }: QueueRun): Promise<Sent> {
  const fetched = await safeFetch(env.DETAILS_URL, {
    client: "details",
    isConfigured: true,
    method: "POST",
    body: JSON.stringify(question),
    headers: {
      "content-type": "application/json",
      accept: "application/json",
      "accept-encoding": "gzip",
    },
    firstByteMs: seconds(30),
    idleMs: seconds(30),
    totalMs: minutes(1),
    signal,
  });
  return fetched.ok ? fetched : { ok: false, reply: replyOfRefusal(fetched) };
}

async function readReply(response: SafeResponse, maxBytes: number, clock: QueueClock): Promise<SourceReply> {
  const read = await readUpstreamBody(response, maxBytes);
  return read.ok ? judge(response, read.bytes, clock) : replyOfRefusal(read);
}

const replyOfRefusal = (refusal: FetchRefusal): SourceReply => ({
  kind: refusal.reason === "too_large" ? "failed" : "down",
  message: refusalOfFetch(refusal).message ?? refusal.reason,
});

function judge(response: SafeResponse, bytes: Buffer, clock: QueueClock): SourceReply {
  const { status } = response;
  const message = `The server answered ${status}`;
  if (status === 429) return { kind: "wait", message, waitMs: waitOf(response, clock) };
  const json = parseJson(bytes.toString());
  if (json !== undefined && (status === 200 || status === 400 || status === 404 || status === 500))
    return { kind: "json", status, json, paceMs: paceOf(response, clock) };
  if (status === 500) return { kind: "failed", message };
  return {
    kind: "down",
    message: status === 200 ? "The server answered with something else than JSON" : message,
  };
}

function numberIn({ headers }: SafeResponse, name: string): number | null {
  const value = headers[name];
  return typeof value === "string" && /^\d{1,12}$/.test(value) ? Number(value) : null;
}

/** Reads `Retry-After` (RFC 9110, section 10.2.3), or the time at which AniList's limit resets. */
function waitOf(response: SafeResponse, { now }: QueueClock): number | null {
  const wait = retryAfterMs(response.headers["retry-after"]?.toString(), now().getTime());
  if (wait !== null) return wait;
  const waitMs = seconds(numberIn(response, "x-ratelimit-reset") ?? 0) - now().getTime();
  return waitMs > 0 ? Math.min(maxRetryAfterMs, waitMs) : null;
}

/**
 * How long the next request must wait: until the limit resets if it is used up, otherwise an even share of a minute.
 */
function paceOf(response: SafeResponse, clock: QueueClock): number {
  const limit = numberIn(response, "x-ratelimit-limit");
  const pace = limit === null || limit === 0 ? 0 : minutes(1) / limit;
  if (numberIn(response, "x-ratelimit-remaining") !== 0) return pace;
  return Math.max(pace, waitOf(response, clock) ?? minutes(1));
}
