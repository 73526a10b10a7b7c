import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ConversionSource } from "#app/domain/playback/conversions/converter-input.server.ts";
import { killChildren } from "#app/platform/process/child-life.server.ts";
import { temporaryFolder } from "#tests/support/setup/temporary-folder.ts";

/** The look at a picture, and the conversion that follows it. A script stands in for ffmpeg. */

const folder = temporaryFolder("converter");
const program = join(folder, "ffmpeg");
const log = join(folder, "log");
Object.assign(process.env, { FFMPEG: program, DATA_DIR: folder });

const feed = vi.fn<(input: Writable | null) => Promise<void>>();
vi.mock("#app/domain/playback/conversions/converter-input.server.ts", () => ({
  feedConverter: (input: Writable | null) => feed(input),
}));
/** Describes an interlaced picture if it gets any of the film. Logs each look, and how the conversion treats the picture. */
const script = `#!/bin/sh
case "$*" in
  *-filters) exit 0 ;;
  *"-f null"*)
    echo look >> ${log}
    [ "$(cat ${folder}/code)" = hangs ] && exec sleep 600
    [ -n "$(head -c 4)" ] && echo "  Stream #0:0: Video: h264 (High), yuv420p(tv, top first), 720x576" >&2
    exit "$(cat ${folder}/code)" ;;
esac
case "$*" in *bwdif*) echo deinterlaced >> ${log} ;; *) echo ordinary >> ${log} ;; esac
exit 1
`;

writeFileSync(program, script, { mode: 0o755 });
const { startConverter } = await import("#app/domain/playback/conversions/converter.server.ts");

function source(file: string): ConversionSource {
  const segments = [{ start: 0, end: 6, from: 0, to: null, at: 0 }];
  return {
    film: { file, size: 1, modifiedMs: 1 },
    format: "matroska",
    track: { kind: "picture", track: 1, segments, canBeInterlaced: true },
    isOwn: false,
  };
}

/** Runs the converter, and returns what the script logged. */
async function convert(file: string): Promise<string[]> {
  writeFileSync(log, "");
  await new Promise<void>((resolve) => {
    startConverter(source(file), 0, { onInit() {}, onSegment() {}, onEnd: () => resolve() });
  });
  return readFileSync(log, "utf8").trim().split("\n");
}

const feedFilm = async (input: Writable | null) => void input?.end("film");

beforeEach(() => {
  writeFileSync(join(folder, "code"), "0");
  feed.mockImplementation(feedFilm);
});

afterEach(() => void vi.useRealTimers());

test("a film is looked at once, and each conversion follows what was seen", async () => {
  expect(await convert("good.mkv")).toEqual(["look", "deinterlaced"]);
  expect(await convert("good.mkv")).toEqual(["deinterlaced"]);
});

test("a look at a film that could not be fed is repeated", async () => {
  feed.mockRejectedValueOnce(new Error("overloaded"));
  expect(await convert("busy.mkv")).toEqual(["look", "ordinary"]);
  expect(await convert("busy.mkv")).toEqual(["look", "deinterlaced"]);
});

test("a look that ffmpeg ended with an error is repeated", async () => {
  writeFileSync(join(folder, "code"), "1");
  expect(await convert("failed.mkv")).toEqual(["look", "deinterlaced"]);
  expect(await convert("failed.mkv")).toEqual(["look", "deinterlaced"]);
});

test("a look by a program that could not start is repeated", async () => {
  chmodSync(program, 0o644);
  expect(await convert("late.mkv")).toEqual([""]);
  chmodSync(program, 0o755);
  expect(await convert("late.mkv")).toEqual(["look", "deinterlaced"]);
});

test("a look that hangs ends with the site", async () => {
  // No time limit may end it.
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval", "performance"] });
  writeFileSync(join(folder, "code"), "hangs");
  const converting = convert("hanging.mkv");
  while (readFileSync(log, "utf8") === "") await new Promise(setImmediate);
  killChildren();
  expect(await converting).toEqual(["look", "ordinary"]);
});
