import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  newFolder,
  start,
  stop,
  testEndedPostmaster,
  testMovedFolder,
} from "#tests/support/scaled/embedded-database.ts";

/** Ends of the embedded database that tests/system leaves out, and a path that a socket cannot have. */

testEndedPostmaster(["SIGTERM", "SIGQUIT"]);
testMovedFolder(["is killed"]);

test("two processes share a database in a path that is too long for a socket and has spaces, quotes and non-Latin letters", async () => {
  const dataDir = join(newFolder(), "縁側 où l'on s'assied, \"le soir\"", "x".repeat(100));
  mkdirSync(dataDir, { recursive: true });
  const [first, second] = [start(dataDir), start(dataDir)];
  expect(await first.next("up")).toBe(await second.next("up"));
  await stop(first);
  await stop(second);
});
