import { type Outcome, refuse } from "#app/domain/errors.ts";
import { PoolOverloaded, ThreadPool, type Turn } from "#app/platform/limits/thread-pool.server.ts";
import { memoryPlan } from "#app/platform/process/memory.server.ts";
import { ownFilePath } from "#app/platform/process/own-files.server.ts";
import { seconds } from "#app/platform/units.ts";
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
  queueLimit: 8,
  clientLimit: 4,
  heapMebibytes: memoryPlan.importHeap,
  // A thread takes a third of a second to start, and most people import soon after the preview.
  maxIdleMs: seconds(3),
});

type Uploaded = { bytes: Uint8Array; turn: Turn };

export const readUploadedList = ({ bytes, turn }: Uploaded) => read<ListFile>({ kind: "list", bytes }, turn);

export const readUploadedAccount = ({ bytes, turn }: Uploaded) =>
  read<AccountFile>({ kind: "account", bytes }, turn);

async function read<File>(job: ReadingJob, turn: Turn): Promise<Outcome<File>> {
  try {
    return (await pool.run(job, turn)) as Outcome<File>;
  } catch (error) {
    if (error instanceof PoolOverloaded) return refuse("overloaded");
    if ((error as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY")
      return refuse(
        "too_large",
        "The file has more data than a list or an account can have. Choose another file.",
      );
    throw error;
  }
}
