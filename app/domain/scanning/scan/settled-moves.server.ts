import { eq } from "drizzle-orm";
import { changeCatalog } from "#app/domain/catalog-version/catalog-version.server.ts";
import { folderOf } from "#app/domain/films/films.server.ts";
import { pathEndOf } from "#app/domain/films/films.ts";
import { chunksOf } from "#app/platform/lists.ts";
import { db } from "#db/client.server.ts";
import { filmDecisions } from "#db/schema/scanning.ts";
import { filmsBySubtitles } from "../names/beside-films.ts";
import {
  listKnownSubtitles,
  listTwins,
  type Move,
  mergeFilms,
  moveFilms,
  moveSubtitles,
} from "./known-films.server.ts";
import type { ScannedRoots } from "./scanned-roots.server.ts";

/** A moved film keeps its id, and with it its sources and decisions. */

/**
 * The moves of a renamed library are written in batches, so that the catalog is locked only briefly and the scan can be
 * stopped.
 */
const movesAtOnce = 500;

type MoveBatch = {
  moves: readonly Move[];
  /** The subtitle paths that the scan found. */
  subtitles: readonly string[];
};

export async function moveKnownFilms(
  { moves, subtitles }: MoveBatch,
  noteProgress: () => Promise<void>,
): Promise<void> {
  const lying = new Set(subtitles);
  for (const some of partsOf(moves)) {
    await changeCatalog([], async (transaction) => {
      const beside = await listMovedSubtitles(some, lying);
      await moveFilms(transaction, some);
      await moveSubtitles(transaction, beside);
    });
    await noteProgress();
  }
}

/**
 * Films that take each other's paths are moved in one batch, of any size. Otherwise one film would overwrite another.
 */
function partsOf(moves: readonly Move[]): Move[][] {
  const left = new Set(moves.map(({ from }) => from));
  const entered = new Set(moves.map(({ to }) => to.path));
  const isLinked = ({ from, to }: Move) => left.has(to.path) || entered.has(from);
  const alone = moves.filter((move) => !isLinked(move));
  const parts = [moves.filter(isLinked), ...chunksOf(alone, movesAtOnce)];
  return parts.filter((part) => part.length > 0);
}

/** Subtitles that were beside a film and are now beside its new path, with the same ending of their name. */
async function listMovedSubtitles(moves: readonly Move[], lying: ReadonlySet<string>) {
  if (lying.size === 0) return [];
  const newPaths = new Map(moves.map(({ from, to }) => [from, to.path]));
  const known = [...(await listKnownSubtitles())].map((url) => url.slice("media:".length));
  const besides = filmsBySubtitles(known, [...newPaths.keys()]);
  return [...besides].flatMap(([path, film]) => {
    const to = pathsBeside(path, film, newPaths.get(film) ?? "").find((one) => lying.has(one));
    return to === undefined || to === path ? [] : [{ from: path, to }];
  });
}

/** The possible new paths: each with the film's old or new name in the file and folder names. */
function pathsBeside(subtitles: string, from: string, to: string): string[] {
  const inFolder = folderOf(from) === "" ? subtitles : subtitles.slice(folderOf(from).length + 1);
  const renamed = inFolder.replaceAll(stemOf(from), () => stemOf(to));
  return [renamed, inFolder].map((path) => (folderOf(to) === "" ? path : `${folderOf(to)}/${path}`));
}

const stemOf = (path: string) => pathEndOf(path).replace(/\.[^.]*$/, "");

/** Pairs of old and new folder paths, from the film's folder upwards to the first folder whose name differs. */
function foldersMoved(from: string, to: string): [old: string, now: string][] {
  const pairs: [string, string][] = [];
  let [old, now] = [folderOf(from), folderOf(to)];
  while (old !== "" && now !== "" && old !== now) {
    pairs.push([old, now]);
    if (pathEndOf(old) !== pathEndOf(now)) break;
    [old, now] = [folderOf(old), folderOf(now)];
  }
  return pairs;
}

/** A folder decision follows the folder's films if the old folder is gone. */
export async function keepFolderDecisions(moves: readonly Move[], roots: ScannedRoots): Promise<void> {
  const targets = new Map<string, Set<string>>();
  for (const { from, to } of moves)
    for (const [old, now] of foldersMoved(from, to.path))
      targets.set(old, (targets.get(old) ?? new Set()).add(now));
  for (const [old, [now, ...others]] of targets) {
    if (now === undefined || others.length > 0) continue;
    if (!(await roots.isAbsent(old))) continue;
    const decided = await db.$count(filmDecisions, eq(filmDecisions.folder, now));
    if (decided === 0)
      await db.update(filmDecisions).set({ folder: now }).where(eq(filmDecisions.folder, old));
  }
}

/**
 * If a scan sees a film at its new path before it misses the old one, the film has two rows. They are merged once both
 * were read and turn out to be the same file.
 */
export async function mergeTwins(): Promise<number> {
  const twins = await listTwins();
  if (twins.length === 0) return 0;
  await changeCatalog([], async (transaction) => {
    for (const { gone, from, here, to, ...seen } of twins) {
      await mergeFilms(transaction, { from: here, to: gone });
      await moveFilms(transaction, [{ id: gone, from, to: { path: to, type: "file", ...seen } }]);
    }
  });
  return twins.length;
}
