import type { FileHandle } from "node:fs/promises";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { allowLongWork, currentClient } from "#app/platform/limits/current-client.server.ts";
import { isTooLargeForThread, ThreadPool, type Turn } from "#app/platform/limits/thread-pool.server.ts";
import { createTimedQueue } from "#app/platform/limits/timed-queue.ts";
import { memoryPlan } from "#app/platform/process/memory.server.ts";
import { ownFilePath } from "#app/platform/process/own-files.server.ts";
import { withRows } from "#app/platform/process/stored-rows.ts";
import { minutes, seconds } from "#app/platform/units.ts";
import type { UploadedAccount } from "./account-file.ts";
import { tooMuchDataText } from "./list-records.ts";
import type { UploadedList } from "./store-list.ts";

/**
 * A separate thread reads uploaded files, one at a time and with a limited heap. A large or hostile file can therefore
 * neither block other requests nor fill the memory of the process.
 */
export type ReadingJob = { kind: "list" | "account"; fd: number; size: number };

const pool = new ThreadPool<ReadingJob, Outcome<unknown>>({
  file: ownFilePath("build/server/file-reader.js"),
  threads: 1,
  queueLimit: 2,
  heapMebibytes: memoryPlan.importHeap,
  // The largest account takes seconds. A file that takes longer than this is made to.
  maxJobMs: minutes(5),
  // A thread takes a third of a second to start, and most people import soon after the preview.
  maxIdleMs: seconds(3),
});

/**
 * An import holds a database connection until everything is written. Each client and each account therefore runs one
 * import at a time, from the first byte read to the response. Waiting imports hold only their file on the disk.
 */
const imports = createTimedQueue({
  running: { total: 2, perClient: 1, perAccount: 1 },
  waiting: { total: 8, perClient: 4 },
  maxWaitMs: minutes(1),
});

type Upload = { file: FileHandle; size: number; turn: Turn };
/** Processes the parsed file and returns the caller's result. */
type FileConsumer<File, Result> = (file: File) => Promise<Result>;

export const withUploadedList = <Result>(uploaded: Upload, use: FileConsumer<UploadedList, Result>) =>
  inTurn("list", uploaded, use);

export const withUploadedAccount = <Result>(uploaded: Upload, use: FileConsumer<UploadedAccount, Result>) =>
  inTurn("account", uploaded, use);

async function inTurn<File, Result>(
  kind: ReadingJob["kind"],
  { file: stored, size, turn }: Upload,
  use: FileConsumer<File, Result>,
): Promise<Outcome<Result>> {
  const leave = await imports.enter(turn.client, { ...turn, account: currentClient()?.account });
  if (!leave) return refuse("overloaded");
  allowLongWork();
  try {
    const file = await read({ kind, fd: stored.fd, size }, turn);
    return file.ok ? done(await use(withRows(file.value, stored) as File)) : file;
  } finally {
    leave();
  }
}

async function read(job: ReadingJob, turn: Turn): Promise<Outcome<unknown>> {
  try {
    return await pool.run(job, turn);
  } catch (error) {
    if (isTooLargeForThread(error)) return refuse("too_large", tooMuchDataText);
    throw error;
  }
}
