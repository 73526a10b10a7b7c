import { type ChildProcess, spawn } from "node:child_process";
import { createTimeAllowance } from "#app/platform/limits/time-allowance.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { counter, gauge, histogram } from "#app/platform/metrics.server.ts";
import {
  encodeFrame,
  maxStartMs,
  type Ready,
  readFrames,
  wholeOf,
} from "#app/platform/process/child-frames.ts";
import { keepServiceRunning, lowerPriority } from "#app/platform/process/child-pool.server.ts";
import { bareEnvironment, env } from "#app/platform/process/env.server.ts";
import { memoryPlan } from "#app/platform/process/memory.server.ts";
import { ownFilePath } from "#app/platform/process/own-files.server.ts";
import { mebibytes, seconds } from "#app/platform/units.ts";
import {
  isDrawing,
  outOfMemoryExitCode,
  type RenderAnswer,
  type RenderJob,
  type RenderOutcome,
  type RenderRefusal,
} from "./render-job.ts";
import {
  createRenderQueue,
  mayBeSlow,
  type RenderRequester,
  type RenderTask,
} from "./render-queue.server.ts";

/**
 * Converts images in child processes. Only a process can be stopped in the middle of encoding an AVIF, and parallel
 * conversions in this process would delay file reads of the whole service.
 */
const maxJobMs = seconds(20);
/** A short hostile SVG can contain filters that run for hours. Ordinary drawings take a fraction of this time. */
const maxDrawingMs = seconds(5);
/** An abandoned job may finish within this time, since starting a new process costs nearly as much. */
const maxUnwantedMs = seconds(1);
const maxIdleMs = seconds(120);

/**
 * The account of the child processes. Pictures come from strangers, so the codecs must not run as root: a bug in one of
 * them would expose the machine.
 */
type Account = { uid?: number; gid?: number };

/** The id of the account `nobody` on every Linux. */
const nobodyId = 65534;

let currentAccount: Account = process.getuid?.() === 0 ? { uid: nobodyId, gid: nobodyId } : {};

type Child = {
  process: ChildProcess;
  task: RenderTask | null;
  since: number;
  timer: NodeJS.Timeout | undefined;
  account: Account;
  /** The child has loaded its code, so its account can read the files. */
  isReady: boolean;
};

const maxChildren = memoryPlan.renderChildren;
const queue = createRenderQueue();
const children = new Set<Child>();
const times = createTimeAllowance(seconds(env.RATE_LIMIT_IMAGE_SECONDS));

gauge("images_render_queue", "Conversions waiting for a child process", () => queue.size());
gauge("images_render_children", "Child processes that convert images", () => children.size);
gauge("images_render_busy", "Child processes that are converting an image", countBusy);
const durations = histogram(
  "images_render_seconds",
  "Time of a conversion in its child process",
  [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 20],
  ["kind"],
);
const failures = counter("images_render_failures_total", "Conversions that failed", ["failure"]);

/** Never rejects: an unreadable image, a timeout, a full queue and a disconnected client are outcomes. */
export function render(job: RenderJob, bytes: Buffer, requester: RenderRequester): Promise<RenderOutcome> {
  return new Promise((settle) => {
    const task: RenderTask = { job, bytes, requester, settle, isSlow: mayBeSlow(bytes) };
    const { signal } = requester;
    const onLeave = () => drop(task);
    task.settle = (outcome) => {
      signal?.removeEventListener("abort", onLeave);
      if (!outcome.ok) failures.inc({ failure: outcome.failure });
      settle(outcome);
    };
    if (signal?.aborted) return task.settle(unwanted);
    if (refuseIfTimeIsUsedUp(task)) return;
    if (!queue.add(task)) return task.settle({ ok: false, failure: "overloaded" });
    signal?.addEventListener("abort", onLeave, { once: true });
    dispatch();
  });
}

const unwanted: RenderRefusal = { ok: false, failure: "unwanted" };

function refuseIfTimeIsUsedUp({ requester, settle }: RenderTask): boolean {
  const waitMs = times.waitMs(requester.client);
  if (waitMs > 0) settle({ ok: false, failure: "overloaded", waitMs });
  return waitMs > 0;
}

