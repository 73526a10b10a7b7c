import { expect, test } from "vitest";
import { figure } from "#tests/load/figures.ts";
import { imageBombs } from "#tests/support/data/image-bombs.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";
import { processesOf, residentMiB } from "#tests/support/site/memory.ts";

process.env.ALLOW_PRIVATE_UPSTREAMS = "127.0.0.1";
const { request } = await import("#tests/support/site/in-process.ts");

/** The memory used by pictures that claim a huge size, until they are refused. tests/integration/images tests the refusals. */

const upstream = await startUpstream(({ url }, response) => response.end(imageBombs[url ?? ""]));
const proxy = (path: string) => request(`/api/proxy?w=300&url=${encodeURIComponent(upstream.origin + path)}`);

/** The resident memory of this process and the processes that it started. */
const residentOfAllMiB = () =>
  processesOf(process.pid).reduce((sum, pid) => sum + residentMiB({ process: { pid } }), 0);

/** The largest growth of resident memory during the work. */
async function maxGrowth(work: () => Promise<unknown>) {
  const before = residentOfAllMiB();
  let maxMiB = before;
  const watch = setInterval(() => {
    maxMiB = Math.max(maxMiB, residentOfAllMiB());
  }, 20);
  await work();
  clearInterval(watch);
  return maxMiB - before;
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
  figure(task.name, "resident memory grows by", grown, "MiB");
  figure(task.name, "/healthz meanwhile", healthMs, "ms");
});
