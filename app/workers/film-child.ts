import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { FilmOrder } from "#app/media/film-work/film-job.ts";
import { workOnFilm } from "#app/media/film-work/film-work.ts";
import { createJobMemory } from "#app/platform/cache/job-memory.ts";
import { encodeReply, frameReader } from "#app/platform/process/child-frames.ts";
import { mebibytes } from "#app/platform/units.ts";

/**
 * A separate process that reads films. The server kills it when a film takes too long. It exits by itself when it uses too
 * much memory, and when its input ends because the server has stopped.
 */
const maxMemoryBytes = mebibytes(Number(process.argv[2]));
const hasSharedFile = process.argv[3] === "true";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** A segment of ten seconds fits, with what is read around its packets. */
const memory = createJobMemory(mebibytes(8));

async function answerTo(order: FilmOrder) {
  const { answer, parts } = await workOnFilm(order, memory.allocate);
  // One message without another copy of a segment.
  process.stdout.cork();
  for (const part of encodeReply(answer, parts, hasSharedFile)) process.stdout.write(part);
  process.stdout.uncork();
  memory.clear();
  // What the jobs before leave behind would count as memory of the next one.
  if (process.memoryUsage.rss() > maxMemoryBytes / 2) setImmediate(collectGarbage);
}

// One after the other, since a job uses the memory of the one before.
let last = Promise.resolve();
process.stdin.on(
  "data",
  frameReader<FilmOrder>((order) => {
    last = last.then(() => answerTo(order));
  }),
);
process.stdin.on("end", () => process.exit(0));
process.stdout.on("error", () => process.exit(0));
setInterval(() => process.memoryUsage.rss() > maxMemoryBytes && process.exit(1), 50).unref();