/** Cancels a task that no request waits for any more. */
function drop(task: RenderTask) {
  if (queue.remove(task)) return task.settle(unwanted);
  const child = [...children].find((one) => one.task === task);
  if (!child) return;
  clearTimeout(child.timer);
  const leftMs = Math.max(0, child.since + maxUnwantedMs - performance.now());
  child.timer = setTimeout(() => killChild(child, unwanted), leftMs);
}

function countBusy() {
  return [...children].filter((child) => child.task !== null).length;
}

function dispatch() {
  for (;;) {
    const busy = countBusy();
    if (busy >= maxChildren) return;
    const isLastChild = busy === maxChildren - 1;
    const task = queue.next(isLastChild);
    if (!task) return;
    if (refuseIfTimeIsUsedUp(task)) continue;
    const child = [...children].find((one) => one.task === null) ?? startChild();
    if (!child) {
      task.settle({ ok: false, failure: "crashed" });
      continue;
    }
    assign(child, task, isLastChild);
    if (task.isSlow) startSpareChild();
  }
}

/** Starting a process takes long on a busy machine, so one is kept ready for the next quick conversion. */
function startSpareChild() {
  const hasSpare = [...children].some((child) => child.task === null);
  if (!hasSpare && children.size < maxChildren) startIdleChild();
}

function startIdleChild() {
  const child = startChild();
  if (child) endWhenIdle(child);
}

function endWhenIdle(child: Child) {
  child.timer = setTimeout(() => killChild(child), maxIdleMs).unref();
}

function spawnAs(account: Account): ChildProcess {
  return spawn(
    process.execPath,
    [
      `--max-old-space-size=${Math.min(128, Math.floor(memoryPlan.renderChild / 2))}`,
      ownFilePath("build/server/render-child.js"),
      String(memoryPlan.renderChild),
    ],
    {
      stdio: ["pipe", "pipe", "inherit"],
      // With glibc's default of one arena per thread, the memory of a large picture is never returned.
      env: { ...bareEnvironment, MALLOC_ARENA_MAX: "2" },
      ...account,
    },
  );
}

/** Returns null if no process can be created. Node throws some of the reasons, and others are events of the process. */
function startChild(): Child | null {
  const account = currentAccount;
  let started: ChildProcess;
  try {
    started = spawnAs(account);
  } catch (error) {
    if (isAboutAccount(error) && decodeAsRoot(account)) return startChild();
    logNoProcess(error);
    return null;
  }
  const child: Child = {
    process: started,
    task: null,
    since: 0,
    timer: undefined,
    account,
    isReady: false,
  };
  children.add(child);
  lowerPriority(started, 10);
  readFrames<Ready | RenderAnswer>(started.stdout, {
    onFrame(answer, chunks) {
      if ("ready" in answer) beginReady(child);
      else finish(child, { ...answer, bytes: wholeOf(chunks) });
    },
    onBroken(error) {
      log.warn("the answer of a rendering process could not be read", errorFields(error));
      killChild(child, { ok: false, failure: "crashed" });
    },
    // The child itself has no more memory.
    maxBytes: mebibytes(memoryPlan.renderChild),
  });
  started.stdin?.on("error", () => {});
  started.on("error", (error) => onSpawnError(child, error));
  started.on("close", (code, signal) => onExit(child, signal ?? code));
  keepServiceRunning(child.process, false);
  return child;
}

function assign(child: Child, task: RenderTask, mustBeQuick: boolean) {
  child.task = task;
  startClock(child, child.isReady ? limitMsOf(task) : maxStartMs);
  keepServiceRunning(child.process, true);
  for (const part of encodeFrame({ ...task.job, mustBeQuick }, task.bytes)) child.process.stdin?.write(part);
}

const limitMsOf = ({ bytes }: RenderTask) => (isDrawing(bytes) ? maxDrawingMs : maxJobMs);

function startClock(child: Child, limitMs: number) {
  clearTimeout(child.timer);
  child.since = performance.now();
  child.timer = setTimeout(() => killChild(child, { ok: false, failure: "too_slow" }), limitMs);
}

