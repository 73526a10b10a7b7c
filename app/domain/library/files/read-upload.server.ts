import { type Outcome, refuse } from "#app/domain/errors.ts";
import { ThreadPool, type Turn } from "#app/platform/limits/thread-pool.server.ts";
import { createTimedQueue } from "#app/platform/limits/timed-queue.ts";
import { memoryPlan } from "#app/platform/process/memory.server.ts";
import { ownFilePath } from "#app/platform/process/own-files.server.ts";
import { minutes, seconds } from "#app/platform/units.ts";
import type { AccountFile } from "./account-file.ts";
import type { ListFile } from "./list-records.ts";

/**
 * A separate thread reads uploaded files, one at a time and with a limited heap. A large or hostile file can then neither
 * block other requests nor fill the memory of the process.
 */
export type ReadingJob = { kind: "list" | "account"; bytes: Uint8Array };

const pool = new ThreadPool<ReadingJob, Outcome<unknown>>({
  file: ownFilePath("build/server/file-reader.js"),
  threads: 1,
  queueLimit: 2,
  heapMebibytes: memoryPlan.importHeap,
  // A thread takes a third of a second to start, and most people import soon after the preview.
  maxIdleMs: seconds(3),
});

/**
 * Whoever has read a file holds thousands of entries and then a connection of the database until they are written. So a
 * client has one import at a time, from the first byte that is read to the answer, and others wait with their bytes alone.
 */
const imports = createTimedQueue({
  running: { total: 2, perClient: 1 },
  waiting: { total: 8, perClient: 4 },
  maxWaitMs: minutes(1),
  maxTotalMs: minutes(1),
});

type Uploaded = { bytes: Uint8Array; turn: Turn };
/** What becomes of the file that was read. */
type Use<File, Result> = (file: File) => Promise<Result>;

export const useUploadedList = <Result>({ bytes, turn }: Uploaded, use: Use<ListFile, Result>) =>
  inTurn({ kind: "list", bytes }, turn, use);

export const useUploadedAccount = <Result>({ bytes, turn }: Uploaded, use: Use<AccountFile, Result>) =>
  inTurn({ kind: "account", bytes }, turn, use);

async function inTurn<File, Result>(
  job: ReadingJob,
  turn: Turn,
  use: Use<File, Result>,
): Promise<Outcome<Result>> {
  const leave = await imports.enter(turn.client, turn);
  if (!leave) return refuse("overloaded");
  try {
    const file = await read<File>(job, turn);
    return file.ok ? { ok: true, value: await use(file.value) } : file;
  } finally {
    leave();
  }
}

async function read<File>(job: ReadingJob, turn: Turn): Promise<Outcome<File>> {
  try {
    return (await pool.run(job, turn)) as Outcome<File>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY")
      return refuse(
        "too_large",
        "The file has more data than a list or an account can have. Choose another file.",
      );
    throw error;
  }
}
