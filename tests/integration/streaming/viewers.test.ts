import { once } from "node:events";
import { Agent, get, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { pipeline, Readable } from "node:stream";
import { expect, test } from "vitest";
import { settled, until } from "#tests/support/checks/wait-until.ts";
import { packetBytes, transportStream } from "#tests/support/data/film-bytes.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";
import { listen, open } from "#tests/support/site/on-port.ts";

/** Viewers who leave, who never read, and upstreams that break off: what a film costs when nobody sees its end. */

process.env.ALLOW_PRIVATE_UPSTREAMS = "127.0.0.1";
process.env.TRUST_PROXY = "1";
const site = await listen();

const mebibyte = 1024 ** 2;
const chunk = transportStream(mebibyte / 4 / packetBytes);
const endless = { sent: 0, open: 0 };

function* gigabyte() {
  for (let sent = 0; sent < 1024 * mebibyte; sent += chunk.length) {
    endless.sent += chunk.length;
    yield chunk;
  }
}

/** As fast as it is read. */
const pour = (response: ServerResponse) =>
  pipeline(Readable.from(gigabyte(), { highWaterMark: 1 }), watch(response), () => {});

function watch(response: ServerResponse) {
  endless.open++;
  return response.once("close", () => {
    endless.open--;
  });
}

const upstream = await startUpstream((asked: IncomingMessage, response) => {
  response.setHeader("content-type", "video/mp2t");
  if (asked.url === "/reset.ts") {
    response.writeHead(200, { "content-length": 10 * chunk.length });
    response.write(chunk, () => (asked.socket as Socket).resetAndDestroy());
    return;
  }
  if (asked.url === "/short.ts") {
    response.writeHead(200, { "content-length": 10 * chunk.length });
    response.write(chunk, () => asked.socket.destroy());
    return;
  }
  if (asked.url === "/silent.ts") return;
  if (asked.url === "/segment.ts") {
    response.setHeader("content-length", 24 * chunk.length);
    return pipeline(Readable.from(Array(24).fill(chunk)), response, () => {});
  }
  if (asked.url === "/hundred.m3u8") return response.end(`#EXTM3U\n${"#EXTINF:4,\n0.ts\n".repeat(100)}`);
  if (asked.url === "/stops.m3u8") {
    watch(response).write(`#EXTM3U\n${"#EXTINF:4,\n0123456789012345678.ts\n".repeat(127_000)}`);
    return;
  }
  if (asked.url === "/paused.ts") {
    watch(response).write(chunk.subarray(0, 100 * packetBytes));
    return;
  }
  if (asked.method === "HEAD") return response.writeHead(200, { "content-length": 1024 * mebibyte }).end();
  pour(response);
});

const film = (path = "/film.ts") =>
  `${site.origin}/api/videoProxy?url=${encodeURIComponent(upstream.origin + path)}`;
let viewers = 0;
/** Each viewer comes from an address of its own, as behind a proxy. */
const fromElsewhere = () => {
  viewers++;
  return { headers: { "X-Forwarded-For": `10.${viewers >> 8}.${viewers & 255}.9` } };
};
const gone = () => until(() => endless.open === 0);

async function read(response: IncomingMessage, bytes: number) {
  let taken = 0;
  for await (const piece of response) {
    taken += (piece as Buffer).length;
    if (taken >= bytes) return taken;
  }
  return taken;
}

test("segments one after another come over one connection", async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const isReused = [];
  for (let segment = 0; segment < 4; segment++) {
    const asking = get(film("/segment.ts"), { agent, ...fromElsewhere() });
    const [response] = (await once(asking, "response")) as [IncomingMessage];
    expect(await read(response, Number.POSITIVE_INFINITY)).toBe(24 * chunk.length);
    isReused.push(asking.reusedSocket);
  }
  agent.destroy();
  expect(isReused).toEqual([false, true, true, true]);
});

test("the upstream is let go within two seconds of a viewer's leaving", async () => {
  const response = await open(film(), fromElsewhere());
  await read(response, mebibyte);
  expect(endless.open).toBe(1);
  const leftAt = performance.now();
  response.destroy();
  await gone();
  expect(performance.now() - leftAt).toBeLessThan(2000);
});

test("a viewer who leaves before the first byte takes the upstream along", async () => {
  const { headers } = fromElsewhere();
  const arrived = once(upstream.server, "request") as Promise<[IncomingMessage]>;
  const asking = new AbortController();
  const answer = fetch(film("/silent.ts"), { headers, signal: asking.signal }).catch(() => {});
  const [asked] = await arrived;
  const closed = once(asked.socket, "close");
  const leftAt = performance.now();
  asking.abort();
  await Promise.all([closed, answer]);
  expect(performance.now() - leftAt).toBeLessThan(2000);
});

