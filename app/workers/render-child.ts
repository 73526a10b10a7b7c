import { drawPoster } from "#app/domain/images/poster/draw-poster.ts";
import {
  encodeFrame,
  frameReader,
  outOfMemoryExitCode,
  type RenderAnswer,
  type RenderedImage,
  type RenderJob,
} from "#app/domain/images/render-job.ts";
import { CannotRender, renderForStorage, renderImage } from "#app/domain/images/rendering.ts";
import { mebibytes } from "#app/platform/units.ts";

/**
 * A process of its own for the codecs: killed when it takes too long, gone by itself when it takes too much
 * memory, and closed by the end of its input when the service ends.
 */
const maxMemoryBytes = mebibytes(700);
const maxIdleMemoryBytes = mebibytes(250);

function perform(job: RenderJob, bytes: Buffer): Promise<RenderedImage> {
  switch (job.kind) {
    case "image":
      return renderImage(bytes, job);
    case "poster":
      return drawPoster(job.facts, job.widthPx);
    default:
      return renderForStorage(bytes, job.kind);
  }
}

async function answer(job: RenderJob, input: Buffer) {
  try {
    const { bytes, ...header } = await perform(job, input);
    send(header, bytes);
  } catch (error) {
    if (!(error instanceof CannotRender)) throw error;
    send({ ok: false, failure: error.failure }, Buffer.alloc(0));
  }
}

function send(answer: RenderAnswer, bytes: Buffer) {
  const leaving = process.memoryUsage.rss() > maxIdleMemoryBytes;
  const parts = encodeFrame(leaving ? { ...answer, leaving } : answer, bytes);
  process.stdout.write(Buffer.concat(parts), () => leaving && process.exit(0));
}

process.stdin.on(
  "data",
  frameReader<RenderJob>((job, bytes) => void answer(job, bytes)),
);
process.stdin.on("end", () => process.exit(0));
process.stdout.on("error", () => process.exit(0));
// The codecs work on other threads, so this one is free to watch them.
setInterval(
  () => process.memoryUsage.rss() > maxMemoryBytes && process.exit(outOfMemoryExitCode),
  50,
).unref();
