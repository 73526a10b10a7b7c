import { changeCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import { foldersOf, isInDiscFolder } from "#app/domain/films/films.server.ts";
import { withTransaction } from "#db/client.server.ts";
import { listKnownFilms, markFilms } from "./known-films.server.ts";
import type { ScanWork } from "./scan-work.ts";

/** A film whose file is missing keeps its row, sources and decisions, and is shown as "not here at the moment". */

type ScannedPaths = {
  folder: string;
  /** The paths of the files that were found. */
  paths: ReadonlySet<string>;
  unread: ReadonlySet<string>;
};

export async function noteMissing(
  { folder, paths, unread }: ScannedPaths,
  { roots, counts, noteProgress }: ScanWork,
): Promise<void> {
  const known = (await listKnownFilms()).filter(({ path }) => folder === "" || path.startsWith(`${folder}/`));
  const back = known.filter(({ path, isGone }) => isGone && paths.has(path));
  const gone: typeof known = [];
  for (const film of known) {
    if (film.isGone || paths.has(film.path)) continue;
    if ([film.path, ...foldersOf(film.path)].some((one) => unread.has(one))) continue;
    await noteProgress();
    // The search can skip a file that exists, such as one beside a playlist.
    const isOfDisc = isInDiscFolder(film.path) && !film.isSource;
    if (isOfDisc || (await roots.isAbsent(film.path))) gone.push(film);
  }
  counts.gone = gone.length;
  if (gone.length + back.length === 0) return;
  const ids = { gone: gone.map(({ id }) => id), back: back.map(({ id }) => id) };
  // Episodes gain or lose a source, so the catalog changes.
  if ([...gone, ...back].some(({ isSource }) => isSource))
    await changeCatalog([], (transaction) => markFilms(transaction, ids));
  else await withTransaction((transaction) => markFilms(transaction, ids));
}
