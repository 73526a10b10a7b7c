import { parentPort } from "node:worker_threads";
import { readAccountFile, readListFile } from "#app/domain/library/files/parse-list-file.server.ts";
import type { ReadingJob } from "#app/domain/library/files/read-upload.server.ts";
import { lowerThreadPriority } from "#app/platform/process/thread-priority.server.ts";

/** A worker thread that reads one uploaded file for each message, so that the server stays free. */
lowerThreadPriority();
parentPort?.on("message", async (job: ReadingJob) => {
  const read = job.kind === "list" ? readListFile(job.bytes) : readAccountFile(job.bytes);
  parentPort?.postMessage(await read);
});
