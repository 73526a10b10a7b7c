import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DiskCache } from "#app/platform/cache/disk-cache.server.ts";
import { hours } from "#app/platform/units.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder("cache");
});
afterEach(() => void vi.useRealTimers());

const open = (maxBytes = 1_000_000) => new DiskCache<{ kind: string }>(folder, maxBytes);
const files = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

test("an entry is found again, also after a restart, until it is removed", async () => {
  await open().set("a key", { kind: "x" }, Buffer.from("bytes"));
  const again = open();
  expect(await again.get("a key")).toEqual({ header: { kind: "x" }, bytes: Buffer.from("bytes") });
  expect(await again.get("another")).toBeNull();
  await again.remove("a key");
  expect(await again.get("a key")).toBeNull();
  expect(files()).toEqual([]);
});

test("the cache stays within its size and deletes the least recently used entries", async () => {
  const cache = open(50_000);
  const bytes = Buffer.alloc(10_000);
  for (let at = 0; at < 4; at++) {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 1000 });
    await cache.set(`key ${at}`, { kind: "" }, bytes);
  }
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 1000 });
  await cache.get("key 0");
  for (let at = 4; at < 6; at++) {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 1000 });
    await cache.set(`key ${at}`, { kind: "" }, bytes);
  }
  expect(cache.bytes()).toBeLessThanOrEqual(50_000);
  const kept = await Promise.all(
    [0, 1, 2, 3, 4, 5].map(async (at) => (await cache.get(`key ${at}`)) !== null),
  );
  expect(kept).toEqual([true, false, false, true, true, true]);
  expect(files().length).toBe(4);
});

test("the time of the last use survives a restart, with a precision of an hour", async () => {
  const cache = open();
  await cache.set("used", { kind: "" }, Buffer.alloc(20_000));
  await cache.set("unused", { kind: "" }, Buffer.alloc(20_000));
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + hours(2) });
  await cache.get("used");
  const smaller = open(30_000);
  await smaller.ready();
  expect([await smaller.get("used"), await smaller.get("unused")]).toEqual([expect.anything(), null]);
});

test("the time at which a large file was written stays the same when its last use is noted", async () => {
  const cache = open();
  const created = await cache.create("film", 1000);
  if (typeof created === "string") throw new Error(created);
  await created.handle.write("bytes");
  expect(await created.keep()).toBe(true);
  const [file = ""] = files();
  const before = statSync(file);
  expect(before.mtimeMs % 1000).toBe(0);
  for (const later of [2, 4, 6]) {
    vi.useFakeTimers({ toFake: ["Date"], now: before.mtimeMs + hours(later) + 123.4 });
    expect(await cache.findFile("film")).toBe(file);
    const { mtimeMs, atimeMs } = statSync(file);
    expect([mtimeMs, Math.round(atimeMs)]).toEqual([before.mtimeMs, Date.now()]);
  }
});

test("a damaged file counts as missing, and an incomplete one is deleted", async () => {
  await open().set("key", { kind: "" }, Buffer.from("bytes"));
  const [file = ""] = files();
  writeFileSync(file, "rotten");
  writeFileSync(`${file}.half`, "half");
  const cache = open();
  expect(await cache.get("key")).toBeNull();
  expect(files()).toEqual([file]);
  await cache.set("key", { kind: "" }, Buffer.from("anew"));
  expect((await cache.get("key"))?.bytes.toString()).toBe("anew");
});

test("while the disk is nearly full, nothing is written and existing entries are still found", async () => {
  let hasRoom = true;
  const cache = new DiskCache<{ kind: string }>(folder, 1_000_000, async () => hasRoom);
  await cache.set("before", { kind: "" }, Buffer.from("bytes"));
  hasRoom = false;
  await cache.set("after", { kind: "" }, Buffer.from("bytes"));
  expect([await cache.get("before"), await cache.get("after")]).toEqual([expect.anything(), null]);
  expect(files().length).toBe(1);
});

test("setting the same key again replaces the entry and counts its size once", async () => {
  const cache = open();
  for (const text of ["one", "longer than one"]) await cache.set("key", { kind: "" }, Buffer.from(text));
  const before = cache.bytes();
  await Promise.all(
    Array.from({ length: 5 }, () => cache.set("key", { kind: "" }, Buffer.from("longer than one"))),
  );
  expect(cache.bytes()).toBe(before);
});
