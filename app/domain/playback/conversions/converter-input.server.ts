import { once } from "node:events";
import type { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { orderFilm } from "#app/domain/films/films.server.ts";
import { type ConvertedTrack, encodedSamples } from "#app/media/converting/converted-track.ts";
import type { FilmOrder, FilmVersion } from "#app/media/film-work/film-job.ts";
import { soundRate } from "#app/media/mp4/init-segment.ts";
import { kibibytes } from "#app/platform/units.ts";
import { openFilmFile } from "./stand-in-maker.server.ts";

/** Feeds ffmpeg's standard input with the film from the start of a segment. ffmpeg opens no file itself. */

export type ConversionSource = {
  film: FilmVersion;
  format: "matroska" | "mp4";
  track: ConvertedTrack;
  /** The site converts this sound itself; ffmpeg converts everything else. */
  isOwn: boolean;
};

export async function feedConverter(input: Writable | null, source: ConversionSource, first: number) {
  if (!input) return;
  await (source.format === "matroska" ? feedWindow : feedPieces)(input, source, first);
}

async function order(wanted: FilmOrder): Promise<Buffer> {
  const { answer, bytes } = await orderFilm(wanted, { client: "conversion" });
  if (answer.kind !== "cut") throw new Error("the film has changed, or is damaged");
  return bytes;
}

/** Writes the film's head, then the bytes of its file from the segment on. */
async function feedWindow(input: Writable, { film, track }: ConversionSource, first: number) {
  const bytes = await order({ kind: "head", ...film, track: track.track });
  const handle = await openFilmFile(film);
  if (input.destroyed) return handle.close();
  input.write(bytes);
  const at = track.segments[first]?.at ?? 0;
  const start = track.kind === "sound" && track.last ? Math.min(at, track.last.at) : at;
  const reading = handle.createReadStream({ start, highWaterMark: kibibytes(256) });
  await pipeline(reading, input).catch((error: NodeJS.ErrnoException) => {
    // A converter that has read enough closes its input, which is not a failure. A failed read is a failure: otherwise
    // ffmpeg would take the bytes before it for the whole film.
    if (error.syscall === "read") throw error;
  });
}

/** Writes one piece at a time, each after the converter has read the previous one. */
async function feedPieces(input: Writable, { film, track }: ConversionSource, first: number) {
  const number = { ...film, track: track.track };
  const write = async (bytes: Buffer) => {
    if (input.destroyed || input.write(bytes)) return;
    const waiting = new AbortController();
    const { signal } = waiting;
    // A converter that has read enough closes its input, also with an error. That is not a failure.
    await Promise.race([once(input, "drain", { signal }), once(input, "close", { signal })]).catch(() => {});
    waiting.abort();
  };
  await write(await order({ kind: "piece-head", ...number }));
  for (const [index, { at, from, to }] of track.segments.slice(first).entries()) {
    const begin = index === 0 ? beginOf(track, first) : from;
    const piece = { at, from: begin, to, sequence: first + index };
    await write(await order({ kind: "piece", ...number, ...piece }));
    if (input.destroyed) return;
  }
  input.end();
}

/** When the first piece of a run begins in the file, in seconds. */
function beginOf(track: ConvertedTrack, first: number): number {
  if (track.kind === "picture") return track.segments[first]?.from ?? 0;
  const begin = encodedSamples(track.segments, first).from / soundRate;
  return Math.min(begin, track.last?.seconds ?? begin);
}
