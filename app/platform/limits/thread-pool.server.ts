import { Worker } from "node:worker_threads";

export class PoolOverloaded extends Error {
  override name = "PoolOverloaded";
}

type Options = {
  /** A module that answers each message with one message. */
  file: URL | string;
  threads: number;
  /** The number of jobs that may wait. One more is refused at once with PoolOverloaded. */
  queueLimit: number;
  /** A job that needs a larger heap fails with ERR_WORKER_OUT_OF_MEMORY. */
  heapMebibytes?: number;
  /** For rare and large jobs: ends a thread when no job waits, so that its memory is free again. */
  endsWhenIdle?: boolean;
};
type Task<Job, Answer> = { job: Job; resolve(answer: Answer): void; reject(error: Error): void };

/** Runs slow computations on a few threads behind a short queue. On the main thread they would delay every request. */
export class ThreadPool<Job, Answer> {
  readonly #options: Options;
  readonly #waiting: Task<Job, Answer>[] = [];
  readonly #idle: Worker[] = [];
  readonly #busy = new Map<Worker, Task<Job, Answer>>();

  constructor(options: Options) {
    this.#options = options;
  }

  run(job: Job): Promise<Answer> {
    if (this.#waiting.length >= this.#options.queueLimit)
      return Promise.reject(new PoolOverloaded("the queue is full"));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job, resolve, reject });
      this.#takeNext();
    });
  }

  async close() {
    await Promise.all([...this.#idle, ...this.#busy.keys()].map((worker) => worker.terminate()));
  }

  #takeNext() {
    while (this.#waiting.length > 0) {
      const worker =
        this.#idle.pop() ?? (this.#busy.size < this.#options.threads ? this.#start() : undefined);
      const task = worker && this.#waiting.shift();
      if (!worker || !task) return;
      this.#busy.set(worker, task);
      worker.ref();
      worker.postMessage(task.job);
    }
  }

  #start(): Worker {
    const { file, heapMebibytes } = this.#options;
    const resourceLimits = heapMebibytes === undefined ? {} : { maxOldGenerationSizeMb: heapMebibytes };
    const worker = new Worker(file, { resourceLimits });
    let failure = new Error("a pool thread ended during its job");
    worker.on("message", (answer: Answer) => this.#finish(worker, answer));
    worker.on("error", (error: Error) => {
      failure = error;
    });
    worker.on("exit", () => {
      this.#busy.get(worker)?.reject(failure);
      this.#busy.delete(worker);
      const index = this.#idle.indexOf(worker);
      if (index >= 0) this.#idle.splice(index, 1);
      this.#takeNext();
    });
    return worker;
  }

  #finish(worker: Worker, answer: Answer) {
    this.#busy.get(worker)?.resolve(answer);
    this.#busy.delete(worker);
    if (this.#options.endsWhenIdle && this.#waiting.length === 0) return void worker.terminate();
    // Without this, an idle thread would keep the process alive.
    worker.unref();
    this.#idle.push(worker);
    this.#takeNext();
  }
}
