import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { figure } from "#tests/load/figures.ts";
import { atEnd } from "#tests/support/setup/at-end.ts";
import { convertersOf, readersOf, totalMiB } from "#tests/support/site/memory.ts";
import type { Site } from "#tests/support/site/site-process.ts";

/** The resources that a site uses during a load test. */
type Strain = {
  /**
   * 95 % of the health checks were answered within this time. Excludes the time in which the site or the check waited
   * for a processor that others used.
   */
  usualMs: number;
  /** The peak memory of all processes of the site together. */
  mostMiB: number;
  /** The highest number of processes that read films at once, and of processes that convert them. */
  mostReaders: number;
  mostConverters: number;
};

/** The health checks run in their own thread, because the test's thread is busy with its requests. */
const healthChecks = `
const { readFileSync } = require("node:fs");
const { parentPort, workerData } = require("node:worker_threads");
const waitedMs = (file) => Number(readFileSync(file, "utf8").split(" ")[1]) / 1e6;
const waits = () => waitedMs("/proc/thread-self/schedstat") + waitedMs("/proc/" + workerData.pid + "/schedstat");
const times = [];
let isOver = false;
parentPort.once("message", () => { isOver = true; });
(async () => {
  while (!isOver) {
    const [since, waited] = [performance.now(), waits()];
    await (await fetch(workerData.origin + "/healthz")).text();
    times.push(performance.now() - since - (waits() - waited));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  parentPort.postMessage(times);
})();
`;

/** Sends health checks to the site until the returned function is called. */
export function watchSite(site: Site): () => Promise<Strain> {
  const workerData = { origin: site.origin, pid: site.process.pid };
  const checks = new Worker(healthChecks, { eval: true, workerData });
  const most = { mostMiB: 0, mostReaders: 0, mostConverters: 0 };
  const sample = () => {
    most.mostMiB = Math.max(most.mostMiB, totalMiB(site.process, site.dataDir));
    most.mostReaders = Math.max(most.mostReaders, readersOf(site).length);
    most.mostConverters = Math.max(most.mostConverters, convertersOf(site).length);
  };
  sample();
  const sampling = setInterval(sample, 100);
  const answered = once(checks, "message") as Promise<[number[]]>;
  atEnd(() => {
    clearInterval(sampling);
    return checks.terminate();
  });
  return async () => {
    clearInterval(sampling);
    checks.postMessage("end");
    const [times] = await answered;
    times.sort((one, other) => one - other);
    return { usualMs: times[Math.floor(0.95 * times.length)] ?? 0, ...most };
  };
}

/** Records the resources that a site used during a test. */
export function recordStrain(test: string, { usualMs, mostMiB, mostReaders, mostConverters }: Strain) {
  figure(test, "95 % of health checks within", usualMs, "ms");
  figure(test, "most memory", mostMiB, "MiB");
  figure(test, "most processes that read films", mostReaders, "");
  figure(test, "most processes that convert films", mostConverters, "");
}
