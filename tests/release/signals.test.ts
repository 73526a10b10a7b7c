import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { until } from "#tests/support/checks/wait-until.ts";
import { openSocket, statusesIn } from "#tests/support/requests/raw-http.ts";
import { testSignals, testSignalsTwice } from "#tests/support/scaled/signals.ts";
import { startSite } from "#tests/support/site/site-process.ts";

/** The signals and receivers that tests/system leaves out. */

testSignals([
  ["SIGTERM", "the process group"],
  ["SIGTERM", "the process"],
  ["SIGINT", "npm"],
  ["SIGINT", "the process"],
  ["SIGHUP", "npm"],
  ["SIGHUP", "the process group"],
]);
testSignalsTwice(["SIGINT", "SIGHUP"]);

test("SIGHUP and SIGINT within milliseconds count as one stop, and the running request is still answered", async () => {
  const site = await startSite();
  const busy = await openSocket(Number(new URL(site.origin).port));
  const answered = text(busy);
  busy.write(
    "POST /api/auth/signin HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n",
  );
  // This answer shows that the server has read the head that was sent before it.
  await fetch(`${site.origin}/healthz`);
  const closed = once(site.process, "close");
  for (const signal of ["SIGHUP", "SIGINT", "SIGHUP"] as const) site.process.kill(signal);
  const isStopping = ({ message }: { message?: string }) => message === "stopping";
  await until(() => site.logged.some(isStopping));
  busy.write("{}");
  expect(statusesIn(await answered)[0]).toBe(400);
  expect(await closed).toEqual([0, null]);
  expect(site.logged.filter(isStopping)).toHaveLength(1);
});
