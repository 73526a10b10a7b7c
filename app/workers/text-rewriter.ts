import { parentPort } from "node:worker_threads";
import { timedRewriting } from "#app/domain/proxy/playlists/playlist-rewriter.server.ts";
import type { RewriteJob } from "#app/domain/proxy/playlists/rewritten-playlist.server.ts";
import {
  type BitmapFileJob,
  type BitmapJob,
  writeBitmapFile,
  writeBitmaps,
} from "#app/media/subtitles/bitmaps.ts";
import { type SubtitleJob, writeSubtitles } from "#app/media/subtitles/subtitle-text.ts";
import { type BitmapIndexJob, listVobSubStreams } from "#app/media/subtitles/vobsub-files.ts";
import { lowerThreadPriority } from "#app/platform/process/thread-priority.server.ts";

/** A worker thread that rewrites one large playlist or the subtitles of one track for each message. */
lowerThreadPriority();
parentPort?.on("message", (job: RewriteJob | SubtitleJob | BitmapJob | BitmapFileJob | BitmapIndexJob) => {
  if (job.kind === "subtitles") return answer(new TextEncoder().encode(writeSubtitles(job)));
  if (job.kind === "bitmaps") return answer(writeBitmaps(job));
  if (job.kind === "bitmap file") return answer(writeBitmapFile(job));
  if (job.kind === "bitmap index") return answer(listVobSubStreams(job.text));
  const timed = timedRewriting(job);
  answer(timed, timed.rewritten?.bytes);
});

function answer(message: object, bytes = message instanceof Uint8Array ? message : undefined) {
  // Copying many megabytes would block the server for milliseconds, so the buffer is transferred. Small buffers share
  // memory in Node and are copied.
  const isAlone = bytes !== undefined && bytes.byteLength === bytes.buffer.byteLength;
  parentPort?.postMessage(message, isAlone ? [bytes.buffer as ArrayBuffer] : []);
}
