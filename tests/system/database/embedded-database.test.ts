import { spawn } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { isAlive } from "#tests/support/checks/is-alive.ts";
import {
  kill,
  newFolder,
  rowsOf,
  start,
  stop,
  testEndedPostmaster,
  testMovedFolder,
  usedFolder,
  writeUntilCut,
} from "#tests/support/scaled/embedded-database.ts";
import { postmasterOf } from "#tests/support/site/memory.ts";

/** Several processes start, stop and are killed while they share one embedded database. */

test("two processes that start together on an empty folder share one database, and the last one stops it", async () => {
  const dataDir = newFolder();
  const [first, second] = [start(dataDir), start(dataDir)];
  const started = await Promise.all([first.next("up"), second.next("up")]);
  expect(started[0]).toBe(started[1]);

  const postmaster = postmasterOf(dataDir) ?? 0;
  await stop(first);
  expect(isAlive(postmaster)).toBe(true);
  expect(await rowsOf(second)).toEqual([]);
  await stop(second);
  expect(postmasterOf(dataDir)).toBeUndefined();
});

test("a process that starts while the last one stops gets a working database", async () => {
  const dataDir = usedFolder;
  let current = start(dataDir);
  await current.next("up");
  for (let round = 0; round < 4; round++) {
    const next = start(dataDir);
    await pause(round * 120);
    await Promise.all([stop(current), next.next("up")]);
    expect(await rowsOf(next)).toBeInstanceOf(Array);
    current = next;
  }
  await stop(current);
  expect(postmasterOf(dataDir)).toBeUndefined();
});

test("after kill -9 of the server alone, the postmaster stops by itself, and the next start has every acknowledged row", async () => {
  const dataDir = usedFolder;
  const server = start(dataDir);
  await server.next("up");
  const acknowledged = await writeUntilCut(server, () => server.process.kill("SIGKILL"));
  await expect.poll(() => postmasterOf(dataDir)).toBeUndefined();
  // PostgreSQL writes its last line after it has removed postmaster.pid.
  await expect
    .poll(() => readFileSync(join(dataDir, "database/postgres.log"), "utf8").trim())
    .toMatch(/database system is shut down$/);

  const next = start(dataDir);
  await next.next("up");
  expect(await rowsOf(next)).toEqual(expect.arrayContaining(acknowledged));
  await stop(next);
});

test("after kill -9 of the process that started the postmaster, the other process keeps it", async () => {
  const dataDir = usedFolder;
  const first = start(dataDir);
  const started = await first.next("up");
  const second = start(dataDir);
  expect(await second.next("up")).toBe(started);
  const postmaster = postmasterOf(dataDir) ?? 0;
  await kill(first);
  expect(await rowsOf(second)).toBeInstanceOf(Array);
  expect(postmasterOf(dataDir)).toBe(postmaster);
  expect(isAlive(postmaster)).toBe(true);
  await kill(second);
  await expect.poll(() => postmasterOf(dataDir)).toBeUndefined();
});

testEndedPostmaster(["SIGINT"]);
testMovedFolder(["stops"]);

test("after kill -9 of only the database, the server restarts it and has every acknowledged row", async () => {
  const dataDir = usedFolder;
  const server = start(dataDir);
  await server.next("up");
  const postmaster = postmasterOf(dataDir) ?? 0;
  const acknowledged = await writeUntilCut(server, () => process.kill(postmaster, "SIGKILL"));

  expect(await rowsOf(server)).toEqual(expect.arrayContaining(acknowledged));
  expect(postmasterOf(dataDir)).not.toBe(postmaster);
  await stop(server);
});

test("after kill -9 of both, the next start has every acknowledged row", async () => {
  const dataDir = usedFolder;
  const server = start(dataDir);
  const started = await server.next("up");
  const postmaster = postmasterOf(dataDir) ?? 0;
  const acknowledged = await writeUntilCut(server, () => {
    server.process.kill("SIGKILL");
    process.kill(postmaster, "SIGKILL");
  });

  const next = start(dataDir);
  expect(await next.next("up")).not.toBe(started);
  expect(await rowsOf(next)).toEqual(expect.arrayContaining(acknowledged));
  await stop(next);
});

test("a postmaster.pid with the process id of another program does not stop the start", async () => {
  const dataDir = usedFolder;
  const server = start(dataDir);
  await server.next("up");
  const postmaster = postmasterOf(dataDir) ?? 0;
  const file = join(dataDir, "database/cluster", "postmaster.pid");
  const { uid, gid } = statSync(file);
  const text = readFileSync(file, "utf8");
  server.process.kill("SIGKILL");
  process.kill(postmaster, "SIGKILL");

  const otherProgram = spawn("sleep", ["600"], { uid, gid });
  try {
    writeFileSync(file, text.replace(String(postmaster), String(otherProgram.pid)));
    writeFileSync(join(dataDir, "database", "run", ".s.PGSQL.5432.lock"), `${otherProgram.pid}\n`);
    const next = start(dataDir);
    expect(await next.next("up")).toBeTruthy();
    await stop(next);
  } finally {
    otherProgram.kill("SIGKILL");
  }
});

test("a cluster of another major version stops the start, and the message names npm run restore", async () => {
  const dataDir = usedFolder;
  const server = start(dataDir);
  await server.next("up");
  await stop(server);
  writeFileSync(join(dataDir, "database/cluster", "PG_VERSION"), "14\n");
  expect(await start(dataDir).next("trouble")).toMatch(
    /PostgreSQL 14 created .* but this is PostgreSQL 18.*npm run restore/,
  );
});

test("a DATA_DIR inside a file is refused, and the message names it", async () => {
  const file = join(newFolder(), "file");
  writeFileSync(file, "");
  expect(await start(join(file, "data")).next("trouble")).toMatch(/^DATA_DIR .* is not a folder/);
});
