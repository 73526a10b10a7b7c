import { existsSync, readFileSync } from "node:fs";

/** The milliseconds of processor time that this process uses. Unlike the time of a clock, it is the same on a busy machine. */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * The processor time of this process that its main thread uses during the work, from 0 to 1. Only Linux tells it of a
 * thread; elsewhere this returns 0, so that a test compares nothing.
 */
export async function mainThreadShare(work: () => unknown): Promise<number> {
  const before = mainThreadMs();
  const allMs = await processorMs(work);
  return (mainThreadMs() - before) / allMs;
}

function mainThreadMs(): number {
  const file = `/proc/self/task/${process.pid}/schedstat`;
  return existsSync(file) ? Number(readFileSync(file, "utf8").split(" ", 1)[0]) / 1e6 : 0;
}
