import { Worker } from "node:worker_threads";

/** Work that would hold up every request, done on threads: few of them, with a short line in front. */

export class PoolOverloaded extends Error {
  override name = "PoolOverloaded";
}

type Options = {
  /** A module that answers each message with one message. */
  file: URL | string;
  threads: number;
  /** How many jobs may wait; the next is refused at once. */
  queueLimit: number;
  /** A job that needs more fails with ERR_WORKER_OUT_OF_MEMORY. */
  heapMebibytes?: number;
  /** For rare and large jobs: a thread gives its memory back when nothing waits. */
  endsWhenIdle?: boolean;
};
type Task<Job, Answer> = { job: Job; resolve(answer: Answer): void; reject(error: Error): void };

export function createThreadPool<Job, Answer>({
  file,
  threads,
  queueLimit,
  heapMebibytes,
  endsWhenIdle = false,
}: Options) {
  const resourceLimits = heapMebibytes === undefined ? {} : { maxOldGenerationSizeMb: heapMebibytes };
  const waiting: Task<Job, Answer>[] = [];
  const idle: Worker[] = [];
  const busy = new Map<Worker, Task<Job, Answer>>();

  function start(): Worker {
    const worker = new Worker(file, { resourceLimits });
    let failure = new Error("a pool thread ended in the middle of its work");
    worker.on("message", (answer: Answer) => {
      busy.get(worker)?.resolve(answer);
      busy.delete(worker);
      if (endsWhenIdle && waiting.length === 0) return void worker.terminate();
      // An idle thread does not keep the process alive.
      worker.unref();
      idle.push(worker);
      takeNext();
    });
    worker.on("error", (error: Error) => {
      failure = error;
    });
    worker.on("exit", () => {
      busy.get(worker)?.reject(failure);
      busy.delete(worker);
      const place = idle.indexOf(worker);
      if (place >= 0) idle.splice(place, 1);
      takeNext();
    });
    return worker;
  }

  function takeNext() {
    while (waiting.length > 0) {
      const worker = idle.pop() ?? (busy.size < threads ? start() : undefined);
      const task = worker && waiting.shift();
      if (!worker || !task) return;
      busy.set(worker, task);
      worker.ref();
      worker.postMessage(task.job);
    }
  }

  return {
    run(job: Job): Promise<Answer> {
      if (waiting.length >= queueLimit) return Promise.reject(new PoolOverloaded("the queue is full"));
      return new Promise((resolve, reject) => {
        waiting.push({ job, resolve, reject });
        takeNext();
      });
    },
    async close() {
      await Promise.all([...idle, ...busy.keys()].map((worker) => worker.terminate()));
    },
  };
}
