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
 * Transforms in child processes, as many as cores: more at once starves the name look-ups and file reads of the
 * whole service, and only a process can be stopped in the middle of an AVIF.
 */
const maxJobMs = seconds(20);
/** A drawing of a few lines can ask for hours of filters; one that is meant to be seen takes a fraction of this. */
const maxDrawingMs = seconds(5);
const maxIdleMs = seconds(120);
const maxQueueLength = 200;
const maxQueuedBytes = mebibytes(160);

type Task = { job: RenderJob; bytes: Buffer; settle(outcome: RenderOutcome): void };
type Child = { process: ChildProcess; task: Task | null; since: number; timer: NodeJS.Timeout | undefined };

const queue: Task[] = [];
const children = new Set<Child>();
let queuedBytes = 0;

gauge("images_render_queue", "Transforms waiting for a child process", () => queue.length);
gauge("images_render_children", "Child processes that render", () => children.size);
const took = histogram(
  "images_render_seconds",
  "Time a transform took in its child process",
  [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 20],
  ["kind"],
);
const failed = counter("images_render_failures_total", "Transforms that came to nothing", ["failure"]);

/** Never rejects: what cannot be rendered, takes too long or finds the queue full is an outcome. */
export function render(job: RenderJob, bytes: Buffer = Buffer.alloc(0)): Promise<RenderOutcome> {
  if (queue.length >= maxQueueLength || queuedBytes + bytes.length > maxQueuedBytes) {
    failed.inc({ failure: "overloaded" });
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
    const free = [...children].find((child) => child.task === null) ?? hire();
    const task = free && queue.shift();
    if (!free || !task) return;
    queuedBytes -= task.bytes.length;
    give(free, task);
  }
}

function hire(): Child | null {
  if (children.size >= availableParallelism()) return null;
  const started = spawn(
    process.execPath,
    ["--max-old-space-size=128", ownFilePath("build/server/render-child.js")],
    {
      stdio: ["pipe", "pipe", "inherit"],
      // One arena a thread would keep what a large picture took for good.
      env: { ...bareEnvironment, MALLOC_ARENA_MAX: "2" },
    },
  );
  const child: Child = { process: started, task: null, since: 0, timer: undefined };
  children.add(child);
  if (started.pid !== undefined) lowerPriority(started.pid);
  const read = frameReader<RenderAnswer>((answer, bytes) => finish(child, { ...answer, bytes }));
  started.stdout?.on("data", read);
  started.stdin?.on("error", () => {});
  started.on("error", () => gone(child, null));
  started.on("close", (code, signal) => gone(child, signal ?? code));
  hold(child, false);
  return child;
}

function lowerPriority(pid: number) {
  try {
    setPriority(pid, 10);
  } catch {
    log.warnOnce("render-priority", "cannot lower the priority of the rendering processes");
  }
}

/** A child at rest keeps nothing from ending; one at work does. */
function hold({ process: child }: Child, isBusy: boolean) {
  for (const part of [child, child.stdin as Socket | null, child.stdout as Socket | null])
    if (isBusy) part?.ref();
    else part?.unref();
}

function give(child: Child, task: Task) {
  clearTimeout(child.timer);
  child.task = task;
  child.since = Date.now();
  const longest = isDrawing(task.bytes) ? maxDrawingMs : maxJobMs;
  child.timer = setTimeout(() => dismiss(child, { ok: false, failure: "too_slow" }), longest);
  hold(child, true);
  for (const part of encodeFrame(task.job, task.bytes)) child.process.stdin?.write(part);
}

/** SVG is text, or gzipped text; all pictures made of pixels begin with a byte of their own. */
const isDrawing = (bytes: Buffer) => bytes.length > 0 && !pixelFormats.has(bytes[0] ?? 0);
const pixelFormats = new Set(Buffer.from("\x89\xffGR\0", "latin1"));

function finish(child: Child, answer: RenderAnswer & { bytes: Buffer }) {
  settle(child, answer);
  hold(child, false);
  if (answer.leaving) children.delete(child);
  else child.timer = setTimeout(() => dismiss(child), maxIdleMs).unref();
  dispatch();
}

function dismiss(child: Child, outcome?: RenderOutcome) {
  children.delete(child);
  child.process.kill("SIGKILL");
  if (outcome) settle(child, outcome);
  dispatch();
}

/**
 * A child that was killed, or ended for the memory it took, had a picture that no limit foresaw. One that ends
 * otherwise cannot do its work here at all.
 */
function gone(child: Child, end: number | string | null) {
  children.delete(child);
  const isThePicture = typeof end === "string" || end === outOfMemoryExitCode;
  if (child.task && !isThePicture) log.error("a rendering process ended by itself", { end });
  settle(child, { ok: false, failure: isThePicture ? "too_many_pixels" : "crashed" });
  dispatch();
}

function settle(child: Child, outcome: RenderOutcome) {
  clearTimeout(child.timer);
  const { task } = child;
  if (!task) return;
  child.task = null;
  took.observe({ kind: task.job.kind }, (Date.now() - child.since) / 1000);
  if (!outcome.ok) failed.inc({ failure: outcome.failure });
  task.settle(outcome);
}
