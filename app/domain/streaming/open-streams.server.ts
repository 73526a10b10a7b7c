import type { Readable } from "node:stream";
import { counter, gauge, histogram } from "../../platform/metrics.server.ts";

/** How many streams run, for whom, and how they went. */

export const streamsAClient = 64;
/** A third of a megabyte each while nobody reads it, and more than one process could send at the pace of a film. */
export const streamsInAll = 2048;

const running = new Map<string, number>();
let open = 0;
gauge("video_streams_open", "Streams through the video proxy now", () => open);
const bytes = counter("video_bytes_total", "Bytes taken from upstreams for viewers");
const aborts = counter("video_aborts_total", "Streams that ended before their end", ["by"]);
const answers = counter("video_upstream_answers_total", "What upstreams answered", ["status"]);
const firstByte = histogram(
  "video_first_byte_seconds",
  "From the request to the first byte of the upstream's body",
  [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
);

/** Takes a place for this client, to be given back by calling what comes; null: its places or all are taken. */
export function takePlace(client: string): (() => void) | null {
  const now = running.get(client) ?? 0;
  if (now >= streamsAClient || open >= streamsInAll) return null;
  running.set(client, now + 1);
  open++;
  let isTaken = true;
  return () => {
    if (!isTaken) return;
    isTaken = false;
    open--;
    const left = (running.get(client) ?? 1) - 1;
    if (left > 0) running.set(client, left);
    else running.delete(client);
  };
}

export const countAnswer = (status: number) => answers.inc({ status: `${Math.trunc(status / 100)}xx` });
export const countFirstByte = (startedAt: number) =>
  firstByte.observe((performance.now() - startedAt) / 1000);

/** Counts a body while somebody else pipes it: once it flows, one more listener sees its chunks pass. */
export function watchStream(body: Readable, release: () => void) {
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
      aborts.inc({ by: body.errored && !isDeparture(body.errored) ? "upstream" : "viewer" });
  });
}

/** What a body fails with when it is our side that gave it up. */
const isDeparture = (error: Error) =>
  error.name === "AbortError" || (error as { code?: string }).code === "ERR_STREAM_PREMATURE_CLOSE";
