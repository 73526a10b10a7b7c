import type { Readable } from "node:stream";
import { counter, gauge, histogram } from "#app/platform/metrics.server.ts";

/** How many streams run, for whom, and how they went. */

export const maxStreamsPerClient = 64;
/** A third of a megabyte each while nobody reads it, and more than one process could send at the pace of a film. */
export const maxStreams = 2048;

const streamsByClient = new Map<string, number>();
let openStreams = 0;
gauge("video_streams_open", "Streams through the video proxy now", () => openStreams);
const bytes = counter("video_bytes_total", "Bytes taken from upstreams for viewers");
const aborts = counter("video_aborts_total", "Streams that ended before their end", ["by"]);
const upstreamAnswers = counter("video_upstream_answers_total", "What upstreams answered", ["status"]);
const firstByte = histogram(
  "video_first_byte_seconds",
  "From the request to the first byte of the upstream's body",
  [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
);

/** Takes a place for this client, to be given back by calling what comes; null: its places or all are taken. */
export function takeStreamSlot(client: string): (() => void) | null {
  const now = streamsByClient.get(client) ?? 0;
  if (now >= maxStreamsPerClient || openStreams >= maxStreams) return null;
  streamsByClient.set(client, now + 1);
  openStreams++;
  let isTaken = true;
  return () => {
    if (!isTaken) return;
    isTaken = false;
    openStreams--;
    const left = (streamsByClient.get(client) ?? 1) - 1;
    if (left > 0) streamsByClient.set(client, left);
    else streamsByClient.delete(client);
  };
}

export const countUpstreamAnswer = (status: number) =>
  upstreamAnswers.inc({ status: `${Math.trunc(status / 100)}xx` });
export const countFirstByte = (startedAt: number) =>
  firstByte.observe((performance.now() - startedAt) / 1000);

/** Counts a body while somebody else pipes it: once it flows, one more listener sees its chunks pass. */
export function countStreamBytes(body: Readable, release: () => void) {
  let passed = 0;
  body.once("resume", () => {
    body.on("data", (chunk: Buffer) => {
      passed += chunk.length;
    });
  });
  body.once("close", () => {
    release();
    bytes.inc(passed);
    if (!body.readableEnded)
      aborts.inc({ by: body.errored && !isOwnAbort(body.errored) ? "upstream" : "viewer" });
  });
}

/** What a body fails with when it is our side that gave it up. */
const isOwnAbort = (error: Error) =>
  error.name === "AbortError" || (error as { code?: string }).code === "ERR_STREAM_PREMATURE_CLOSE";
