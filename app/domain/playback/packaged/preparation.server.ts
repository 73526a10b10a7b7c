import { done, type Outcome, type Refusal, refuse } from "#app/domain/errors.ts";
import { findFilm, findFilmFile, readFilm } from "#app/domain/films/films.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { mebibytes, seconds } from "#app/platform/units.ts";
import {
  CannotPrepare,
  NotPrepared,
  openStandIn,
  remuxedContainerOf,
} from "../conversions/stand-ins.server.ts";
import { conversionsAt, type FilmAddress } from "./film-version.server.ts";

/** The preparation of films that only ffmpeg reads, as viewers see it. */

/**
 * Begins to prepare a film, or says how far it is. Once it is prepared, the watch page offers its tracks. Null if there
 * is no such film, or if its file has changed.
 */
export async function prepareFilm(
  { film: id, version }: FilmAddress,
  client: string,
): Promise<Outcome<null>> {
  const row = await findFilm(id);
  const film = row && (await readFilm(row));
  const isSame = film && conversionsAt(film, version) !== null && remuxedContainerOf(film) !== null;
  if (!isSame || !(await findFilmFile(film.path)))
    return refuse("not_found", "No such film, or its file has changed. Load the page again.");
  try {
    await openStandIn(film, client);
    return done(null);
  } catch (error) {
    const refusal = preparationRefusal(error);
    if (!refusal) throw error;
    return refusal;
  }
}

/** Null: the error is of another kind. */
export function preparationRefusal(error: unknown): Refusal | null {
  if (error instanceof NotPrepared)
    return { ...refuse("overloaded", waitingText(error)), waitMs: seconds(3) };
  return error instanceof CannotPrepare ? refusalOf(error) : null;
}

function waitingText({ before, share }: NotPrepared): string {
  if (before !== null)
    return `This video waits until others are converted. Its place in the queue is ${before + 1}.`;
  const done = share === null ? "" : `: ${Math.floor(100 * share)} % are done`;
  return `This video is being converted, once, before it plays${done}.`;
}

const megabytes = (bytes: number) => Math.ceil(bytes / mebibytes(1)).toLocaleString("en");

function refusalOf({ reason, neededBytes }: CannotPrepare): Refusal {
  switch (reason) {
    case "failed":
      return refuse("upstream_failed", "This video cannot be converted. Its file may be damaged.");
    case "too large":
      return refuse(
        "too_large",
        `This video is too large for the film cache of this site: it needs ${megabytes(neededBytes)} MiB, and the cache has ${env.FILM_CACHE_SIZE.toLocaleString("en")} MiB. The operator of this site can raise FILM_CACHE_SIZE.`,
      );
    case "cache in use":
      return refuse(
        "overloaded",
        "This video has to wait, because others that are being watched fill the film cache of this site.",
      );
    case "disk full":
      return refuse(
        "disk_full",
        "This video has to be stored once before it plays, but the disk of this site is full.",
      );
    case "no converter":
      return refuse(
        "upstream_failed",
        "This video has to be converted before it plays, which this site does not do.",
      );
    case "too many":
      return refuse("overloaded", "This video has to wait, because too many others are being converted.");
  }
}
