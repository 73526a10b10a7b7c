import { readSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { readAccountFile, readListFile } from "#app/domain/library/files/parse-list-file.server.ts";
import type { ReadingJob } from "#app/domain/library/files/read-upload.server.ts";
import { ScratchFile } from "#app/platform/process/stored-rows.ts";
import { lowerThreadPriority } from "#app/platform/process/thread-priority.server.ts";
import { kibibytes } from "#app/platform/units.ts";

/**
 * A worker thread that reads one uploaded file for each message, so that the server stays free. It appends the text and
 * the rows to the uploaded file and answers with their positions. In the server's heap the rows would take several
 * times the size of the file.
 */
lowerThreadPriority();
parentPort?.on("message", async (job: ReadingJob) => parentPort?.postMessage(await read(job)));

function read({ kind, fd, size }: ReadingJob) {
  const readFile = kind === "list" ? readListFile : readAccountFile;
  return readFile(chunksOf(fd, size), new ScratchFile(fd, size));
}

function* chunksOf(fd: number, size: number): Generator<Buffer> {
  for (let at = 0; at < size; ) {
    const chunk = Buffer.alloc(Math.min(kibibytes(64), size - at));
    const count = readSync(fd, chunk, 0, chunk.byteLength, at);
    if (count === 0) throw new Error("an uploaded file is shorter than it was");
    at += count;
    yield chunk.subarray(0, count);
  }
}