/** Only the first ready frame starts the time limit. A child that a hostile picture has taken over could send more. */
function beginReady(child: Child) {
  if (child.isReady) return;
  child.isReady = true;
  const { task } = child;
  if (task && !task.requester.signal?.aborted) startClock(child, limitMsOf(task));
}

function finish(child: Child, answer: RenderAnswer & { bytes: Buffer }) {
  if (answer.ok) settle(child, answer);
  else if (answer.failure === "slow") queueAgain(child, { isSlow: true });
  else settle(child, { ok: false, failure: answer.failure });
  keepServiceRunning(child.process, false);
  if (answer.leaving) children.delete(child);
  else endWhenIdle(child);
  dispatch();
}

/**
 * Queues a task again if its picture's header shows that it may be slow, because the last free child is kept for quick
 * conversions, or if the child could not start.
 */
function queueAgain(child: Child, { isSlow }: { isSlow: boolean }) {
  const { task } = child;
  clearTimeout(child.timer);
  child.task = null;
  if (!task) return;
  task.isSlow ||= isSlow;
  if (task.requester.signal?.aborted) task.settle(unwanted);
  else if (!queue.add(task)) task.settle({ ok: false, failure: "overloaded" });
}

function killChild(child: Child, outcome?: RenderOutcome) {
  children.delete(child);
  child.process.kill("SIGKILL");
  if (outcome) settle(child, outcome);
  dispatch();
}

/**
 * If a child was killed by a signal or ran out of memory, its picture was too large in a way that the limits did not
 * catch. Any other exit means that conversion is broken on this machine, so it is logged as an error.
 */
function onExit(child: Child, end: number | string | null) {
  // A process that was killed, or could not be created, has been dealt with.
  if (!children.delete(child)) return;
  const couldNotStart = !child.isReady && typeof end !== "string" && end !== outOfMemoryExitCode;
  if (couldNotStart && decodeAsRoot(child.account)) {
    queueAgain(child, { isSlow: false });
    return dispatch();
  }
  const isPictureTooLarge = typeof end === "string" || end === outOfMemoryExitCode;
  if (child.task && !isPictureTooLarge) log.error("a rendering process exited unexpectedly", { end });
  settle(child, { ok: false, failure: isPictureTooLarge ? "too_many_pixels" : "crashed" });
  dispatch();
}

/** The account may not run Node, or the site may not run processes as that account. */
const accountErrors: readonly (string | undefined)[] = ["EACCES", "EPERM"];

/** A machine with too many processes or too little memory says nothing about the account, so it must not lead to root. */
const isAboutAccount = (error: unknown) => accountErrors.includes((error as NodeJS.ErrnoException).code);

const logNoProcess = (error: unknown) =>
  log.error("a rendering process could not be created", errorFields(error));

function onSpawnError(child: Child, error: Error) {
  if (isAboutAccount(error)) return onExit(child, null);
  if (!children.delete(child)) return;
  logNoProcess(error);
  settle(child, { ok: false, failure: "crashed" });
  dispatch();
}

/**
 * Switches to decoding as root. Returns false if the child process that failed to start already used our own account.
 */
function decodeAsRoot({ uid }: Account): boolean {
  if (uid === undefined) return false;
  currentAccount = {};
  log.warnOnce(
    "render-account",
    `pictures are decoded as root, because uid ${nobodyId} cannot read or run the files of this site, or the site may not run processes as that account. Run the site under an account of its own, or let every account read its folder and Node`,
  );
  return true;
}

function settle(child: Child, outcome: RenderOutcome) {
  clearTimeout(child.timer);
  const { task } = child;
  if (!task) return;
  child.task = null;
  const tookMs = performance.now() - child.since;
  times.spend(task.requester.client, tookMs);
  durations.observe({ kind: task.job.kind }, tookMs / 1000);
  task.settle(outcome);
}

/** Starts a child process at startup if it uses another account, so that a problem with the account is logged early. */
export function prepareRenderers() {
  if (currentAccount.uid !== undefined && children.size === 0) startIdleChild();
}
