import type { Readable } from "node:stream";
import { createFairShare } from "#app/platform/limits/fair-share.ts";
import { counter, gauge, histogram } from "#app/platform/metrics.server.ts";

/** Limits and counts the open streams of the video proxy. */

export const maxStreamsPerClient = 64;
/**
 * A stream whose client does not read buffers a third of a megabyte. One process cannot send more streams at playing
 * speed.
 */
export const maxStreams = 2048;

const streams = createFairShare({ total: maxStreams, perClient: maxStreamsPerClient });
gauge("video_streams_open", "Open streams of the video proxy", streams.held);
const bytes = counter("video_bytes_total", "Bytes taken from upstreams for viewers");
const aborts = counter("video_aborts_total", "Streams that broke off, by the side that broke them off", [
  "by",
]);
const upstreamAnswers = counter("video_upstream_answers_total", "Responses of upstreams", ["status"]);
const firstByte = histogram(
  "video_first_byte_seconds",
  "From the request to the first byte of the upstream's body",
  [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
);

/** Takes a stream slot and returns the function that frees it; null if the client or the process has no slot left. */
export const takeStreamSlot = (client: string): (() => void) | null => streams.take(client);

export const countUpstreamAnswer = (status: number) =>
  upstreamAnswers.inc({ status: `${Math.trunc(status / 100)}xx` });
export const countFirstByte = (startedAt: number) =>
  firstByte.observe((performance.now() - startedAt) / 1000);

/**
 * Counts the bytes of a body that another function pipes. The `data` listener is added only once the body flows, since
 * adding it earlier would start the flow and lose chunks.
 */
export function countStreamBytes(body: Readable, release: () => void) {
  let byteCount = 0;
  body.once("resume", () => {
    body.on("data", (chunk: Buffer) => {
      byteCount += chunk.length;
    });
  });
  const end = () => {
    release();
    bytes.inc(byteCount);
    if (!body.readableEnded)
      aborts.inc({ by: body.errored && !isOwnAbort(body.errored) ? "upstream" : "viewer" });
  };
  // A body that has broken off already sends no further event, and its slot would never be freed.
  if (body.closed) end();
  else body.once("close", end);
}

/** These errors mean that our side closed the body, for example because the client left. */
const isOwnAbort = (error: Error) =>
  error.name === "AbortError" || (error as { code?: string }).code === "ERR_STREAM_PREMATURE_CLOSE";
