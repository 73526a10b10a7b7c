import { parentPort } from "node:worker_threads";
import type { ReadingJob } from "./file-reading.server.ts";
import { readListFile } from "./list-reading.server.ts";

/** A thread that reads one file a message. */
parentPort?.on("message", async (job: ReadingJob) => {
  parentPort?.postMessage(await readListFile(job.bytes, job.options));
});
