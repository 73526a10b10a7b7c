import { createServer, type RequestListener, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { createBodyArrivals, maxShortBodyBytes } from "#app/http/server/arriving-bodies.server.ts";
import { until } from "#tests/support/checks/wait-until.ts";
import { openSocket, statusesIn } from "#tests/support/requests/raw-http.ts";
import { listenLocally } from "#tests/support/servers/listen-locally.ts";

/** 127.0.0.1 and 127.0.0.2 are two clients. */

let server: Server;
let port: number;
let arrived: number;
let begun: number;

async function listen(limits: { total: number; perClient: number }) {
  arrived = 0;
  begun = 0;
  const waitForBody = createBodyArrivals({ short: limits, long: limits });
  const listener: RequestListener = (request, response) => {
    arrived++;
    waitForBody(request, response, request.socket.remoteAddress ?? "", {
      async begin() {
        begun++;
        const length = (await text(request).catch(() => "")).length;
        response.end(`${length} bytes`);
      },
      refuse: () => response.writeHead(503, { Connection: "close" }).end(),
    });
  };
  server = createServer({ highWaterMark: maxShortBodyBytes }, listener).on("checkContinue", listener);
  port = await listenLocally(server);
}
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function send(head: string, body = "", from?: string) {
  const before = arrived;
  const socket = await openSocket(port, from);
  socket.on("error", () => {});
  const answer = text(socket).catch(() => "");
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${head}\r\n\r\n${body}`);
  await until(() => arrived > before);
  return { socket, answer };
}

const short = "Content-Length: 5";
const long = `Content-Length: ${maxShortBodyBytes}`;

test("a request begins when its short body is complete, and reads all of it", async () => {
  await listen({ total: 9, perClient: 9 });
  const slow = await send(short, "he");
  const whole = await send(short, "hello");
  expect(await whole.answer).toContain("5 bytes");
  expect(begun).toBe(1);
  slow.socket.write("llo");
  expect(await slow.answer).toContain("5 bytes");
  const longest = `Content-Length: ${maxShortBodyBytes - 1}`;
  const pieces = await send(longest, "x".repeat(maxShortBodyBytes - 2));
  pieces.socket.write("x");
  expect(await pieces.answer).toContain(`${maxShortBodyBytes - 1} bytes`);
});

test.each([
  ["a short body", short, "hello"],
  ["a body of unknown length", "Transfer-Encoding: chunked", "5\r\nhello\r\n0\r\n\r\n"],
])("%s that arrives with its headers takes no place", async (_name, head, body) => {
  await listen({ total: 2, perClient: 1 });
  const slow = [await send(short, "he"), await send(long, "he")];
  expect(await (await send(head, body)).answer).toContain("5 bytes");
  for (const { socket } of slow) socket.destroy();
});

test.each([
  ["a long body", long],
  ["a body of unknown length", "Transfer-Encoding: chunked"],
  ["a body that waits to be asked for", `${short}\r\nExpect: 100-continue`],
])("a request with %s begins at once", async (_name, head) => {
  await listen({ total: 9, perClient: 9 });
  await send(head);
  await until(() => begun === 1);
});

test.each([
  ["short", short],
  ["long", long],
])("of too many %s bodies, a client with less takes over from the one with the most", async (_name, head) => {
  await listen({ total: 2, perClient: 2 });
  const oldest = await send(head);
  const second = await send(head);
  const other = await send(head, "", "127.0.0.2");
  expect(statusesIn(await oldest.answer)).toEqual(head === short ? [503] : []);
  expect(statusesIn(await (await send(head)).answer)).toEqual([503]);
  // A client that leaves makes room.
  for (const { socket } of [second, other]) socket.destroy();
  await until(async () => {
    const { answer, socket } = await send(head, "x".repeat(head === short ? 5 : maxShortBodyBytes));
    const statuses = statusesIn(await answer);
    socket.destroy();
    return statuses[0] === 200;
  });
});
