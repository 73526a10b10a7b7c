import { createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Bench } from "../bench.ts";
import { startSite } from "../measuring/servers.ts";

const people = 50;
const password = "Abc123!x";

/** Fifty people sign in at once; everybody else should not notice. */
const bench: Bench = {
  title: `${people} sign-ins at once: what other requests feel`,
  async run() {
    const metricsPort = await freePort();
    const site = await startSite({ METRICS_PORT: String(metricsPort) });
    const post = (path: string, body: unknown) =>
      fetch(site.origin + path, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "Content-Type": "application/json" },
      });
    const emailOf = (index: number) => `person-${index}@example.org`;
    for (let index = 0; index < people; index++)
      await post("/api/auth/signup", { username: `Person ${index}`, email: emailOf(index), password });
    await eventLoopDelay(metricsPort);
    const quiet = await probes(site.origin, 2000);
    const quietDelay = await eventLoopDelay(metricsPort);
    const began = performance.now();
    let isOver = false;
    const signIns = Promise.all(
      Array.from({ length: people }, (_, index) =>
        post("/api/auth/signin", { email: emailOf(index), password }).then(({ status }) => status),
      ),
    ).finally(() => {
      isOver = true;
    });
    const busy = await probes(site.origin, Number.POSITIVE_INFINITY, () => isOver);
    const statuses = await signIns;
    const took = performance.now() - began;
    const delay = await eventLoopDelay(metricsPort);
    await site.stop();
    return [
      { what: "signed in", value: statuses.filter((status) => status === 200).length, unit: "people" },
      { what: "all of them took", value: took, unit: "ms" },
      { what: "event loop delay, 99th percentile, nobody signing in", value: quietDelay.p99, unit: "ms" },
      {
        what: "event loop delay, 99th percentile, meanwhile",
        value: delay.p99,
        unit: "ms",
        against: quietDelay.p99,
      },
      { what: "event loop delay, longest, meanwhile", value: delay.max, unit: "ms" },
      { what: "another request, median, nobody signing in", value: at(quiet, 0.5), unit: "ms" },
      {
        what: "another request, median, meanwhile",
        value: at(busy, 0.5),
        unit: "ms",
        against: at(quiet, 0.5),
      },
      { what: "another request, 99th percentile, meanwhile", value: at(busy, 0.99), unit: "ms" },
    ];
  },
};
export default bench;

/** One request after the other, each timed. */
async function probes(origin: string, forMs: number, isOver = () => false): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + forMs;
  while (performance.now() < end && !isOver()) {
    const began = performance.now();
    await (await fetch(`${origin}/api/auth/session`)).arrayBuffer();
    times.push(performance.now() - began);
    // One visitor more, not a storm of its own.
    await pause(10);
  }
  return times.sort((a, b) => a - b);
}

const at = (sorted: number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

/** Since it was asked last: reading starts the count anew. */
async function eventLoopDelay(port: number) {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const read = (name: string) =>
    Number(new RegExp(`^engawa_nodejs_eventloop_lag_${name}_seconds ([\\d.e-]+)`, "m").exec(text)?.[1]) *
    1000;
  return { p99: read("p99"), max: read("max") };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
