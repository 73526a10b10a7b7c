import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { signalIn } from "#app/http/context.server.ts";
import { until } from "#tests/support/checks/wait-until.ts";
import { openSocket, sendRaw, statusesIn } from "#tests/support/requests/raw-http.ts";
import { listenTinySite } from "#tests/support/site/tiny-site.ts";

/** One client with many connections, and many requests on one connection. */

const seen = { begun: [] as string[], underWay: 0, most: 0 };

const site = await listenTinySite(
  {
    routes: {
      "slow/:number": async ({ request }) => {
        seen.begun.push(request.url.split("/").at(-1) ?? "");
        seen.most = Math.max(seen.most, ++seen.underWay);
        await pause(2);
        seen.underWay--;
        return new Response(`<${seen.begun.length}>`);
      },
      count: async ({ request }) => new Response(`${(await request.arrayBuffer()).byteLength}`),
      waits: ({ context }) =>
        new Promise((resolve) => {
          seen.underWay++;
          signalIn(context).addEventListener("abort", () => {
            seen.underWay--;
            resolve(new Response("late"));
          });
        }),
    },
  },
  { connections: { total: 20, perClient: 5 } },
);
beforeEach(() => {
  Object.assign(seen, { begun: [], underWay: 0, most: 0 });
});
afterAll(() => site.close());

const get = (path: string, rest = "") => `GET ${path} HTTP/1.1\r\nHost: a\r\n${rest}\r\n`;
const close = "Connection: close\r\n";
const slowRequests = (count: number) =>
  Array.from({ length: count }, (_, at) => get(`/slow/${at}`, at === count - 1 ? close : "")).join("");

describe("requests that a client sends without waiting for answers", () => {
  test("are answered in their order, one after another", async () => {
    const answer = await sendRaw(site.port, slowRequests(200));
    expect(statusesIn(answer)).toEqual(Array(200).fill(200));
    expect(seen.begun).toEqual(Array.from({ length: 200 }, (_, at) => String(at)));
    expect(seen.most).toBe(1);
  });

  test("keep their bodies separate", async () => {
    const post = (length: number, rest = "") =>
      `POST /count HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n${rest}\r\n${"x".repeat(length)}`;
    const answer = await sendRaw(site.port, post(3) + post(200_000) + post(7, close));
    expect(answer.match(/^\d+$/gm)?.filter((line) => /^(3|200000|7)$/.test(line))).toEqual([
      "3",
      "200000",
      "7",
    ]);
  });

  test("are ended with the connection when there are far too many", async () => {
    const answer = await sendRaw(site.port, get("/slow/0").repeat(1000));
    expect(statusesIn(answer).length).toBeLessThan(5);
    expect(seen.begun.length).toBeLessThan(5);
    expect(statusesIn(await sendRaw(site.port, get("/slow/1", close)))).toEqual([200]);
  });

  test("are not begun after an answer that ends the connection", async () => {
    const request = "GET /slow/0 HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n";
    const answer = await sendRaw(site.port, request.repeat(5));
    expect(statusesIn(answer)).toEqual([200]);
    await until(() => site.server.busyConnections() === 0);
    expect(seen.begun).toEqual(["0"]);
  });

  test("are not begun after the client has left", async () => {
    const socket = await openSocket(site.port);
    socket.write(get("/waits") + get("/slow/1").repeat(5));
    await until(() => seen.underWay === 1);
    socket.destroy();
    await until(() => seen.underWay === 0);
    await pause(20);
    expect(seen.begun).toEqual([]);
  });
});

describe("a client that opens one connection too many", () => {
  const openMany = (count: number) => Promise.all(Array.from({ length: count }, () => openSocket(site.port)));
  const isOpen = (socket: Socket) => !socket.resume().closed;
  /** If the server has not read everything it received, closing resets the connection. */
  const closed = (socket: Socket) =>
    new Promise<void>((resolve) => {
      socket.on("error", () => {}).once("close", () => resolve());
      socket.resume();
    });

  test("loses its oldest connection without a request, and another client loses none", async () => {
    const other = await openSocket(site.port, "127.0.0.2");
    const [busy, halfSent, ...idle] = (await openMany(5)) as [Socket, Socket, ...Socket[]];
    busy.write(get("/waits"));
    halfSent.write("GET /slow/1 HTTP/1.1\r\nHost: a\r\nX-Half: ");
    await until(() => seen.underWay === 1);
    const answers = await Promise.all([sendRaw(site.port, get("/slow/1", close)), closed(halfSent)]);
    expect(statusesIn(answers[0])).toEqual([200]);
    expect([busy, ...idle, other].map(isOpen)).toEqual([true, true, true, true, true]);
    for (const socket of [busy, other, ...idle]) socket.destroy();
    await until(() => seen.underWay === 0);
  });

  test("is refused while all its connections have requests, and another client is answered", async () => {
    const busy = await openMany(5);
    for (const socket of busy) socket.write(get("/waits"));
    await until(() => seen.underWay === 5);
    expect(await sendRaw(site.port, get("/slow/1", close))).toBe("");
    const other = await openSocket(site.port, "127.0.0.2");
    other.write(get("/slow/1", close));
    expect(statusesIn(await text(other))).toEqual([200]);
    for (const socket of busy) socket.destroy();
    await until(() => seen.underWay === 0);
    expect(statusesIn(await sendRaw(site.port, get("/slow/1", close)))).toEqual([200]);
  });
});
