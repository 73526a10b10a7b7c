import { type ChildProcess, spawn } from "node:child_process";
import { close, read } from "node:fs";
import type { Socket } from "node:net";
import { setPriority } from "node:os";
import { FairQueue } from "../limits/fair-queue.ts";
import { errorFields, log } from "../log.server.ts";
import { mebibytes, minutes } from "../units.ts";
import {
  encodeFrame,
  maxSharedFileBytes,
  maxStartMs,
  openSharedFile,
  type Ready,
  type Reply,
  readFrames,
  saysReady,
  wholeOf,
} from "./child-frames.ts";
import { killAtExit } from "./child-life.server.ts";
import { bareEnvironment } from "./env.server.ts";
import { ownFilePath } from "./own-files.server.ts";

type ChildFailure = "overloaded" | "too_slow" | "crashed" | "unwanted";

/** The job failed without an answer. */
export class ChildError extends Error {
  override name = "ChildError";
  readonly failure: ChildFailure;
  constructor(failure: ChildFailure) {
    super(`a child process gave no answer: ${failure}`);
    this.failure = failure;
  }
}

type Options = {
  /**
   * A file of the build that says when it is ready, and then answers each frame with one frame. Its arguments are its
   * memory in MiB, whether it has a shared file, and `saysReady`.
   */
  file: string;
  children: number;
  memoryMb: number;
  /** How many jobs may wait, in total and per client. */
  queueLength: number;
  clientLength: number;
};

/** The client whose turn a job takes, its time limit, and a signal that aborts when the caller leaves. */
export type ChildTurn = { client: string; timeoutMs: number; signal?: AbortSignal | undefined };

type TaskResult<Answer> = { answer: Answer; bytes: Buffer };
type Task<Order, Answer> = ChildTurn & {
  order: Order;
  resolve(answered: TaskResult<Answer>): void;
  reject(error: Error): void;
};
type Child<Order, Answer> = {
  process: ChildProcess;
  task: Task<Order, Answer> | null;
  timer: NodeJS.Timeout | undefined;
  isReady: boolean;
  sharedFile: number | null;
  isReading: boolean;
};

const maxIdleMs = minutes(2);

/**
 * Runs jobs that read strangers' files in child processes, so that a hostile file or a hanging disk crashes or blocks
 * only the child. Clients take turns.
 */
export class ChildPool<Order extends object, Answer extends object> {
  readonly #options: Options;
  readonly #queue: FairQueue<Task<Order, Answer>>;
  readonly #children = new Set<Child<Order, Answer>>();

  constructor(options: Options) {
    this.#options = options;
    this.#queue = new FairQueue({ total: options.queueLength, perClient: options.clientLength });
  }

