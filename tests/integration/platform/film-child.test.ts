import { spawn } from "node:child_process";
import { closeSync, openSync, readSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import {
  encodeFrame,
  frameReader,
  maxStartMs,
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
  sound,
  subtitles,
} from "#tests/support/data/matroska-bytes.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/**
 * A child process returns large results through a file that both processes have open, or through its pipe if the file
 * cannot be used.
 */

const file = join(temporaryFolder("film-child"), "film.mkv");
const tracks = element(ids.tracks, picture, subtitles("S_TEXT/UTF8"));
const text = "Rain. ".repeat(70_000);
writeFileSync(file, filmOf(tracks, cluster(0, block(1, 0, true), line({ ticks: 1, duration: 2, text }))));
const { size, mtimeMs } = statSync(file);
const order = {
  kind: "lines",
  file,
  size,
  modifiedMs: Math.trunc(mtimeMs),
  track: 3,
  from: null,
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

test("a child writes its bytes to the shared file, or to the pipe if there is no file or it cannot be written", async () => {
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

/** The bytes that a child returns for orders sent at the same time. */
async function answersTo(orders: readonly object[]): Promise<Buffer[]> {
  const child = spawn(process.execPath, [resolve("build/server/film-child.js"), "500", "false"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const got: Buffer[] = [];
  await new Promise<void>((done) => {
    const onFrame = (_: object, chunks: Buffer[]) => {
      got.push(Buffer.concat(chunks));
      if (got.length === orders.length) done();
    };
    child.stdout?.on("data", frameReader<object>(onFrame));
    child.stdin?.write(Buffer.concat(orders.flatMap((one) => encodeFrame(one, Buffer.alloc(0)))));
  });
  child.kill();
  return got;
}

test("a child that gets several orders at once answers each with its own segment, although the orders reuse the same memory", async () => {
  const aac = sound(element(ids.codecId, "A_AAC"), element(ids.codecPrivate, Buffer.from([0x11, 0x90])));
  const seconds = [0, 1, 2, 3, 4];
  const clusters = seconds.map((at) => cluster(1000 * at, block(2, 0, true, Array(500).fill(at + 1))));
  const bytes = filmOf(element(ids.tracks, picture, aac), ...clusters);
  const film = join(temporaryFolder("film-child"), "sound.mkv");
  writeFileSync(film, bytes);
  const { size, mtimeMs } = statSync(film);
  const orders = seconds.map((from, sequence) => ({
    kind: "segment",
    file: film,
    size,
    modifiedMs: Math.trunc(mtimeMs),
    track: 2,
    sequence,
    at: bytes.indexOf(clusters[sequence] as Uint8Array),
    from,
    to: from + 1,
  }));
  const segments = await answersTo(orders);
  const contents = segments.map((segment) => {
    const begin = segment.indexOf("mdat") + 4;
    return segment.subarray(begin, begin + 500);
  });
  expect(contents).toEqual(seconds.map((at) => Buffer.alloc(500, at + 1)));
});

const poolOf = (file: string) =>
  new ChildPool({ file, children: 1, memoryMb: 100, queueLength: 8, clientLength: 8 });

test("a child that starts late has the whole time of its order from then on, and no more", {
  // A child that is not ready has as much time, so a test that takes longer means that the limit never started.
  timeout: maxStartMs,
}, async () => {
  const run = (order: { answers: boolean }) =>
    poolOf("tests/fixtures/late-child.mjs").run(order, { client: "192.0.2.1", timeoutMs: 1500 });
  const [answered, hanging] = await Promise.allSettled([run({ answers: true }), run({ answers: false })]);
  expect(answered).toMatchObject({ value: { answer: { isLate: true } } });
  expect(hanging).toMatchObject({ reason: { failure: "too_slow" } });
});

test.each([
  "a file of a length that nobody has",
  "an answer of four gigabytes",
  "an answer that is no JSON",
  "an answer that is null",
])("a child that sends %s is killed, and the site keeps running", async (lie) => {
  const pool = poolOf("tests/fixtures/lying-child.mjs");
  for (let times = 0; times < 2; times++)
    await expect(pool.run({ lie }, { client: "192.0.2.1", timeoutMs: 20_000 })).rejects.toMatchObject({
      failure: "crashed",
    });
});
