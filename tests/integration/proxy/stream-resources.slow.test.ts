import { once } from "node:events";
import { Agent, get, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { pipeline, Readable } from "node:stream";
import { expect, test } from "vitest";
import { settled, until } from "#tests/support/checks/wait-until.ts";
import { packetBytes, transportStream } from "#tests/support/data/film-bytes.ts";
import { startUpstream } from "#tests/support/servers/upstream.ts";
import { listen, open } from "#tests/support/site/on-port.ts";

/** The resources of a stream are released when its client disconnects or does not read, or when its upstream breaks off. */

process.env.ALLOW_PRIVATE_UPSTREAMS = "127.0.0.1";
process.env.TRUST_PROXY = "1";
const site = await listen();

const mebibyte = 1024 ** 2;
const chunk = transportStream(mebibyte / 4 / packetBytes);
const upstreamState = { sent: 0, open: 0 };

const filmBytes = 512 * mebibyte;

function* pieces() {
  for (let sent = 0; sent < filmBytes; sent += chunk.length) {
    upstreamState.sent += chunk.length;
    yield chunk;
  }
}

/** Sends the film as fast as the client reads it. */
const sendFilm = (response: ServerResponse) =>
  pipeline(Readable.from(pieces(), { highWaterMark: 1 }), countOpen(response), () => {});

function countOpen(response: ServerResponse) {
  upstreamState.open++;
  return response.once("close", () => {
    upstreamState.open--;
  });
}

const upstream = await startUpstream((received: IncomingMessage, response) => {
  response.setHeader("content-type", "video/mp2t");
  if (received.url === "/reset.ts") {
    response.writeHead(200, { "content-length": 10 * chunk.length });
    response.write(chunk, () => (received.socket as Socket).resetAndDestroy());
    return;
  }
  if (received.url === "/short.ts") {
    response.writeHead(200, { "content-length": 10 * chunk.length });
    response.write(chunk, () => received.socket.destroy());
    return;
  }
  if (received.url === "/silent.ts") return;
  if (received.url === "/segment.ts") {
    response.setHeader("content-length", 24 * chunk.length);
    return pipeline(Readable.from(Array(24).fill(chunk)), response, () => {});
  }
  if (received.url === "/hundred.m3u8") return response.end(`#EXTM3U\n${"#EXTINF:4,\n0.ts\n".repeat(100)}`);
  if (received.url === "/stops.m3u8") {
    countOpen(response).write(`#EXTM3U\n${"#EXTINF:4,\n0123456789012345678.ts\n".repeat(127_000)}`);
    return;
  }
  if (received.url === "/paused.ts") {
    countOpen(response).write(chunk.subarray(0, 100 * packetBytes));
    return;
  }
  if (received.method === "HEAD") return response.writeHead(200, { "content-length": filmBytes }).end();
  sendFilm(response);
});

const film = (path = "/film.ts") =>
  `${site.origin}/api/videoProxy?url=${encodeURIComponent(upstream.origin + path)}`;
let clients = 0;
/** Gives each client its own IP address, as a proxy in front does. */
const fromNewClient = () => {
  clients++;
  return { headers: { "X-Forwarded-For": `10.${clients >> 8}.${clients & 255}.9` } };
};
const allClosed = () => until(() => upstreamState.open === 0);

async function read(response: IncomingMessage, bytes: number) {
  let taken = 0;
  for await (const piece of response) {
    taken += (piece as Buffer).length;
    if (taken >= bytes) return taken;
  }
  return taken;
}

test("four segments in a row are sent over one connection", async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const isReused = [];
  for (let segment = 0; segment < 4; segment++) {
    const pending = get(film("/segment.ts"), { agent, ...fromNewClient() });
    const [response] = (await once(pending, "response")) as [IncomingMessage];
    expect(await read(response, Number.POSITIVE_INFINITY)).toBe(24 * chunk.length);
    isReused.push(pending.reusedSocket);
  }
  agent.destroy();
  expect(isReused).toEqual([false, true, true, true]);
});

