import { setTimeout as pause } from "node:timers/promises";
import type { Bench } from "#tests/bench/bench.ts";
import { median, quantile } from "#tests/bench/measuring/median.ts";
import { startSite } from "#tests/bench/measuring/servers.ts";
import { goodPassword } from "#tests/support/data/good-password.ts";
import { signUpAt } from "#tests/support/requests/session-member.ts";
import { freePort } from "#tests/support/servers/free-port.ts";

const members = 50;

/** Many members sign in at once, and other requests must stay fast. */
const bench: Bench = {
  title: `${members} sign-ins at once, and the time of other requests`,
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
    for (let index = 0; index < members; index++) await signUpAt(site.origin, emailOf(index));
    await eventLoopDelay(metricsPort);
    const quiet = await probes(site.origin, 2000);
    const quietDelay = await eventLoopDelay(metricsPort);
    const startedAt = performance.now();
    let isOver = false;
    const signIns = Promise.all(
      Array.from({ length: members }, (_, index) =>
        post("/api/auth/signin", { email: emailOf(index), password: goodPassword }).then(
          ({ status }) => status,
        ),
      ),
    ).finally(() => {
      isOver = true;
    });
    const busy = await probes(site.origin, Number.POSITIVE_INFINITY, () => isOver);
    const statuses = await signIns;
    const took = performance.now() - startedAt;
    const delay = await eventLoopDelay(metricsPort);
    await site.stop();
    return [
      {
        label: "successful sign-ins",
        value: statuses.filter((status) => status === 200).length,
        unit: "sign-ins",
      },
      { label: "time for all sign-ins", value: took, unit: "ms" },
      { label: "event loop delay, 99th percentile, idle server", value: quietDelay.p99, unit: "ms" },
      {
        label: "event loop delay, 99th percentile, during the sign-ins",
        value: delay.p99,
        unit: "ms",
        baseline: quietDelay.p99,
      },
      { label: "event loop delay, maximum, during the sign-ins", value: delay.max, unit: "ms" },
      { label: "another request, median, idle server", value: median(quiet), unit: "ms" },
      {
        label: "another request, median, during the sign-ins",
        value: median(busy),
        unit: "ms",
        baseline: median(quiet),
      },
      {
        label: "another request, 99th percentile, during the sign-ins",
        value: quantile(busy, 0.99),
        unit: "ms",
      },
    ];
  },
};
export default bench;

/** Sends one request after another and returns their times. */
async function probes(origin: string, forMs: number, isOver = () => false): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + forMs;
  while (performance.now() < end && !isOver()) {
    const startedAt = performance.now();
    await (await fetch(`${origin}/api/auth/session`)).arrayBuffer();
    times.push(performance.now() - startedAt);
    // Pauses, so that these requests do not load the server themselves.
    await pause(10);
  }
  return times;
}

/** The event loop's delay since the last call. Reading the metrics resets it. */
async function eventLoopDelay(port: number) {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const read = (name: string) =>
    Number(new RegExp(`^engawa_nodejs_eventloop_lag_${name}_seconds ([\\d.e-]+)`, "m").exec(text)?.[1]) *
    1000;
  return { p99: read("p99"), max: read("max") };
}
