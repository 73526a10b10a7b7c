import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { figure } from "#tests/load/figures.ts";
import { imageBombs } from "#tests/support/data/image-bombs.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";

process.env.ALLOW_PRIVATE_UPSTREAMS = "127.0.0.1";
const { request } = await import("#tests/support/site/in-process.ts");

/** The memory used by pictures that claim a huge size, until they are refused. tests/integration/images tests the refusals. */

const upstream = await startUpstream(({ url }, response) => response.end(imageBombs[url ?? ""]));
const proxy = (path: string) => request(`/api/proxy?w=300&url=${encodeURIComponent(upstream.origin + path)}`);

/** The resident memory of this process and its child processes. */
function residentBytes() {
  let total = process.memoryUsage().rss;
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name)))
    try {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      if (Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]) === process.pid)
        total += Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024;
    } catch {
      // The process ended before its file could be read.
    }
  return total;
}

/** The largest growth of resident memory during the work. */
async function maxGrowth(work: () => Promise<unknown>) {
  const before = residentBytes();
  let maxBytes = before;
  const watch = setInterval(() => {
    maxBytes = Math.max(maxBytes, residentBytes());
  }, 20);
  await work();
  clearInterval(watch);
  return maxBytes - before;
}

test("40 image bombs at once", async ({ task }) => {
  // The first picture starts the child process.
  await proxy("/vast.svg");
  let healthMs = 0;
  const grown = await maxGrowth(async () => {
    const storm = Promise.all(
      Object.keys(imageBombs).flatMap((path) => Array.from({ length: 8 }, (_, at) => proxy(`${path}#${at}`))),
    );
    const startedAt = performance.now();
    expect((await request("/healthz")).status).toBe(200);
    healthMs = performance.now() - startedAt;
    expect(new Set((await storm).map(({ status }) => status))).toEqual(new Set([400]));
  });
  figure(task.name, "resident memory grows by", grown / 2 ** 20, "MiB");
  figure(task.name, "/healthz meanwhile", healthMs, "ms");
});
