import { existsSync, readFileSync } from "node:fs";

/** The milliseconds of processor time that this process uses. Unlike wall-clock time, it does not depend on other programs. */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * The share of processor time that the main thread uses during the work, from 0 to 1. Only Linux reports the time of a
 * single thread; on other systems this returns 0, and nothing is compared.
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