test("when a client disconnects, the upstream request ends", async () => {
  const response = await open(film(), fromNewClient());
  await read(response, mebibyte);
  expect(upstreamState.open).toBe(1);
  response.destroy();
  await allClosed();
});

test("when a client disconnects before the first byte, the upstream request ends", async () => {
  const { headers } = fromNewClient();
  const arrived = once(upstream.server, "request") as Promise<[IncomingMessage]>;
  const leaving = new AbortController();
  const answer = fetch(film("/silent.ts"), { headers, signal: leaving.signal }).catch(() => {});
  const [received] = await arrived;
  const closed = once(received.socket, "close");
  leaving.abort();
  await Promise.all([closed, answer]);
});

test("while a client does not read, the upstream sends less than 48 MB", async () => {
  const before = upstreamState.sent;
  const response = await open(film(), fromNewClient());
  response.pause();
  const pulled = (await settled(() => upstreamState.sent)) - before;
  expect(pulled).toBeLessThan(48 * mebibyte);
  response.destroy();
  await allClosed();
});

test("for HEAD, the upstream sends no body", async () => {
  const before = upstreamState.sent;
  const response = await open(film(), { method: "HEAD", ...fromNewClient() });
  expect([response.statusCode, response.headers["content-length"]]).toEqual([200, String(filmBytes)]);
  response.resume();
  await once(response, "end");
  expect(upstreamState.sent).toBe(before);
});

test.each(["/reset.ts", "/short.ts"])(
  "when the upstream breaks off, the answer ends with an error and the server keeps running: %s",
  async (path) => {
    const response = await open(film(path), fromNewClient());
    expect(response.statusCode).toBe(200);
    await expect(read(response, Number.POSITIVE_INFINITY)).rejects.toThrow("aborted");
    expect(response.complete).toBe(false);
    const alive = await open(`${site.origin}/healthz`);
    expect(alive.statusCode).toBe(200);
    alive.resume();
  },
);

test("a range of a film without a length gets the whole film, and its upstream request ends with the client", async () => {
  const response = await open(film(), { headers: { ...fromNewClient().headers, Range: "bytes=0-9" } });
  // The proxy cannot cut a range from a film without a length, so it sends the whole film.
  expect(response.statusCode).toBe(200);
  response.destroy();
  await allClosed();
});

test("a client's 65th stream at once gets 503, and ended streams free their slots", async () => {
  const one = { headers: { "X-Forwarded-For": "10.99.0.1" } };
  const streams = await Promise.all(Array.from({ length: 64 }, () => open(film(), one)));
  expect(streams.every(({ statusCode }) => statusCode === 200)).toBe(true);
  const refused = await open(film(), one);
  expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([503, "2"]);
  refused.resume();
  const other = await open(film(), fromNewClient());
  expect(other.statusCode).toBe(200);
  for (const stream of [...streams, other]) stream.destroy();
  await allClosed();
  const again = await open(film(), one);
  expect(again.statusCode).toBe(200);
  again.destroy();
  await allClosed();
});

test("of 40 playlists that stop in the middle, those over the memory limit get 503, and a small playlist gets 200", async () => {
  const leaving = new AbortController();
  const ask = (path: string, init: RequestInit = {}) => fetch(film(path), { ...fromNewClient(), ...init });
  const refused: number[] = [];
  // The upstream sends more than four megabytes of each playlist and then stops.
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
  await allClosed();
});

test("500 clients that disconnect at once leave no connection and no timer behind", async () => {
  const handles = () => process.getActiveResourcesInfo().filter((name) => /TCP|Timeout/.test(name)).length;
  const connections = () =>
    new Promise<number>((resolve) => site.server.getConnections((_error, count) => resolve(count)));
  const before = handles();
  const crowd = await Promise.all(
    Array.from({ length: 500 }, () => open(film("/paused.ts"), fromNewClient())),
  );
  for (const response of crowd) response.destroy();
  await allClosed();
  await until(() => handles() < before + 40);
  await until(async () => (await connections()) < 10);
});
