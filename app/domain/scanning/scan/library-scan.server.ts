import { setTimeout as sleep } from "node:timers/promises";
import { changeCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import { done, type Outcome } from "#app/domain/errors.ts";
import {
  beginScan,
  endScan,
  type FoundFile,
  findScanRequest,
  foldersOf,
  isInDiscFolder,
  noCounts,
  recordScan,
  type ScanRequest,
  type SearchedFolder,
  savePassedOver,
  searchFolder,
} from "#app/domain/films/films.server.ts";
import { passedOverTexts, type ScanCounts } from "#app/domain/films/films.ts";
import { chunksOf } from "#app/platform/lists.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { seconds } from "#app/platform/units.ts";
import { withTransaction } from "#db/client.server.ts";
import { runOnOneInstance } from "#db/one-instance.server.ts";
import { readDecisions } from "../decisions.server.ts";
import { filmsBySubtitles } from "../names/beside-films.ts";
import { judgeGroups, type ScanWork } from "./judge-groups.server.ts";
import {
  addFilms,
  type KnownFilm,
  lastTitleChange,
  listKnownFilms,
  listLinkedFilms,
  markFilms,
  renewFilms,
} from "./known-films.server.ts";
import { findMoves } from "./moved-films.server.ts";
import { openRoots } from "./scanned-roots.server.ts";
import { keepFolderDecisions, mergeTwins, moveKnownFilms } from "./settled-moves.server.ts";

/** Compares the roots, or one folder in them, with the database. Only one scan runs at a time across all instances. */

type ScanOptions = Partial<Pick<ScanWork, "isPatient" | "onFolder">> & {
  signal?: AbortSignal;
  onProgress?: (counts: ScanCounts) => void;
  /** Receives a sentence for each media folder that cannot be read. */
  onTrouble?: (text: string) => void;
};

class ScanStopped extends Error {
  override name = "ScanStopped";
}

/** Null if another scan is running. */
export async function scanLibrary(
  request: ScanRequest,
  options: ScanOptions = {},
): Promise<Outcome<ScanCounts> | null> {
  let outcome: Outcome<ScanCounts> | null = null;
  await runOnOneInstance("scan of films", async () => {
    outcome = await scanAlone(request, options);
  });
  return outcome;
}

/**
 * Runs requested scans until none are left or another instance is scanning. With `lingerMs`, the process then waits for
 * further requests, because films that just arrived are judged a few seconds later.
 */
export async function runRequestedScans(options: ScanOptions, lingerMs = 0): Promise<void> {
  let endsAt = performance.now() + lingerMs;
  while (!options.signal?.aborted) {
    const request = await findScanRequest();
    if (request && (await scanLibrary(request, options)) === null) return;
    if (request) endsAt = performance.now() + lingerMs;
    else if (performance.now() >= endsAt) return;
    else await sleep(lingerPauseMs);
  }
}

const lingerPauseMs = seconds(0.3);

async function scanAlone(
  request: ScanRequest,
  { signal, onProgress, onFolder = () => {}, onTrouble, isPatient = true }: ScanOptions,
): Promise<Outcome<ScanCounts>> {
  const id = await beginScan(request);
  const counts = { ...noCounts };
  let lastAt = performance.now();
  const noteProgress = async () => {
    signal?.throwIfAborted();
    if (performance.now() - lastAt < seconds(1)) return;
    lastAt = performance.now();
    onProgress?.(counts);
    if (await recordScan(id, counts)) throw new ScanStopped("an operator stopped the scan");
  };
  try {
    const roots = await openRoots();
    if (!roots.ok) {
      const { message = "the media folder cannot be read" } = roots;
      await endScan(id, counts, { outcome: "failed", message });
      log.warn("a scan of films failed", { why: message });
      return roots;
    }
    for (const trouble of roots.value.troubles) onTrouble?.(trouble);
    const work = { roots: roots.value, counts, isPatient, noteProgress, onFolder };
    const problems = await scanFolder(request.folder, work, signal);
    await endScan(id, counts, { outcome: "done", problems });
    return done(counts);
  } catch (error) {
    const isStopped = error instanceof ScanStopped || signal?.aborted;
    const message = isStopped ? null : "The scan failed. The log says why.";
    await endScan(id, counts, { outcome: isStopped ? "stopped" : "failed", ...(message && { message }) });
    if (isStopped) return done(counts);
    log.error("a scan of films failed", errorFields(error));
    throw error;
  }
}

async function search(folder: string, work: ScanWork, signal?: AbortSignal): Promise<SearchedFolder> {
  const { readable, silent, isAbsent, takeLinks } = work.roots;
  // A search of everything finds all links itself.
  const linked = folder === "" ? new Map<string, string>() : await listLinkedFilms();
  try {
    const searched = await searchFolder(readable, {
      folder,
      linked,
      silent: silent.map((root) => root.folder),
      signal,
    });
    const files = searched.files.filter(({ type, size }) => type === "captions" || size > 0);
    const result = { ...searched, files };
    takeLinks(result);
    return result;
  } catch (error) {
    // The folder is gone with all its contents.
    if (folder !== "" && (await isAbsent(folder))) return searchFolder([], { folder });
    throw error;
  }
}

async function scanFolder(folder: string, work: ScanWork, signal?: AbortSignal): Promise<string[]> {
  const { counts, noteProgress } = work;
  const searched = await search(folder, work, signal);
  const files = searched.files.filter(({ type }) => type !== "captions");
  counts.found = files.length;
  await noteProgress();
  const known = await listKnownFilms();
  await settleFiles({ folder, found: searched, files, known }, work);
  const [current, decisions, titleChange] = await Promise.all([
    listKnownFilms(),
    readDecisions(),
    lastTitleChange(),
  ]);
  const besides = filmsBySubtitles(
    captionsIn(searched),
    files.map(({ path }) => path),
  );
  await judgeGroups({ files: searched.files, besides, known: current, decisions, titleChange }, work);
  await savePassedOver({ folder, found: searched, silent: work.roots.silent.map(({ number }) => number) });
  return problemsOf(searched, work.roots.troubles);
}

/** The problems of a scan and the files that it passed over, up to the number that a person would read. */
function problemsOf({ problems, passedOver, passedOverMore }: SearchedFolder, troubles: readonly string[]) {
  const passedOverNotes = passedOver
    .filter(({ reason }) => reason !== "name")
    .map(({ path, reason }) => `${path}: ${passedOverTexts[reason]}`);
  const all = [...troubles, ...problems, ...passedOverNotes];
  const more = all.length + passedOverMore - maxProblems;
  return more > 0 ? [...all.slice(0, maxProblems), `And ${more} more, on the page Media folder.`] : all;
}

const maxProblems = 100;

const captionsIn = ({ files }: SearchedFolder): string[] =>
  files.filter(({ type }) => type === "captions").map(({ path }) => path);

type ScannedFolder = {
  folder: string;
  found: SearchedFolder;
  files: readonly FoundFile[];
  known: readonly KnownFilm[];
};

/** Updates the film rows to match the folder before any film is judged. */
async function settleFiles(scanned: ScannedFolder, work: ScanWork): Promise<void> {
  const { found, files, known } = scanned;
  const { roots, counts, noteProgress } = work;
  const byPath = new Map(known.map((film) => [film.path, film]));
  const paths = new Set(files.map(({ path }) => path));
  const changed = files.filter((file) => {
    const film = byPath.get(file.path);
    return (
      film?.seenSize !== file.size ||
      film.seenModifiedMs !== file.modifiedMs ||
      film.linkTarget !== file.linkTarget
    );
  });
  const isNewOrChanged = new Set(changed.map(({ path }) => path));
  // A film that was never seen by a scan may be unchanged, so it does not count as replaced.
  const replaced = known.filter((film) => isNewOrChanged.has(film.path) && film.seenSize !== null);
  const elsewhere = known.filter(({ path }) => !paths.has(path));
  const candidates = [...replaced, ...(await absentOf(elsewhere, changed, work))];
  const moves = await findMoves({ roots, missing: candidates, files: changed, noteProgress });
  if (moves.length > 0) {
    await moveKnownFilms({ moves, subtitles: captionsIn(found) }, noteProgress);
    await keepFolderDecisions(moves, roots);
    counts.moved += moves.length;
  }
  await noteProgress();
  const movedTo = new Set(moves.map(({ to }) => to.path));
  const freed = new Set(moves.map(({ from }) => from));
  const isKnown = ({ path }: FoundFile) => byPath.has(path) && !freed.has(path);
  const rest = changed.filter(({ path }) => !movedTo.has(path));
  for (const some of chunksOf(rest, 1_000)) {
    await addFilms(some.filter((file) => !isKnown(file)));
    await renewFilms(some.filter(isKnown));
    await noteProgress();
  }
  await noteMissing(scanned, paths, work);
  counts.moved += await mergeTwins();
}

/** Checks only films with the size of a new file. Checking a whole collection would take too long. */
async function absentOf(
  films: readonly KnownFilm[],
  files: readonly FoundFile[],
  { roots, noteProgress }: ScanWork,
): Promise<KnownFilm[]> {
  const sizes = new Set(files.map(({ size }) => size));
  const absent: KnownFilm[] = [];
  for (const film of films) {
    await noteProgress();
    const size = film.seenSize ?? film.size;
    if (size !== null && sizes.has(size) && (film.isGone || (await roots.isAbsent(film.path))))
      absent.push(film);
  }
  return absent;
}

/** A film whose file is missing keeps its row, sources and decisions, and is shown as "not here at the moment". */
async function noteMissing(
  { folder, found }: ScannedFolder,
  paths: ReadonlySet<string>,
  { roots, counts, noteProgress }: ScanWork,
): Promise<void> {
  const known = (await listKnownFilms()).filter(({ path }) => folder === "" || path.startsWith(`${folder}/`));
  const back = known.filter(({ path, isGone }) => isGone && paths.has(path));
  const gone: typeof known = [];
  for (const film of known) {
    if (film.isGone || paths.has(film.path)) continue;
    if ([film.path, ...foldersOf(film.path)].some((one) => found.unread.has(one))) continue;
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
