import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { type Readable, Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { mebibytes } from "#app/platform/units.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

process.env.DATA_DIR = temporaryFolder("large-bodies");
process.env.MIN_FREE_DISK = "0";
const open = new Set<FileHandle>();
vi.mock("#app/platform/process/unnamed-file.server.ts", async (original) => {
  const { openUnnamedFile } = await original<typeof import("#app/platform/process/unnamed-file.server.ts")>();
  return {
    async openUnnamedFile(folder: string) {
      const file = await openUnnamedFile(folder);
      const close = file.close.bind(file);
      open.add(file);
      file.close = () => {
        open.delete(file);
        return close();
      };
      return file;
    },
  };
});
const openFiles = () => open.size;
const { createLargeBodies } = await import("#app/http/server/large-bodies.server.ts");
const { writeBody } = await import("#app/http/server/stream-writing.server.ts");

// There is room for segments of 4 MiB: one in memory, four in files.
const limits = {
  folder: "film-cache/sent",
  memoryBytes: mebibytes(6),
  movingBytes: mebibytes(14),
  fileBytes: mebibytes(16),
};
const mostBytes = limits.memoryBytes + limits.movingBytes;
const largeBodies = createLargeBodies(limits);
const { findSent } = largeBodies;

type Sent = Parameters<typeof largeBodies.send>[0];
/** Sends a large body, which is always a stream. */
const sendSegment = (whole: Sent, client: string) => largeBodies.send(whole, client) as Readable;

const bodies: Readable[] = [];
/** A body whose client reads nothing until the test does. */
function send(bytes: Buffer, client = "192.0.2.1"): Readable {
  const name = `segment ${segments.findIndex((one) => one === bytes)}`;
  const body = sendSegment({ name, type: "video/mp4", isImmutable: true, bytes }, client);
  body.on("error", () => {});
  bodies.push(body);
  return body;
}
afterEach(async () => {
  for (const body of bodies.splice(0)) body.destroy();
  await expect.poll(openFiles).toBe(0);
});

const segmentBytes = mebibytes(4);
const segments = Array.from({ length: 16 }, () => randomBytes(segmentBytes));

test("a small body is not sent as a stream", () => {
  const bytes = randomBytes(1000);
  const whole = { name: "small", type: "video/mp4", isImmutable: true, bytes };
  expect(largeBodies.send(whole, "192.0.2.1")).toBe(bytes);
  expect(findSent("small")).toBeNull();
});

test("all viewers of one segment get all of its bytes", async () => {
  const [one, other] = [send(segments[0] as Buffer), send(segments[0] as Buffer)];
  expect((await buffer(one)).equals(segments[0] as Buffer)).toBe(true);
  expect((await buffer(other)).equals(segments[0] as Buffer)).toBe(true);
});

/** A socket that holds each piece for a while, and reports whether its bytes changed meanwhile. */
function slowSocket() {
  const pieces: Buffer[] = [];
  const memory = new Set<ArrayBufferLike>();
  const socket = new Writable({
    write(piece: Buffer, _encoding, done) {
      const before = Buffer.from(piece);
      memory.add(piece.buffer);
      setImmediate(() => {
        pieces.push(before);
        done(piece.equals(before) ? null : new Error("a piece changed before it was sent"));
      });
    },
  });
  return { socket, memory, received: () => Buffer.concat(pieces) };
}

test("pieces reuse the memory of sent pieces, and no piece changes before it is sent", async () => {
  const sockets = segments.slice(0, 3).map((segment) => ({ ...slowSocket(), segment }));
  await Promise.all(sockets.map(({ segment, socket }) => writeBody(send(segment), socket)));
  for (const { segment, received } of sockets) expect(received().equals(segment)).toBe(true);
  const memory = new Set(sockets.flatMap((one) => [...one.memory]));
  expect(memory.size).toBeLessThanOrEqual(3 * sockets.length);
});

test("the slowest clients get the rest of their segments from files", async () => {
  const slow = segments.slice(0, 4).map((segment) => send(segment));
  await expect.poll(openFiles).toBe(3);
  const received = await Promise.all(slow.map((body) => buffer(body)));
  for (const [at, bytes] of received.entries()) expect(bytes.equals(segments[at] as Buffer)).toBe(true);
});

test("where files are too much, who has read nothing for longest is cut off, and who reads on is not", async () => {
  const reading = send(segments[0] as Buffer);
  const ended = once(reading, "end");
  const pieces: Buffer[] = [];
  reading.on("data", (piece: Buffer) => {
    pieces.push(piece);
    reading.pause();
    void pause(5).then(() => reading.resume());
  });
  const idle: Readable[] = [];
  for (const segment of segments.slice(1, 8)) {
    idle.push(send(segment));
    await pause(20);
  }
  await expect.poll(() => idle.map(({ destroyed }) => destroyed)).toContain(true);
  await ended;
  expect(Buffer.concat(pieces).equals(segments[0] as Buffer)).toBe(true);
  expect(idle[0]?.destroyed).toBe(true);
  expect(idle.at(-1)?.destroyed).toBe(false);
});

test("a client with many slow readers loses one of its own, and not the only one of another client", async () => {
  const only = send(segments[0] as Buffer, "192.0.2.2");
  const many: Readable[] = [];
  for (const segment of segments.slice(1, 8)) {
    many.push(send(segment));
    await pause(20);
  }
  await expect.poll(() => many.map(({ destroyed }) => destroyed)).toContain(true);
  expect((await buffer(only)).equals(segments[0] as Buffer)).toBe(true);
});

test("a client that requests a segment which another client is reading gets the same bytes, also from the file", async () => {
  const slow = segments.slice(0, 2).map((segment) => send(segment));
  await expect.poll(openFiles).toBe(1);
  for (const at of [0, 1]) {
    const found = findSent(`segment ${at}`);
    expect(found).toMatchObject({ type: "video/mp4", size: segmentBytes });
    const body = found?.body("192.0.2.3") as Readable;
    expect((await buffer(body)).equals(segments[at] as Buffer)).toBe(true);
  }
  expect(openFiles()).toBe(1);
  for (const body of slow) body.destroy();
  await expect.poll(() => findSent("segment 0") ?? findSent("segment 1")).toBeNull();
});

test("conversions with the same name and different bytes are each sent unchanged", async () => {
  const made = [randomBytes(300_000), randomBytes(400_000)];
  const sent = made.map((bytes) => {
    const body = sendSegment({ name: "n", type: "video/mp4", isImmutable: false, bytes }, "192.0.2.1");
    bodies.push(body);
    return body;
  });
  expect(findSent("n")).toBeNull();
  const received = await Promise.all(sent.map((body) => buffer(body)));
  expect(received.map((bytes, at) => bytes.equals(made[at] as Buffer))).toEqual([true, true]);
});

test("a segment that is larger than the memory for all goes to a file, although it is alone", async () => {
  const bytes = randomBytes(mostBytes + 1);
  const body = sendSegment({ name: "large", type: "video/mp4", isImmutable: true, bytes }, "192.0.2.1");
  bodies.push(body);
  await expect.poll(openFiles).toBe(1);
  expect((await buffer(body)).equals(bytes)).toBe(true);
});

test("when the disk refuses writes, segments wait in memory up to the limit of the memory plan", async () => {
  const folder = join(String(process.env.DATA_DIR), "film-cache", "sent");
  rmSync(folder, { recursive: true, force: true });
  writeFileSync(folder, "in the way");
  const fitting = Math.floor(mostBytes / segmentBytes);
  expect(fitting).toBeGreaterThan(2);
  const few = segments.slice(0, fitting).map((segment) => send(segment));
  await pause(100);
  expect(few.map(({ destroyed }) => destroyed)).not.toContain(true);
  const more = segments.slice(fitting).map((segment) => send(segment));
  const lost = () => [...few, ...more].filter(({ destroyed }) => destroyed).length;
  await expect.poll(lost).toBe(segments.length - fitting);
  await pause(100);
  expect(lost()).toBe(segments.length - fitting);
  const last = (await buffer(more.at(-1) as Readable)).equals(segments.at(-1) as Buffer);
  expect(last).toBe(true);
});
