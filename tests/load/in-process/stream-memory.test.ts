import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline, Readable } from "node:stream";
import { expect, test } from "vitest";
import { figure } from "#tests/load/figures.ts";
import { until } from "#tests/support/checks/wait-until.ts";
import { packetBytes, transportStream } from "#tests/support/data/film-bytes.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";
import { listen, open } from "#tests/support/site/on-port.ts";

/** The memory of this process while it forwards streams. tests/integration/proxy/stream-resources tests what must hold. */

process.env.ALLOW_PRIVATE_UPSTREAMS = "127.0.0.1";
process.env.TRUST_PROXY = "1";
const site = await listen();

const mebibyte = 2 ** 20;
const filmBytes = 512 * mebibyte;
const chunk = transportStream(mebibyte / 4 / packetBytes);
let openStreams = 0;

function* film() {
  for (let sent = 0; sent < filmBytes; sent += chunk.length) yield chunk;
}

const upstream = await startUpstream(({ url }, response: ServerResponse) => {
  response.setHeader("content-type", "video/mp2t");
  openStreams++;
  response.once("close", () => openStreams--);
  if (url === "/paused.ts") response.write(chunk.subarray(0, 100 * packetBytes));
  else pipeline(Readable.from(film(), { highWaterMark: 1 }), response, () => {});
});

let clients = 0;
/** Each client has its own IP address, as clients behind a reverse proxy do. */
function openAsNewClient(path: string) {
  clients++;
  const headers = { "X-Forwarded-For": `10.${clients >> 8}.${clients & 255}.9` };
  return open(`${site.origin}/api/videoProxy?url=${encodeURIComponent(upstream.origin + path)}`, { headers });
}

test("500 clients that disconnect at once", async ({ task }) => {
  const comeAndGo = async (count: number) => {
    const crowd: IncomingMessage[] = await Promise.all(
      Array.from({ length: count }, () => openAsNewClient("/paused.ts")),
    );
    for (const response of crowd) response.destroy();
    await until(() => openStreams === 0);
  };
  await comeAndGo(100);
  const { heapUsed } = process.memoryUsage();
  await comeAndGo(500);
  figure(task.name, "heap grows by", (process.memoryUsage().heapUsed - heapUsed) / mebibyte, "MiB");
});

test("a film of 512 MiB", async ({ task }) => {
  const response = await openAsNewClient("/film.ts");
  const before = process.memoryUsage.rss();
  let [maxBytes, taken] = [before, 0];
  for await (const piece of response) {
    taken += (piece as Buffer).length;
    maxBytes = Math.max(maxBytes, process.memoryUsage.rss());
  }
  expect(taken).toBeGreaterThanOrEqual(filmBytes);
  figure(task.name, "resident memory grows by", (maxBytes - before) / mebibyte, "MiB");
});
