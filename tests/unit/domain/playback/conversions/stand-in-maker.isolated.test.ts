import { chmodSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** ffmpeg may not hang, or take too much. A program that does nothing stands in for it. */

const folder = temporaryFolder("stand-in-maker");
const program = join(folder, "ffmpeg");
writeFileSync(program, "#!/bin/sh\nexec sleep 600\n");
chmodSync(program, 0o755);
Object.assign(process.env, { FFMPEG: program, DATA_DIR: folder });
const { describeFilm, makeFile } = await import("#app/domain/playback/conversions/stand-in-maker.server.ts");

afterEach(() => void vi.useRealTimers());

const { signal } = new AbortController();
const inOneMinute = 61_000;

async function openFiles() {
  const path = join(folder, "film");
  writeFileSync(path, "");
  return { film: await open(path), made: await open(join(folder, "made"), "w+") };
}

const making = { args: [], maxBytes: 1_000_000, onProgress: () => {} };

test.each([
  ["describes a film for a minute", "it took too long", false, 100],
  ["makes no progress for a minute", "it made no progress", true, 100],
  ["takes too much memory", "it took too much memory", true, 0.01],
])("ffmpeg is killed when it %s", async (_, message, isMaking, memoryMb) => {
  const { film, made } = await openFiles();
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  const limits = { memoryMb, signal };
  const work = isMaking
    ? makeFile(film, { ...limits, ...making, made })
    : describeFilm(film, "mpegts", limits);
  let isOver = false;
  const ended = expect(work)
    .rejects.toThrow(message)
    .finally(() => {
      isOver = true;
    });
  // The program may have no memory yet when the first checks look.
  while (!isOver) {
    vi.advanceTimersByTime(memoryMb < 1 ? 1000 : inOneMinute);
    await setTimeout(10);
  }
  await ended;
  await Promise.all([film.close(), made.close()]);
});

test("ffmpeg is killed when nobody waits for it any more", async () => {
  const { film, made } = await openFiles();
  const left = new AbortController();
  const work = makeFile(film, { memoryMb: 100, signal: left.signal, ...making, made });
  const ended = expect(work).rejects.toThrow("nobody waits for it");
  left.abort();
  await ended;
  await Promise.all([film.close(), made.close()]);
});
