import { done, type Outcome, type Refusal, refuse } from "#app/domain/errors.ts";
import { SilentFolder, silentFolderRefusal } from "#app/domain/films/films.server.ts";
import { seconds } from "#app/platform/units.ts";
import { cacheText, mebibyteText } from "../conversions/film-cache-size.ts";
import {
  CannotPrepare,
  NotPrepared,
  openStandIn,
  remuxedContainerOf,
  standInsLack,
} from "../conversions/stand-ins.server.ts";
import { type FilmAddress, findVersion, noSuchPart } from "./film-version.server.ts";

/** The preparation of films that only ffmpeg reads, as viewers see it. */

/**
 * Begins to prepare a film, or says how far it is. Once it is prepared, the watch page offers its tracks. Null if there
 * is no such film, or if its file has changed.
 */
export async function prepareFilm(address: FilmAddress, client: string): Promise<Outcome<null>> {
  try {
    const found = await findVersion(address);
    if (!found || remuxedContainerOf(found.film) === null) return noSuchPart;
    await openStandIn(found.film, client);
    return done(null);
  } catch (error) {
    const refusal = preparationRefusal(error);
    if (!refusal) throw error;
    return refusal;
  }
}

/** Null: the error is of another kind. */
export function preparationRefusal(error: unknown): Refusal | null {
  if (error instanceof SilentFolder) return silentFolderRefusal;
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

const lackTexts = {
  ffmpeg: "for which this site needs ffmpeg",
  memory: "for which this site needs more memory",
  pictures: "and this site converts no pictures",
};

function refusalOf({ reason, neededBytes, cacheBytes }: CannotPrepare): Refusal {
  switch (reason) {
    case "failed":
      return refuse("upstream_failed", "This video cannot be converted. Its file may be damaged.");
    case "too large":
      return refuse(
        "too_large",
        `This video is too large for the film cache of this site, where it has to be stored once before it plays. ${cacheText(neededBytes, cacheBytes)}`,
      );
    case "cache in use":
      return refuse(
        "overloaded",
        "This video has to wait, because others that are being watched fill the film cache of this site.",
      );
    case "disk full":
      return refuse(
        "disk_full",
        neededBytes === 0
          ? "This video has to be stored once before it plays, but the disk of this site is full."
          : `This video has to be stored once before it plays, which takes up to ${mebibyteText(neededBytes)}, and the disk of this site has too little room.`,
      );
    case "no converter":
      return refuse(
        "upstream_failed",
        `This video has to be converted before it plays, ${lackTexts[standInsLack ?? "pictures"]}.`,
      );
    case "too many":
      return refuse("overloaded", "This video has to wait, because too many others are being converted.");
  }
}
