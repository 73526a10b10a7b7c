import { Worker } from "node:worker_threads";
import { FairQueue } from "./fair-queue.ts";

export class PoolOverloaded extends Error {
  override name = "PoolOverloaded";
}

/** The job took longer than `maxJobMs`, and its thread was ended. */
class JobTooLong extends Error {
  override name = "JobTooLong";
}

/** The thread ended during the job, which ran for `ranMs`. */
type JobFailure = Error & { ranMs: number };

/** True if the job needed more memory or time than its thread has. */
export const isTooLargeForThread = (error: unknown): error is JobFailure =>
  error instanceof JobTooLong || (error as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY";

type Options = {
  /** A module that answers each message with one message. */
  file: URL | string;
  threads: number;
  /** The number of jobs that may wait. A further job is refused at once with PoolOverloaded. */
  queueLimit: number;
  /** The number of jobs of one client that may wait. */
  clientLimit?: number;
  /**
   * A job that would wait longer is refused at once. The duration of jobs is measured; `expectedJobMs` is the initial
   * estimate.
   */
  maxWaitMs?: number;
  expectedJobMs?: number;
  /** A job that needs a larger heap fails with ERR_WORKER_OUT_OF_MEMORY. */
  heapMebibytes?: number;
  /** A job that runs longer fails with JobTooLong. */
  maxJobMs?: number;
  /** For rare and large jobs: an idle thread ends after this time, to free its memory. */
  maxIdleMs?: number;
  /** The `workerData` of the threads. */
  data?: unknown;
};
export type Turn = {
  client: string;
  /** Aborting drops the job while it waits. */
  signal?: AbortSignal;
};
type Task<Job, Answer> = {
  job: Job;
  startedAt: number;
  isTooLong: boolean;
  /** The limit of the time that the job may wait, then of the time that it may run. */
  timer?: NodeJS.Timeout;
  stopListening?(): void;
  resolve(answer: Answer): void;
  reject(error: Error): void;
};

/**
 * Runs slow computations on a few threads behind a short queue, in which clients take turns. On the main thread they
 * would delay every request.
 */
export class ThreadPool<Job, Answer> {
  readonly #options: Options;
  readonly #queue: FairQueue<Task<Job, Answer>>;
  #meanJobMs: number;
  /** The timer ends a thread that stays idle. */
  readonly #idle: { worker: Worker; timer: NodeJS.Timeout | undefined }[] = [];
  readonly #busy = new Map<Worker, Task<Job, Answer>>();

  constructor(options: Options) {
    this.#options = options;
    const { queueLimit, clientLimit = queueLimit, expectedJobMs = 0 } = options;
    this.#queue = new FairQueue({ total: queueLimit, perClient: clientLimit });
    this.#meanJobMs = expectedJobMs;
  }

  run(job: Job, { client, signal }: Turn): Promise<Answer> {
    const { maxWaitMs } = this.#options;
    if (maxWaitMs !== undefined && this.#expectedWaitMs(client) > maxWaitMs)
      return Promise.reject(new PoolOverloaded("the queue is too long"));
    const queue = this.#queue;
    return new Promise((resolve, reject) => {
      const task: Task<Job, Answer> = { job, resolve, reject, startedAt: 0, isTooLong: false };
      if (!queue.add(client, task)) return reject(new PoolOverloaded("the queue is full"));
      // Clients that come later get their turns before a client with many jobs, which then waits longer than expected.
      if (maxWaitMs !== undefined)
        task.timer = setTimeout(() => {
          if (!queue.remove(client, task)) return;
          task.stopListening?.();
          reject(new PoolOverloaded("the queue became too long"));
        }, maxWaitMs);
      const leave = () => {
        if (!queue.remove(client, task)) return;
        clearTimeout(task.timer);
        reject(signal?.reason);
      };
      if (signal?.aborted) return leave();
      task.stopListening = () => signal?.removeEventListener("abort", leave);
      signal?.addEventListener("abort", leave, { once: true });
      this.#takeNext();
    });
  }

  #expectedWaitMs(client: string) {
    const { threads } = this.#options;
    const before = this.#queue.placesBefore(client) + 1 + this.#busy.size - threads;
    return (Math.max(0, before) / threads) * this.#meanJobMs;
  }

  async close() {
    const idle = this.#idle.map(({ worker }) => worker);
    await Promise.all([...idle, ...this.#busy.keys()].map((worker) => worker.terminate()));
  }

  #takeNext() {
    while (this.#queue.size > 0) {
      const idle = this.#idle.pop();
      clearTimeout(idle?.timer);
      const worker = idle?.worker ?? (this.#busy.size < this.#options.threads ? this.#start() : undefined);
      const task = worker && this.#queue.next();
      if (!worker || !task) return;
      clearTimeout(task.timer);
      task.stopListening?.();
      task.startedAt = performance.now();
      this.#busy.set(worker, task);
      this.#limitTime(worker, task);
      worker.ref();
      worker.postMessage(task.job);
    }
  }

  /** The job fails when its thread has ended. Until then the thread may still use what the job gave it, such as a file. */
  #limitTime(worker: Worker, task: Task<Job, Answer>) {
    const { maxJobMs } = this.#options;
    if (maxJobMs === undefined) return;
    task.timer = setTimeout(() => {
      task.isTooLong = true;
      void worker.terminate();
    }, maxJobMs);
  }

  #start(): Worker {
    const { file, heapMebibytes, data } = this.#options;
    const resourceLimits = heapMebibytes === undefined ? {} : threadHeap(heapMebibytes);
    const worker = new Worker(file, { resourceLimits, workerData: data });
    let failure = new Error("a pool thread ended during its job");
    worker.on("message", (answer: Answer) => this.#finish(worker, answer));
    worker.on("error", (error: Error) => {
      failure = error;
    });
    worker.on("exit", () => {
      const task = this.#busy.get(worker);
      clearTimeout(task?.timer);
      if (task) {
        const error = task.isTooLong ? new JobTooLong("a job of a pool thread took too long") : failure;
        const ranMs = performance.now() - task.startedAt;
        task.reject(Object.assign(error, { ranMs }) satisfies JobFailure);
      }
      this.#busy.delete(worker);
      this.#removeIdle(worker);
      this.#takeNext();
    });
    return worker;
  }

  #finish(worker: Worker, answer: Answer) {
    const task = this.#busy.get(worker);
    clearTimeout(task?.timer);
    // The thread is ending and can take no other job.
    if (task?.isTooLong) return task.resolve(answer);
    if (task) this.#meanJobMs += (performance.now() - task.startedAt - this.#meanJobMs) / 8;
    task?.resolve(answer);
    this.#busy.delete(worker);
    // Without this, an idle thread would keep the process alive.
    worker.unref();
    const { maxIdleMs } = this.#options;
    const end = () => {
      this.#removeIdle(worker);
      void worker.terminate();
    };
    const timer = maxIdleMs === undefined ? undefined : setTimeout(end, maxIdleMs).unref();
    this.#idle.push({ worker, timer });
    this.#takeNext();
  }

  #removeIdle(worker: Worker) {
    const index = this.#idle.findIndex((one) => one.worker === worker);
    if (index < 0) return;
    clearTimeout(this.#idle[index]?.timer);
    this.#idle.splice(index, 1);
  }
}

/** V8's young generation can take up to 48 MiB in addition to the old one. */
const threadHeap = (mebibytes: number) => {
  const young = Math.min(48, Math.ceil(mebibytes / 4));
  return { maxYoungGenerationSizeMb: young, maxOldGenerationSizeMb: mebibytes - young };
};
