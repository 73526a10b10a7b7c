import { spawn } from "node:child_process";
import { closeSync, openSync, readSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import {
  encodeFrame,
  frameReader,
  openSharedFile,
  type Reply,
  wholeOf,
} from "#app/platform/process/child-frames.ts";
import { ChildPool } from "#app/platform/process/child-pool.server.ts";
import {
  block,
  cluster,
  element,
  filmOf,
  ids,
  line,
  picture,
  subtitles,
} from "#tests/support/data/matroska-bytes.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** A child process hands many bytes over through a file that both have open, and through its pipe where it cannot. */

const file = join(temporaryFolder("film-child"), "film.mkv");
const tracks = element(ids.tracks, picture, subtitles("S_TEXT/UTF8"));
const text = "Rain. ".repeat(70_000);
writeFileSync(file, filmOf(tracks, cluster(0, block(1, 0, true), line({ ticks: 1, duration: 2, text }))));
const { size, mtimeMs } = statSync(file);
const order = {
  kind: "lines",
  ...{ file, size, modifiedMs: Math.trunc(mtimeMs), track: 3, from: null },
};

/** The reply of a child that was given this file. */
async function ask(sharedFile: number | "ignore", says: boolean) {
  const child = spawn(process.execPath, [resolve("build/server/film-child.js"), "500", String(says)], {
    stdio: ["pipe", "pipe", "inherit", sharedFile],
  });
  const reply = await new Promise<{ reply: Reply<object>; bytes: Buffer }>((found) => {
    child.stdout?.on(
      "data",
      frameReader<Reply<object>>((reply, chunks) => found({ reply, bytes: wholeOf(chunks) })),
    );
    for (const part of encodeFrame(order, Buffer.alloc(0))) child.stdin?.write(part);
  });
  child.kill();
  return reply;
}

test("the bytes are in the shared file, or in the pipe if there is none or it cannot be written", async () => {
  const shared = openSharedFile();
  if (shared === null) throw new Error("there is no shared file");
  const readOnly = openSync(file, "r");
  const [inFile, unwritten, inPipe] = await Promise.all([
    ask(shared, true),
    ask(readOnly, true),
    ask("ignore", false),
  ]);
  expect(inPipe.bytes.toString()).toContain(text);
  expect(inPipe.reply).toMatchObject({ answer: { kind: "lines" }, sharedBytes: 0 });
  expect(unwritten).toEqual(inPipe);
  expect(inFile.bytes).toHaveLength(0);
  expect(inFile.reply).toEqual({ ...inPipe.reply, sharedBytes: inPipe.bytes.length });
  const bytes = Buffer.alloc(inPipe.bytes.length);
  expect(readSync(shared, bytes, 0, bytes.length, 0)).toBe(bytes.length);
  expect(bytes.equals(inPipe.bytes)).toBe(true);
  for (const descriptor of [shared, readOnly]) closeSync(descriptor);
});

test("a child that names more bytes than the file can have is ended, and the site goes on", async () => {
  const pool = new ChildPool({
    ...{ file: "tests/fixtures/lying-child.mjs", children: 1, memoryMb: 100 },
    ...{ queueLength: 8, clientLength: 8 },
  });
  for (let times = 0; times < 2; times++)
    await expect(pool.run({}, { client: "192.0.2.1", timeoutMs: 20_000 })).rejects.toMatchObject({
      failure: "crashed",
    });
});
