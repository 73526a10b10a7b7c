import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientContext } from "#app/http/context.server.ts";
import { openSocket, sendRaw, statusesIn } from "#tests/support/requests/raw-http.ts";
import { listenTinySite, type Route } from "#tests/support/site/tiny-site.ts";

/** Bodies that arrive slowly or never. */

describe("a client that stops sending its body", () => {
  const [maxSilenceMs, graceMs, minBytesPerSecond] = [150, 600, 10_000];
  let patient: Awaited<ReturnType<typeof listenTinySite>>;
  const head = (path: string, length: number, extra = "") =>
    `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n${extra}\r\n`;

  const count: Route = async ({ request }) => {
    let length = 0;
    for await (const part of request.body ?? []) length += part.byteLength;
    return Response.json({ length });
  };

  /** For a client that must not be cut off: a busy machine can stop this process for longer than `maxSilenceMs`. */
  const longSilenceMs = 3000;
  const listenMorePatiently = (mostGraceMs: number) =>
    listenTinySite(
      { routes: { count, refuse: () => Response.json({ error: "no" }, { status: 403 }) } },
      { bodyDeadline: { maxSilenceMs: longSilenceMs, graceMs: mostGraceMs, minBytesPerSecond } },
    );

  const countLater =
    (waitMs: number): Route =>
    async ({ request }) => {
      await pause(waitMs);
      return Response.json({ length: (await request.arrayBuffer()).byteLength });
    };

  beforeAll(async () => {
    patient = await listenTinySite(
      {
        routes: {
          count,
          slow: async () => {
            await pause(2 * maxSilenceMs);
            return new Response("slow");
          },
        },
      },
      { bodyDeadline: { maxSilenceMs, graceMs, minBytesPerSecond } },
    );
  });
  afterAll(() => patient.close());

  test.each([
    ["before the first byte", head("/count", 10)],
    ["in the middle", `${head("/count", 10)}hello`],
    [
      "in the middle of a chunk",
      "POST /count HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhe",
    ],
  ])("%s gets 408, and the connection is closed", async (_name, sent) => {
    const answer = await sendRaw(patient.port, sent);
    expect(statusesIn(answer)).toEqual([408]);
    expect(answer).toContain('{"error":"The request took too long","status":408}');
  });

  test.concurrent("after an answer that did not wait for the body, has its connection closed", async () => {
    const site = await listenMorePatiently(60_000);
    expect(statusesIn(await sendRaw(site.port, head("/refuse", 100_000)))).toEqual([403]);
    await site.close();
  });

  test.concurrent("but continues within the limit each time gets its answer", async () => {
    const site = await listenMorePatiently(60_000);
    const socket = await openSocket(site.port);
    socket.write(head("/count", 8, "Connection: close\r\n"));
    const answer = text(socket);
    for (const letter of "slow but") {
      await pause(longSilenceMs / 6);
      socket.write(letter);
    }
    expect(await answer).toContain('{"length":8}');
    await site.close();
  });

  test.concurrent.each([
    ["has sent it whole", `${head("/count-later", 5, "Connection: close\r\n")}hello`, ""],
    [
      "waits for 100 Continue",
      head("/count-later", 5, "Connection: close\r\nExpect: 100-continue\r\n"),
      "hello",
    ],
  ])("because it %s is not cut off while the route works", async (_name, sent, later) => {
    const patienceMs = (2 / 3) * longSilenceMs;
    const site = await listenTinySite(
      { routes: { "count-later": countLater(longSilenceMs) } },
      { bodyDeadline: { maxSilenceMs: patienceMs, graceMs: patienceMs, minBytesPerSecond } },
    );
    const socket = await openSocket(site.port);
    socket.write(sent);
    const answer = text(socket);
    if (later !== "") socket.once("data", () => socket.write(later));
    expect(await answer).toContain('{"length":5}');
    await site.close();
  });

  test.concurrent("and sends an unknown Expect has its connection closed after 417", async () => {
    const site = await listenMorePatiently(60_000);
    expect(statusesIn(await sendRaw(site.port, head("/count", 10, "Expect: miracles\r\n")))).toEqual([417]);
    await site.close();
  });

  test("gets no extra time from earlier requests on the same connection", async () => {
    const before = "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n".repeat(2);
    const answer = await sendRaw(patient.port, before + head("/count", 10));
    expect(statusesIn(answer)).toEqual([200, 200, 408]);
  });

  test("and then sends the rest does not use up the time of its answer", async () => {
    const site = await listenTinySite({
      routes: { at: ({ context }) => Response.json(context.get(clientContext).arrivedAt) },
    });
    let arrived = 0;
    site.server.on("request", () => arrived++);
    const began = performance.now();
    const socket = await openSocket(site.port);
    socket.write(`${head("/at", 5, "Connection: close\r\n")}he`);
    const answer = text(socket);
    await expect.poll(() => arrived).toBe(1);
    const stopped = performance.now();
    await pause(100);
    const continued = performance.now();
    socket.write("llo");
    const arrivedAt = Number((await answer).split("\r\n").at(-1));
    expect(arrivedAt).toBeGreaterThanOrEqual(began + (continued - stopped));
    await site.close();
  });

  test("and then sends the rest to a route that does not read it leaves nothing in memory", async () => {
    const site = await listenTinySite({
      routes: { refuse: () => Response.json({ error: "no" }, { status: 403 }) },
    });
    const requests: IncomingMessage[] = [];
    site.server.on("request", (request: IncomingMessage) => requests.push(request));
    const socket = await openSocket(site.port);
    socket.write(head("/refuse", 50_000));
    await expect.poll(() => requests.length).toBe(1);
    socket.write("x".repeat(50_000));
    expect(statusesIn(String((await once(socket, "data"))[0]))).toEqual([403]);
    await expect.poll(() => requests[0]?.readableLength).toBe(0);
    expect(socket.closed).toBe(false);
    await site.close();
  });

  const drip = async (to: typeof patient, bytes: string) => {
    const socket = await openSocket(to.port);
    const begun = once(to.server, "request");
    socket.write(
      "POST /count HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n",
    );
    const chunk = `${bytes.length.toString(16)}\r\n${bytes}\r\n`;
    // The first chunk arrives at once, and its bytes count: a busy machine can stop this process for longer than `graceMs`.
    await begun;
    socket.write(chunk);
    const timer = setInterval(() => socket.write(chunk), maxSilenceMs / 3);
    const done = setTimeout(() => {
      clearInterval(timer);
      socket.write("0\r\n\r\n");
    }, 3 * graceMs);
    const answer = await text(socket);
    clearInterval(timer);
    clearTimeout(done);
    return statusesIn(answer);
  };

  test("but sends a byte now and then gets 408 after the time for short bodies", async () => {
    expect(await drip(patient, "x")).toEqual([408]);
  });

  test("but exceeds the minimum rate gets its answer", async () => {
    const site = await listenMorePatiently(graceMs);
    expect(await drip(site, "x".repeat(20_000))).toEqual([200]);
    await site.close();
  });
});
