import { pathEndOf } from "#app/domain/films/films.ts";
import type { Inspection } from "#app/media/film/inspection.ts";
import type { Conversions } from "./convertible.ts";
import { filmTracks } from "./packageable.ts";

/** Orders the files that a scan found for one episode. Sources that an operator has ordered keep that order. */

export type RankedFilm = {
  path: string;
  /** The position of the source. Films from a scan share one; an operator gives each source of an episode its own. */
  position: number;
  size: number | null;
  /** Null: the file has not been read yet, so only its name is known. */
  inspection: Inspection | null;
};

/** `sources` are ordered by position. `rankOf` returns undefined for a source that is not a film. */
export function bestFirst<Source>(
  sources: readonly Source[],
  rankOf: (source: Source) => RankedFilm | undefined,
): Source[] {
  const runs: { source: Source; film: RankedFilm | undefined }[][] = [];
  for (const source of sources) {
    const film = rankOf(source);
    const run = runs.at(-1);
    if (run && film && run[0]?.film?.position === film.position) run.push({ source, film });
    else runs.push([{ source, film }]);
  }
  return runs.flatMap((run) => run.sort(compare).map(({ source }) => source));
}

type RankedSource = { film: RankedFilm | undefined };

const compare = ({ film: one }: RankedSource, { film: other }: RankedSource): number =>
  one && other
    ? resolutionOf(other) - resolutionOf(one) ||
      versionOf(other) - versionOf(one) ||
      Number(playsAsItIs(other)) - Number(playsAsItIs(one)) ||
      (other.size ?? 0) - (one.size ?? 0)
    : 0;

const resolutions = [240, 360, 480, 576, 720, 1080, 1440, 2160, 4320];

/**
 * Rounds to a common resolution, so that a picture with a few lines cut off, or a wide or narrow one, does not count as
 * another.
 */
function resolutionOf({ path, inspection }: RankedFilm): number {
  const [picture] = inspection?.video ?? [];
  const lines = picture ? Math.max(picture.heightPx, (picture.widthPx * 9) / 16) : linesInName(path);
  return resolutions.reduce((best, one) => (Math.abs(one - lines) < Math.abs(best - lines) ? one : best), 0);
}

function linesInName(path: string): number {
  const { lines, high, wide } =
    /(?<![\p{L}\p{N}])(?:(?<lines>\d{3,4})[pi]|\d{3,4}x(?<high>\d{3,4})|(?<wide>[48])k)(?![\p{L}\p{N}])/iu.exec(
      pathEndOf(path),
    )?.groups ?? {};
  return wide === undefined ? Number(lines ?? high ?? 0) : Number(wide) * 540;
}

/** `05v2` is better than `05`. */
const versionOf = ({ path }: RankedFilm): number =>
  Number(/(?:\d|[\s._[(-])v(?<version>[2-9])(?![\p{L}\p{N}])/iu.exec(pathEndOf(path))?.groups?.version ?? 1);

const noConversions: Conversions = { ofPicture: () => false, ofSound: () => false };

const playsAsItIs = ({ inspection }: RankedFilm): boolean =>
  inspection !== null &&
  (inspection.container === "mp4" || inspection.container === "webm") &&
  inspection.obstacle === null &&
  filmTracks(inspection, noConversions) === null;
