import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { FilmOrder } from "#app/media/film-work/film-job.ts";
import { workOnFilm } from "#app/media/film-work/film-work.ts";
import { createJobMemory } from "#app/platform/cache/job-memory.ts";
import { encodeReady, encodeReply, frameReader, saysReady } from "#app/platform/process/child-frames.ts";
import { exitAbove } from "#app/platform/process/memory-guard.ts";
import { mebibytes } from "#app/platform/units.ts";

/**
 * A separate process that reads films. The server kills the process when a film takes too long. It exits by itself when
 * it uses too much memory, and when its input ends because the server has stopped.
 */

const maxMemoryBytes = mebibytes(Number(process.argv[2]));
const hasSharedFile = process.argv[3] === "true";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Enough for a segment of ten seconds and the bytes that are read around its packets. */
const memory = createJobMemory(mebibytes(8));

async function answerTo(order: FilmOrder) {
  const { answer, parts } = await workOnFilm(order, memory.allocate);
  // Sends one message without copying the segment again.
  process.stdout.cork();
  for (const part of encodeReply(answer, parts, hasSharedFile)) process.stdout.write(part);
  process.stdout.uncork();
  memory.clear();
  // Garbage left by earlier jobs would count towards the memory of the next job.
  if (process.memoryUsage.rss() > maxMemoryBytes / 2) setImmediate(collectGarbage);
}

if (process.argv[4] === saysReady) process.stdout.write(encodeReady());
// Jobs run one after another, because each reuses the memory of the previous one.
let last = Promise.resolve();
process.stdin.on(
  "data",
  frameReader<FilmOrder>((order) => {
    last = last.then(() => answerTo(order));
  }),
);
process.stdin.on("end", () => process.exit(0));
process.stdout.on("error", () => process.exit(0));
exitAbove(maxMemoryBytes, 50);
