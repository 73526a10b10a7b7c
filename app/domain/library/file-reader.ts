import { parentPort } from "node:worker_threads";
import type { ReadingJob } from "./file-reading.server.ts";
import { readAccountFile, readListFile } from "./list-reading.server.ts";

/** A thread that reads one file a message. */
parentPort?.on("message", async (job: ReadingJob) => {
  const read = job.kind === "list" ? readListFile(job.bytes, job.options) : readAccountFile(job.bytes);
  parentPort?.postMessage(await read);
});
