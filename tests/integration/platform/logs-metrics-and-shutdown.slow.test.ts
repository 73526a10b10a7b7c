import { once } from "node:events";
import { readdirSync } from "node:fs";
import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { until } from "#tests/support/checks/wait-until.ts";
import { newDatabase } from "#tests/support/database/new-database.ts";
import { openSocket, statusesIn } from "#tests/support/requests/raw-http.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** The process as an operator runs it: its logs, its metrics and its shutdown. */

test("requests are logged and counted, and after SIGTERM a running request is answered before the process exits", async () => {
  const site = await startSite({
    DATABASE_URL: await newDatabase(),
    SESSION_SECRET: "ended by a signal ".repeat(3),
    METRICS_PORT: "0",
  });
  const { port } = new URL(site.origin);
  const asset = readdirSync("build/client/assets").find((name) => name.endsWith(".js"));

  await fetch(`${site.origin}/readyz?secret=1`);
  await fetch(`${site.origin}/assets/${asset}`);
  const requests = () => site.logged.filter(({ message }) => message === "request");
  await until(() => requests().length === 1);
  expect(requests()[0]).toMatchObject({
    method: "GET",
    path: "/readyz",
    status: 200,
    id: expect.any(String),
  });

  const metricsAddress = site.logged.find(({ message }) => message === "metrics")?.address;
  const readMetrics = async () => (await fetch(`${metricsAddress}/metrics`)).text();
  const metrics = await readMetrics();
  expect(metrics).toContain('engawa_http_requests_total{source="router",status="2xx"} 1');
  expect(metrics).toContain('engawa_http_requests_total{source="file",status="2xx"} 1');
  expect((await fetch(`${site.origin}/metrics`)).status).toBe(404);
  // Test the bundle, because a bundler can remove the check for valid percent-encoding.
  expect((await fetch(`${site.origin}/%ff`)).status).toBe(400);

  // A client that leaves before its answer is no error of the site.
  const leaving = await openSocket(Number(port));
  const unfinished =
    "POST /api/auth/signin HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n";
  leaving.write(unfinished, () => leaving.destroy());
  const left = 'engawa_http_requests_total{source="router",status="left"} 1';
  await until(async () => (await readMetrics()).includes(left));
  expect(await readMetrics()).not.toContain('status="5xx"');

  const idle = await openSocket(Number(port));
  const busy = await openSocket(Number(port));
  const answered = firstBytes(busy);
  const body = JSON.stringify({ email: "a@example.org", password: "x" });
  busy.write(
    `POST /api/auth/signin HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  busy.write(body.slice(0, 5));
  const exited = once(site.process, "exit");
  const idleClosed = once(idle.resume(), "close");
  site.process.kill("SIGTERM");
  // For two seconds the site answers that it is stopping. The test asks all the time, so that it cannot miss them.
  const readiness = new Set<string>();
  for (let answer = await readinessOf(site.origin); answer !== null; answer = await readinessOf(site.origin))
    readiness.add(answer);
  expect([...readiness]).toContain('503 {"status":"not ready","reasons":["shutting down"]}');
  busy.write(body.slice(5));
  expect(statusesIn(await answered)[0]).toBeGreaterThanOrEqual(200);
  expect(await exited).toEqual([0, null]);
  await idleClosed;
});

/** Returns no bytes if the connection closes first. Otherwise, a test of a dropped answer would wait until its time limit. */
const firstBytes = (socket: Socket) =>
  new Promise<string>((resolve) => {
    socket.once("data", (chunk) => resolve(String(chunk)));
    socket.once("close", () => resolve(""));
  });

/** Null if the site accepts no connection. */
const readinessOf = (origin: string) =>
  fetch(`${origin}/readyz`, { headers: { Connection: "close" } })
    .then(async (answer) => `${answer.status} ${await answer.text()}`)
    .catch(() => null);