test("a viewer who never reads has pulled little of the film", async () => {
  const before = endless.sent;
  const response = await open(film(), fromElsewhere());
  response.pause();
  const pulled = (await settled(() => endless.sent)) - before;
  expect(pulled).toBeLessThan(48 * mebibyte);
  response.destroy();
  await gone();
});

test("HEAD pulls no body", async () => {
  const before = endless.sent;
  const response = await open(film(), { method: "HEAD", ...fromElsewhere() });
  expect([response.statusCode, response.headers["content-length"]]).toEqual([200, String(1024 * mebibyte)]);
  response.resume();
  await once(response, "end");
  expect(endless.sent).toBe(before);
});

test.each(["/reset.ts", "/short.ts"])("an upstream that breaks off is seen as a cut: %s", async (path) => {
  const response = await open(film(path), fromElsewhere());
  expect(response.statusCode).toBe(200);
  await expect(read(response, Number.POSITIVE_INFINITY)).rejects.toThrow("aborted");
  expect(response.complete).toBe(false);
  const alive = await open(`${site.origin}/healthz`);
  expect(alive.statusCode).toBe(200);
  alive.resume();
});

test("a part cut here ends the upstream's whole when the part is done", async () => {
  const response = await open(film(), { headers: { ...fromElsewhere().headers, Range: "bytes=0-9" } });
  // Without a length there is nothing to cut from, so the whole comes; its reader leaves.
  expect(response.statusCode).toBe(200);
  response.destroy();
  await gone();
});

test("one viewer has 64 streams at once, and places come free again", async () => {
  const one = { headers: { "X-Forwarded-For": "10.99.0.1" } };
  const streams = await Promise.all(Array.from({ length: 64 }, () => open(film(), one)));
  expect(streams.every(({ statusCode }) => statusCode === 200)).toBe(true);
  const refused = await open(film(), one);
  expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([503, "2"]);
  refused.resume();
  const other = await open(film(), fromElsewhere());
  expect(other.statusCode).toBe(200);
  for (const stream of [...streams, other]) stream.destroy();
  await gone();
  const again = await open(film(), one);
  expect(again.statusCode).toBe(200);
  again.destroy();
  await gone();
});

test("playlists that stop in the middle hold no more than all of them may", async () => {
  const leaving = new AbortController();
  const ask = (path: string, init: RequestInit = {}) => fetch(film(path), { ...fromElsewhere(), ...init });
  const refused: number[] = [];
  // Each of them has sent more than four megabytes, and then says nothing.
  const answers = Array.from({ length: 40 }, () =>
    ask("/stops.m3u8", { signal: leaving.signal }).then(
      ({ status }) => refused.push(status),
      () => {},
    ),
  );
  await until(() => refused.length >= 9);
  expect(new Set(refused)).toEqual(new Set([503]));
  expect((await ask("/hundred.m3u8")).status).toBe(200);
  leaving.abort();
  await Promise.all(answers);
  await gone();
});

test("500 viewers who leave at once leave nothing behind", async () => {
  const handles = () => process.getActiveResourcesInfo().filter((name) => /TCP|Timeout/.test(name)).length;
  const crowd = () =>
    Promise.all(Array.from({ length: 500 }, () => open(film("/paused.ts"), fromElsewhere())));
  const leave = async (crowded: IncomingMessage[]) => {
    for (const response of crowded) response.destroy();
    await gone();
    await until(() => handles() < before + 40);
  };
  const connections = () =>
    new Promise<number>((resolve) => site.server.getConnections((_error, count) => resolve(count)));
  const before = handles();
  await leave(await crowd());
  const { heapUsed } = process.memoryUsage();
  await leave(await crowd());
  await until(async () => (await connections()) < 10);
  expect(process.memoryUsage().heapUsed - heapUsed).toBeLessThan(60 * mebibyte);
});

test("a gigabyte passes in bounded memory", async () => {
  const response = await open(film(), fromElsewhere());
  const before = process.memoryUsage().rss;
  let most = before;
  let taken = 0;
  for await (const piece of response) {
    taken += (piece as Buffer).length;
    most = Math.max(most, process.memoryUsage.rss());
  }
  expect(taken).toBeGreaterThanOrEqual(1024 * mebibyte);
  expect(most - before).toBeLessThan(150 * mebibyte);
});
