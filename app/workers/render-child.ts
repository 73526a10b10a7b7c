import { drawPoster } from "#app/domain/images/poster/draw-poster.ts";
import {
  CannotRender,
  outOfMemoryExitCode,
  type RenderAnswer,
  type RenderedImage,
  type RenderOrder,
} from "#app/domain/images/render-job.ts";
import { renderForStorage, renderImage } from "#app/domain/images/rendering.ts";
import { encodeFrame, encodeReady, frameReader, wholeOf } from "#app/platform/process/child-frames.ts";
import { exitAbove } from "#app/platform/process/memory-guard.ts";
import { mebibytes } from "#app/platform/units.ts";

/**
 * A separate process for the image codecs. The server kills the process when an image takes too long. It exits by
 * itself when it uses too much memory, and when its input ends because the server has stopped.
 */
const maxMemoryBytes = mebibytes(Number(process.argv[2]));
const maxIdleMemoryBytes = Math.min(mebibytes(250), maxMemoryBytes);

function perform(job: RenderOrder, bytes: Buffer): Promise<RenderedImage> {
  switch (job.kind) {
    case "image":
      return renderImage(bytes, job, job.mustBeQuick);
    case "poster":
      return drawPoster(job.facts, job.widthPx, job.format);
    default:
      return renderForStorage(bytes, job.kind);
  }
}

async function answer(job: RenderOrder, input: Buffer) {
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

// Sent before the first picture is read, so that no picture can end a child that is not ready.
process.stdout.write(encodeReady());
process.stdin.on(
  "data",
  frameReader<RenderOrder>((job, chunks) => void answer(job, wholeOf(chunks))),
);
process.stdin.on("end", () => process.exit(0));
process.stdout.on("error", () => process.exit(0));
// The codecs run on other threads, so this timer also runs while they work.
exitAbove(maxMemoryBytes, 50, outOfMemoryExitCode);
