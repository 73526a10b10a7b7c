import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { availableParallelism, setPriority } from "node:os";
import { log } from "#app/platform/log.server.ts";
import { counter, gauge, histogram } from "#app/platform/metrics.server.ts";
import { bareEnvironment } from "#app/platform/process/env.server.ts";
import { ownFilePath } from "#app/platform/process/own-files.server.ts";
import { mebibytes, seconds } from "#app/platform/units.ts";
import {
  encodeFrame,
  frameReader,
  outOfMemoryExitCode,
  type RenderAnswer,
  type RenderJob,
  type RenderOutcome,
} from "./render-job.ts";

/**
 * Converts images in child processes, one per core. Only a process can be stopped in the middle of encoding an AVIF,
 * and more conversions at once would delay DNS lookups and file reads of the whole service.
 */
const maxJobMs = seconds(20);
/** A short hostile SVG can contain filters that run for hours. Ordinary drawings take a fraction of this time. */
const maxDrawingMs = seconds(5);
const maxIdleMs = seconds(120);
const maxQueueLength = 200;
const maxQueuedBytes = mebibytes(160);

type Task = { job: RenderJob; bytes: Buffer; settle(outcome: RenderOutcome): void };
type Child = { process: ChildProcess; task: Task | null; since: number; timer: NodeJS.Timeout | undefined };

const queue: Task[] = [];
const children = new Set<Child>();
let queuedBytes = 0;

gauge("images_render_queue", "Conversions waiting for a child process", () => queue.length);
gauge("images_render_children", "Child processes that convert images", () => children.size);
const durations = histogram(
  "images_render_seconds",
  "Time of a conversion in its child process",
  [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 20],
  ["kind"],
);
const failures = counter("images_render_failures_total", "Conversions that failed", ["failure"]);

/** Never rejects: an unreadable image, a timeout and a full queue are outcomes. */
export function render(job: RenderJob, bytes: Buffer = Buffer.alloc(0)): Promise<RenderOutcome> {
  if (queue.length >= maxQueueLength || queuedBytes + bytes.length > maxQueuedBytes) {
    failures.inc({ failure: "overloaded" });
    return Promise.resolve({ ok: false, failure: "overloaded" });
  }
  return new Promise((settle) => {
    queue.push({ job, bytes, settle });
    queuedBytes += bytes.length;
    dispatch();
  });
}

function dispatch() {
  while (queue.length > 0) {
    const idle = [...children].find((child) => child.task === null) ?? startChild();
    const task = idle && queue.shift();
    if (!idle || !task) return;
    queuedBytes -= task.bytes.length;
    assign(idle, task);
  }
}

function startChild(): Child | null {
  if (children.size >= availableParallelism()) return null;
  const started = spawn(
    process.execPath,
    ["--max-old-space-size=128", ownFilePath("build/server/render-child.js")],
    {
      stdio: ["pipe", "pipe", "inherit"],
      // Ctrl-C must not end it, because the server still answers the requests under way.
      detached: true,
      // With glibc's default of one arena per thread, the memory of a large picture is never given back.
      env: { ...bareEnvironment, MALLOC_ARENA_MAX: "2" },
    },
  );
  const child: Child = { process: started, task: null, since: 0, timer: undefined };
  children.add(child);
  if (started.pid !== undefined) lowerPriority(started.pid);
  const read = frameReader<RenderAnswer>((answer, bytes) => finish(child, { ...answer, bytes }));
  started.stdout?.on("data", read);
  started.stdin?.on("error", () => {});
  started.on("error", () => onExit(child, null));
  started.on("close", (code, signal) => onExit(child, signal ?? code));
  keepServiceRunning(child, false);
  return child;
}

function lowerPriority(pid: number) {
  try {
    setPriority(pid, 10);
  } catch {
    log.warnOnce("render-priority", "cannot lower the priority of the rendering processes");
  }
}

/** An idle child process must not keep this process running at shutdown; a busy one must. */
function keepServiceRunning({ process: child }: Child, isBusy: boolean) {
  for (const part of [child, child.stdin as Socket | null, child.stdout as Socket | null])
    if (isBusy) part?.ref();
    else part?.unref();
}

function assign(child: Child, task: Task) {
  clearTimeout(child.timer);
  child.task = task;
  child.since = performance.now();
  const timeoutMs = isDrawing(task.bytes) ? maxDrawingMs : maxJobMs;
  child.timer = setTimeout(() => killChild(child, { ok: false, failure: "too_slow" }), timeoutMs);
  keepServiceRunning(child, true);
  for (const part of encodeFrame(task.job, task.bytes)) child.process.stdin?.write(part);
}

/** SVG is text or gzipped text. Every accepted pixel format can be told from it by its first byte. */
const isDrawing = (bytes: Buffer) => bytes.length > 0 && !pixelFormats.has(bytes[0] ?? 0);
const pixelFormats = new Set(Buffer.from("\x89\xffGR\0", "latin1"));

function finish(child: Child, answer: RenderAnswer & { bytes: Buffer }) {
  settle(child, answer);
  keepServiceRunning(child, false);
  if (answer.leaving) children.delete(child);
  else child.timer = setTimeout(() => killChild(child), maxIdleMs).unref();
  dispatch();
}

function killChild(child: Child, outcome?: RenderOutcome) {
  children.delete(child);
  child.process.kill("SIGKILL");
  if (outcome) settle(child, outcome);
  dispatch();
}

/**
 * A child that was killed by a signal or ran out of memory had a picture that the limits did not catch. Any other exit
 * means that conversion is broken on this machine, so it is logged as an error.
 */
function onExit(child: Child, end: number | string | null) {
  children.delete(child);
  const isPictureTooLarge = typeof end === "string" || end === outOfMemoryExitCode;
  if (child.task && !isPictureTooLarge) log.error("a rendering process exited unexpectedly", { end });
  settle(child, { ok: false, failure: isPictureTooLarge ? "too_many_pixels" : "crashed" });
  dispatch();
}

function settle(child: Child, outcome: RenderOutcome) {
  clearTimeout(child.timer);
  const { task } = child;
  if (!task) return;
  child.task = null;
  durations.observe({ kind: task.job.kind }, (performance.now() - child.since) / 1000);
  if (!outcome.ok) failures.inc({ failure: outcome.failure });
  task.settle(outcome);
}
