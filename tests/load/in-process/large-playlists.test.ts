import { monitorEventLoopDelay } from "node:perf_hooks";
import { afterAll, expect, test } from "vitest";
import { figure } from "#tests/load/figures.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";

process.env.ALLOW_PRIVATE_UPSTREAMS = "127.0.0.1";
const { request, newAddress } = await import("#tests/support/site/in-process.ts");

/** The time during which this process is busy while a thread rewrites playlists of several megabytes. */

const mebibyte = 1024 * 1024;
const fill = (line: string, bytes: number) => line.repeat(Math.floor(bytes / line.length));
const playlists: Record<string, string> = {
  // This playlist consists of attributes, which take longest to rewrite.
  "/attributes.m3u8": `#EXTM3U\n${fill('#EXT-X-MEDIA:A=11,B=22,C=33,D=44,URI=""\n', 4 * mebibyte)}`,
  "/long.m3u8": `#EXTM3U\n${Array.from({ length: 20_000 }, (_, at) => `#EXTINF:2,\nfilm/${at}.ts?token=abc\n`).join("")}#EXT-X-ENDLIST\n`,
};
const upstream = await startUpstream(({ url }, response) =>
  response.end(playlists[url?.replace(/\?.*/, "") ?? ""] ?? "#EXTM3U\n#EXTINF:4,\na.ts\n"),
);
const proxy = (path: string, address = newAddress()) =>
  request(`/api/videoProxy?url=${encodeURIComponent(upstream.origin + path)}`, { address });

const delays = monitorEventLoopDelay({ resolution: 5 });
afterAll(() => delays.disable());

test("six playlists of five megabytes", async ({ task }) => {
  // The first playlist starts the thread.
  await proxy("/long.m3u8");
  const address = newAddress();
  const since = performance.now();
  await proxy("/attributes.m3u8?alone");
  const aloneMs = performance.now() - since;
  delays.enable();
  let isOver = false;
  const hostile = Promise.all(
    Array.from({ length: 6 }, (_, at) =>
      proxy(`/attributes.m3u8?${at}`, address).then(({ status }) => status),
    ),
  ).finally(() => {
    isOver = true;
  });
  await expect.poll(() => upstream.requests.filter((one) => one.includes("attributes")).length).toBe(7);
  expect((await proxy("/small.m3u8")).status).toBe(200);
  expect((await proxy("/long.m3u8?2")).status).toBe(200);
  expect(isOver).toBe(false);
  await hostile;
  delays.disable();
  // Almost all of this time is spent on rewriting.
  figure(task.name, "one of them alone", aloneMs, "ms");
  figure(task.name, "longest delay of the event loop", delays.max / 1e6, "ms");
});
