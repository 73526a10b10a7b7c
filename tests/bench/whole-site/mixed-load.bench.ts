import { setTimeout as pause } from "node:timers/promises";
import type { Bench, Row } from "#tests/bench/bench.ts";
import { median, quantile } from "#tests/bench/measuring/median.ts";
import { type Served, startSite } from "#tests/bench/measuring/servers.ts";
import { startUpstream, visitors } from "#tests/bench/whole-site/visitors.ts";
import { startSteadyLoad } from "#tests/support/requests/steady-load.ts";

const perSecond = 12;
const warmUpMs = 60_000;
const measuredMs = 180_000;
const samplesPerMedian = 30;

/** Sends requests of all kinds at once, to see that neither memory nor open handles grow over time. */
const bench: Bench = {
  title: `Three minutes of mixed load, ${perSecond} requests a second, after one minute to warm up`,
  async run() {
    const upstream = await startUpstream();
    const site = await startSite({ ALLOW_PRIVATE_UPSTREAMS: "127.0.0.1" });
    const load = startSteadyLoad(perSecond, await visitors(site.origin, upstream.origin));
    await pause(warmUpMs);
    const warm = load.outcomes.length;
    const seen = await watch(site);
    const outcomes = (await load.stop()).slice(warm);
    await site.stop();
    upstream.stop();
    const failed = outcomes.filter(({ status }) => status === undefined || status >= 400).length;
    return [
      ...seen,
      ...times(outcomes.map(({ ms }) => ms)),
      { label: "requests that failed", value: failed, unit: "requests" },
    ];
  },
};
export default bench;

/** Samples once a second. The first and the last value are medians, because garbage collection can run at any moment. */
async function watch(site: Served): Promise<Row[]> {
  const memory: number[] = [];
  const handles: number[] = [];
  for (const end = Date.now() + measuredMs; Date.now() < end; await pause(1000)) {
    memory.push(site.residentBytes() / 1024 ** 2);
    handles.push(site.openHandles());
  }
  const rowsOf = (label: string, unit: string, values: number[]): Row[] => {
    const first = median(values.slice(0, samplesPerMedian));
    return [
      { label: `${label}, first half minute`, value: first, unit },
      {
        label: `${label}, last half minute`,
        value: median(values.slice(-samplesPerMedian)),
        unit,
        baseline: first,
      },
      { label: `${label}, maximum`, value: Math.max(...values), unit },
    ];
  };
  return [...rowsOf("resident memory", "MiB", memory), ...rowsOf("open handles", "", handles)];
}

function times(taken: number[]): Row[] {
  return [
    { label: "requests that ended", value: taken.length, unit: "requests" },
    { label: "time of a request, median", value: median(taken), unit: "ms" },
    { label: "time of a request, p99", value: quantile(taken, 0.99), unit: "ms" },
  ];
}
