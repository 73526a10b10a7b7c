import { once } from "node:events";
import { expect, test } from "vitest";
import { isAlive } from "#tests/support/checks/is-alive.ts";
import {
  expectEnded,
  readPostmaster,
  runNpm,
  slow,
  started,
  startSite,
  testSignals,
  testSignalsTwice,
} from "#tests/support/scaled/signals.ts";

/** Ways to end `npm start` and the tools with the embedded database. tests/release has every signal to every receiver. */

testSignals([
  ["SIGTERM", "npm"],
  ["SIGINT", "the process group"],
  ["SIGHUP", "the process"],
]);
testSignalsTwice(["SIGTERM"]);

test("a signal while the database starts stops it", async () => {
  const { npm } = runNpm(["start"]);
  await expect.poll(readPostmaster, { interval: 5 }).toBeTruthy();
  const postmaster = readPostmaster() ?? 0;
  started.push(postmaster);
  process.kill(-(npm.pid ?? 0), "SIGINT");
  await once(npm, "exit");
  await expect.poll(() => isAlive(postmaster)).toBe(false);
  expect(readPostmaster()).toBeUndefined();
});

test("kill -9 of the server stops the database", async () => {
  const site = await startSite();
  process.kill(-(site.npm.pid ?? 0), "SIGKILL");
  await expectEnded(site);
});

test("SIGINT to a tool ends it with the exit code of a shell and stops the database", async () => {
  const before = slow.requests.length;
  const { npm, said } = runNpm(["run", "catalog:import", "--", `${slow.origin}/catalog.json`]);
  await expect.poll(() => slow.requests.length).toBe(before + 1);
  const postmaster = readPostmaster() ?? 0;
  started.push(postmaster);
  expect(isAlive(postmaster)).toBe(true);
  process.kill(-(npm.pid ?? 0), "SIGINT");
  expect((await once(npm, "exit"))[0]).toBe(130);
  await expect.poll(() => isAlive(postmaster)).toBe(false);
  expect(said.filter((line) => /^ +at /.test(line))).toEqual([]);
});
