import { once } from "node:events";
import { request as sendRequest } from "node:http";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { settled } from "#tests/support/checks/wait-until.ts";
import { openSocket, statusesIn } from "#tests/support/requests/raw-http.ts";
import { startTwoInstances } from "#tests/support/site/two-instances.ts";

/** One client (127.0.0.2) holds all that it can get through the shipped nginx.conf, while another one uses the site. */

const { origin, one, other } = await startTwoInstances({ CLIENT_REQUESTS: "50" }, { isQuiet: true });
const port = Number(new URL(origin).port);
const sockets: Socket[] = [];
let answers = "";

async function open(count: number, sent: string) {
  for (let at = 0; at < count; at++) {
    const socket = await openSocket(port, "127.0.0.2");
    socket.setEncoding("latin1").on("data", (data: string) => {
      answers += data;
    });
    socket.write(sent);
    sockets.push(socket);
  }
}

async function ask(path: string) {
  const asked = sendRequest(origin + path, { agent: false }).end();
  const [response] = await once(asked, "response");
  await text(response);
  return response.statusCode;
}

beforeAll(async () => {
  await open(
    300,
    "POST /api/auth/signin HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{",
  );
  await open(300, "GET / HTTP/1.1\r\nHost: a\r\nX-Half: ");
  await open(300, "");
  await settled(() => answers.length);
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
});

test("slow bodies beyond the client's share get 503, from nginx and from both instances", () => {
  const statuses = statusesIn(answers);
  expect(new Set(statuses)).toEqual(new Set([503]));
  expect(answers).toContain('{"error":"Busy, try again shortly","status":503}');
  expect(statuses.length).toBeGreaterThanOrEqual(200);
  for (const { logged } of [one, other]) expect(logged.some(({ kind }) => kind === "requests")).toBe(true);
});

test("another client gets everything within half a second", async () => {
  for (let round = 0; round < 20; round++)
    for (const path of ["/healthz", "/browse", "/icon.svg", "/api/animes/full?limit_count=5"]) {
      const startedAt = performance.now();
      expect(await ask(path)).toBe(200);
      expect(performance.now() - startedAt, path).toBeLessThan(500);
    }
});
