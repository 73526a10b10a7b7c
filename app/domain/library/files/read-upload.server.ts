import { type Outcome, refuse } from "#app/domain/errors.ts";
import { PoolOverloaded, ThreadPool } from "#app/platform/limits/thread-pool.server.ts";
import { memoryPlan } from "#app/platform/process/memory.server.ts";
import { ownFilePath } from "#app/platform/process/own-files.server.ts";
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
  heapMebibytes: memoryPlan.importHeap,
  endsWhenIdle: true,
});

export const readUploadedList = (bytes: Uint8Array) => read<ListFile>({ kind: "list", bytes });

export const readUploadedAccount = (bytes: Uint8Array) => read<AccountFile>({ kind: "account", bytes });

async function read<File>(job: ReadingJob): Promise<Outcome<File>> {
  try {
    return (await pool.run(job)) as Outcome<File>;
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
