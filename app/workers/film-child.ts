import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { FilmOrder } from "#app/domain/streaming/packaging/film-job.ts";
import { workOnFilm } from "#app/domain/streaming/packaging/film-work.ts";
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

process.stdin.on(
  "data",
  frameReader<FilmOrder>(async (order) => {
    const { answer, bytes } = await workOnFilm(order);
    // One message without another copy of a segment.
    process.stdout.cork();
    for (const part of encodeReply(answer, bytes, hasSharedFile)) process.stdout.write(part);
    process.stdout.uncork();
    // What the jobs before leave behind would count as memory of the next one.
    if (process.memoryUsage.rss() > maxMemoryBytes / 2) setImmediate(collectGarbage);
  }),
);
process.stdin.on("end", () => process.exit(0));
process.stdout.on("error", () => process.exit(0));
setInterval(() => process.memoryUsage.rss() > maxMemoryBytes && process.exit(1), 50).unref();
