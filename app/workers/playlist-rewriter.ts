import { parentPort } from "node:worker_threads";
import { timedRewriting } from "#app/domain/streaming/proxy/playlist-rewriter.server.ts";
import type { RewriteJob } from "#app/domain/streaming/proxy/rewritten-playlist.server.ts";

/** A worker thread that rewrites one large playlist for each message. */
parentPort?.on("message", (job: RewriteJob) => {
  const timed = timedRewriting(job);
  const bytes = timed.rewritten?.bytes;
  // A copy of many megabytes would stop the server for milliseconds. Node shares the memory of small buffers.
  const isAlone = bytes !== undefined && bytes.byteLength === bytes.buffer.byteLength;
  parentPort?.postMessage(timed, isAlone ? [bytes.buffer as ArrayBuffer] : []);
});