  run(order: Order, turn: ChildTurn): Promise<TaskResult<Answer>> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        if (this.#queue.remove(turn.client, task)) reject(new ChildError("unwanted"));
      };
      const settled =
        <Value>(settle: (value: Value) => void) =>
        (value: Value) => {
          turn.signal?.removeEventListener("abort", leave);
          settle(value);
        };
      const task = { ...turn, order, resolve: settled(resolve), reject: settled(reject) };
      if (turn.signal?.aborted) return reject(new ChildError("unwanted"));
      if (!this.#queue.add(turn.client, task)) return reject(new ChildError("overloaded"));
      turn.signal?.addEventListener("abort", leave, { once: true });
      this.#dispatch();
    });
  }

  #dispatch() {
    for (;;) {
      const idle = [...this.#children].find(({ task }) => task === null);
      if (!idle && this.#children.size >= this.#options.children) return;
      const task = this.#queue.next();
      if (!task) return;
      const child = idle ?? this.#start();
      if (child) this.#assign(child, task);
      else task.reject(new ChildError("crashed"));
    }
  }

  /** Returns null if the system creates no process. Node throws some of the reasons; others are events of the process. */
  #spawn(sharedFile: number | null): ChildProcess | null {
    const { file, memoryMb } = this.#options;
    try {
      return spawn(
        process.execPath,
        [
          `--max-old-space-size=${Math.floor(memoryMb / 2)}`,
          ownFilePath(file),
          String(memoryMb),
          String(sharedFile !== null),
          saysReady,
        ],
        {
          stdio: ["pipe", "pipe", "inherit", sharedFile ?? "ignore"],
          env: { ...bareEnvironment, MALLOC_ARENA_MAX: "2" },
        },
      );
    } catch (error) {
      log.error("a child process could not be created", errorFields(error));
      return null;
    }
  }

  #start(): Child<Order, Answer> | null {
    const sharedFile = openSharedFile();
    const started = this.#spawn(sharedFile);
    if (!started) {
      closeShared({ sharedFile });
      return null;
    }
    const child: Child<Order, Answer> = {
      process: started,
      task: null,
      timer: undefined,
      isReady: false,
      sharedFile,
      isReading: false,
    };
    this.#children.add(child);
    killAtExit(started);
    lowerPriority(started, 5);
    readFrames<Ready | Reply<Answer>>(started.stdout, {
      onFrame: (frame, chunks) => {
        if ("ready" in frame) return this.#beginReady(child);
        if (!child.isReady) return this.#end(child, "crashed");
        const { answer, sharedBytes } = frame;
        if (sharedBytes > 0) this.#readShared(child, answer, sharedBytes);
        else this.#finish(child, { answer, bytes: wholeOf(chunks) });
      },
      onBroken: (error) => {
        log.warn("the answer of a child process could not be read", errorFields(error));
        this.#end(child, "crashed");
      },
      // The child itself has no more memory.
      maxBytes: mebibytes(this.#options.memoryMb),
    });
    started.stdin?.on("error", () => {});
    started.on("error", () => this.#end(child, "crashed"));
    started.on("close", () => this.#end(child, "crashed"));
    return child;
  }

  #assign(child: Child<Order, Answer>, task: Task<Order, Answer>) {
    child.task = task;
    this.#startClock(child, child.isReady ? task.timeoutMs : maxStartMs);
    keepServiceRunning(child.process, true);
    for (const part of encodeFrame(task.order, Buffer.alloc(0))) child.process.stdin?.write(part);
  }

  /** Only the first ready frame starts the time limit. A child that a hostile file has taken over could send more. */
  #beginReady(child: Child<Order, Answer>) {
    if (child.isReady) return;
    child.isReady = true;
    if (child.task) this.#startClock(child, child.task.timeoutMs);
  }

  #startClock(child: Child<Order, Answer>, limitMs: number) {
    clearTimeout(child.timer);
    child.timer = setTimeout(() => this.#end(child, "too_slow"), limitMs);
  }

  /** The child gets no other task meanwhile, so it does not write to the file. */
  #readShared(child: Child<Order, Answer>, answer: Answer, length: number) {
    // A hostile film may have taken over the child, which could then report any length.
    if (child.sharedFile === null || !(length <= maxSharedFileBytes)) return this.#end(child, "crashed");
    child.isReading = true;
    // The read fills the whole buffer, so no earlier content of this memory leaks.
    read(child.sharedFile, Buffer.allocUnsafeSlow(length), 0, length, 0, (error, count, bytes) => {
      child.isReading = false;
      if (!this.#children.has(child)) closeShared(child);
      else if (error || count < length) this.#end(child, "crashed");
      else this.#finish(child, { answer, bytes });
    });
  }

  #finish(child: Child<Order, Answer>, answered: TaskResult<Answer>) {
    clearTimeout(child.timer);
    const { task } = child;
    child.task = null;
    keepServiceRunning(child.process, false);
    child.timer = setTimeout(() => this.#end(child, "unwanted"), maxIdleMs).unref();
    task?.resolve(answered);
    this.#dispatch();
  }

  #end(child: Child<Order, Answer>, failure: ChildFailure) {
    if (!this.#children.delete(child)) return;
    clearTimeout(child.timer);
    child.process.kill("SIGKILL");
    if (!child.isReading) closeShared(child);
    child.task?.reject(new ChildError(failure));
    child.task = null;
    this.#dispatch();
  }
}

function closeShared(child: { sharedFile: number | null }) {
  if (child.sharedFile !== null) close(child.sharedFile, () => {});
  child.sharedFile = null;
}

/** Lowers the priority of a child process, so that this process runs first. A higher level means a lower priority. */
export function lowerPriority({ pid }: ChildProcess, level: 5 | 10) {
  if (pid === undefined) return;
  try {
    setPriority(pid, level);
  } catch {
    log.warnOnce("child-priority", "cannot lower the priority of child processes");
  }
}

/** An idle child process must not keep this process running at shutdown; a busy one must. */
export function keepServiceRunning(child: ChildProcess, isBusy: boolean) {
  for (const part of [child, child.stdin as Socket | null, child.stdout as Socket | null])
    if (isBusy) part?.ref();
    else part?.unref();
}
