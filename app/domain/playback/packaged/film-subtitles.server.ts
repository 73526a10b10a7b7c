import { LRUCache } from "lru-cache";
import { done, isOverloaded, type Outcome } from "#app/domain/errors.ts";
import { type FilmFile, isFilmQueueFull, orderFilm } from "#app/domain/films/films.server.ts";
import { type Piece, piecesOf } from "#app/media/film/edition.ts";
import type { SubtitleTrack } from "#app/media/film/inspection.ts";
import type { LinesPart } from "#app/media/matroska/subtitle-lines.ts";
import type { AdmitBytes } from "#app/platform/limits/byte-budget.ts";
import { createSharedWork } from "#app/platform/limits/shared-work.ts";
import { memoryPlan } from "#app/platform/process/memory.server.ts";
import { rewritingBudget } from "#app/platform/process/text-thread.server.ts";
import { mebibytes, minutes } from "#app/platform/units.ts";
import { filmCache } from "../conversions/film-cache.server.ts";
import type { FilmSubtitleForm } from "../offers/listed-subtitles.ts";
import { type FilmAddress, fileVersionOf, noSuchPart, openVersion } from "./film-version.server.ts";
import { type PackagedPart, type Requester, refusalOf, refusedPart } from "./packaged-film.server.ts";
import {
  busySubtitles,
  largeSubtitles,
  maxBitmapBytes,
  maxSubtitleBytes,
  writeOnThread,
} from "./subtitle-thread.server.ts";

/** Extracts the subtitles inside a film and writes them as WebVTT, as ASS, or as pictures in a `.sup` file. */

type SubtitleAddress = FilmAddress & { track: number; form: FilmSubtitleForm };

/** Cache of written subtitles and of refusals: finding out that a track cannot be written takes as long as writing it. */
const written = new LRUCache<string, Outcome<Buffer>>({
  maxSize: mebibytes(Math.max(1, memoryPlan.filmSegments / 8)),
  sizeCalculation: (outcome) => Math.max(1, outcome.ok ? outcome.value.length : 1),
});
const refusalKeptForMs = minutes(10);
/**
 * Without an index, writing takes long, and the next request needs its result. So it continues when its viewers leave,
 * until those of other subtitles leave too. At most one track of the site is thus read for nobody.
 */
const writing = createSharedWork<Outcome<Buffer>>(isOverloaded, isFilmQueueFull, (stop) => {
  if (stop !== stopUnwanted) stopUnwanted();
  stopUnwanted = stop;
});
let stopUnwanted = () => {};

const types: Record<FilmSubtitleForm, string> = {
  vtt: "text/vtt; charset=utf-8",
  ass: "text/x-ssa; charset=utf-8",
  sup: "application/octet-stream",
};

export async function readFilmSubtitles(
  address: SubtitleAddress,
  { client, signal }: Requester,
): Promise<Outcome<PackagedPart>> {
  const { film: id, track, form } = address;
  try {
    const opened = await openVersion(address, client);
    const subtitles = opened?.film.inspection.subtitles.find(({ number }) => number === track);
    if (!opened || !subtitles || !isOffered(subtitles, form)) return noSuchPart;
    // The version in the address can have any last digits, and the same subtitles would be read for each of them.
    const key = `${id} ${fileVersionOf(opened.film)} ${track} ${form}`;
    signal.throwIfAborted();
    const outcome =
      written.get(key) ??
      (await writing(key, signal, (leaving) =>
        readOrWrite(key, opened, address, { client, signal: leaving }),
      ));
    return outcome.ok ? done({ type: types[form], bytes: outcome.value }) : outcome;
  } catch (error) {
    return refusalOf(error);
  }
}

const isOffered = ({ script, bitmaps }: SubtitleTrack, form: FilmSubtitleForm) =>
  form === "sup" ? bitmaps !== null : script !== null && (form === "vtt" || script === "ass");

/** Raise this when the code writes the same track differently. */
const subtitlesFormat = 3;

const keep = (key: string, outcome: Outcome<Buffer>) =>
  written.set(key, outcome, { ttl: outcome.ok ? 0 : refusalKeptForMs });

type OpenedFilm = NonNullable<Awaited<ReturnType<typeof openVersion>>>;

async function readOrWrite(
  key: string,
  { file, film }: OpenedFilm,
  address: SubtitleAddress,
  requester: Requester,
): Promise<Outcome<Buffer>> {
  const storedKey = `subtitles ${subtitlesFormat} ${key}`;
  const stored = await filmCache.get(storedKey);
  if (stored) {
    keep(key, done(stored.bytes));
    return done(stored.bytes);
  }
  const outcome = await write(file, piecesOf(film.inspection), address, requester).catch((error) => {
    const refusal = refusalOf(error);
    if (refusal.reason === "upstream_failed") keep(key, refusal);
    throw error;
  });
  if (outcome.ok || outcome.reason === "too_large") keep(key, outcome);
  if (outcome.ok) await filmCache.set(storedKey, { made: true }, outcome.value);
  return outcome;
}

const write = (
  file: FilmFile,
  pieces: readonly Piece[] | null,
  { track, form }: SubtitleAddress,
  requester: Requester,
): Promise<Outcome<Buffer>> =>
  rewritingBudget(requester.client, async (admit) => {
    const maxBytes = form === "sup" ? maxBitmapBytes : maxSubtitleBytes;
    const read = await readLines(file, track, { requester, admit, maxBytes });
    if (!read.ok) return read;
    const { bytes, format, head } = read.value;
    if (format === "pgs" || format === "vobsub")
      return form === "sup"
        ? writeOnThread({ kind: "bitmaps", bytes, format, head, pieces, maxBytes }, requester)
        : noSuchPart;
    return form === "sup"
      ? noSuchPart
      : writeOnThread({ kind: "subtitles", bytes, format, form, head, pieces }, requester);
  });

type Lines = Pick<LinesPart, "format" | "head"> & { bytes: Buffer };

async function readLines(
  file: FilmFile,
  track: number,
  { requester, admit, maxBytes }: { requester: Requester; admit: AdmitBytes; maxBytes: number },
): Promise<Outcome<Lines>> {
  const parts: Buffer[] = [];
  let length = 0;
  let from: LinesPart["next"] = null;
  for (;;) {
    const { answer, bytes } = await orderFilm({ kind: "lines", ...file, track, from }, requester);
    if (answer.kind === "refused") throw refusedPart(answer.why);
    if (answer.kind !== "lines") throw refusedPart("damaged");
    length += bytes.length;
    if (length > maxBytes) return largeSubtitles;
    // Twice the size: the bytes themselves, and the subtitles made from them.
    if (!admit(2 * bytes.length)) return busySubtitles;
    parts.push(bytes);
    const { format, head, next } = answer;
    if (next === null) return done({ bytes: Buffer.concat(parts), format, head });
    from = next;
  }
}
