import { setTimeout as pause } from "node:timers/promises";
import type { Bench, Row } from "#tests/bench/bench.ts";
import { median } from "#tests/bench/measuring/median.ts";
import { startSite } from "#tests/bench/measuring/servers.ts";
import { startUpstream, visitors } from "#tests/bench/whole-site/visitors.ts";
import { type RequestOutcome, startSteadyLoad } from "#tests/support/requests/steady-load.ts";

const perSecond = 12;
const minutes = Number(process.env.BENCH_MINUTES ?? 60);
const minutesPerRow = 5;
const pauseMs = 5000;

/**
 * Measures the memory of the site with its child processes and database for an hour, to see that it stays within MEMORY
 * and does not grow.
 */
const bench: Bench = {
  title: `${minutes} minutes of mixed load with MEMORY=512, ${perSecond} requests a second`,
  isLong: true,
  async run() {
    const upstream = await startUpstream();
    const site = await startSite({ ALLOW_PRIVATE_UPSTREAMS: "127.0.0.1", MEMORY: "512" });
    const load = startSteadyLoad(perSecond, await visitors(site.origin, upstream.origin));
    const rows: Row[] = [];
    for (let minute = 0; minute < minutes; minute += minutesPerRow) {
      const sizes: number[] = [];
      for (const end = Date.now() + minutesPerRow * 60_000; Date.now() < end; await pause(pauseMs))
        sizes.push(site.totalMiB());
      const label = `minutes ${minute} to ${minute + minutesPerRow}`;
      rows.push(
        { label: `${label}: median`, value: median(sizes), unit: "MiB" },
        { label: `${label}: maximum`, value: Math.max(...sizes), unit: "MiB" },
      );
      console.error(rows.slice(-2), `${failedOf(load.outcomes).length} requests failed`);
    }
    const cpuShare = (100 * site.cpuSeconds()) / (minutes * 60);
    const outcomes = await load.stop();
    await site.stop();
    upstream.stop();
    return [
      ...rows,
      { label: "processor time of the server, of one core", value: cpuShare, unit: "%" },
      { label: "requests that ended", value: outcomes.length, unit: "requests" },
      { label: "requests that failed", value: failedOf(outcomes).length, unit: "requests" },
    ];
  },
};
export default bench;

const failedOf = (outcomes: RequestOutcome[]) =>
  outcomes.filter(({ status }) => status === undefined || status >= 400);
