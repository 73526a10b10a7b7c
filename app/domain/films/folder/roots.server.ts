import { realpath } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { eq, sql } from "drizzle-orm";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import { errorFields, log } from "#app/platform/log.server.ts";
import { env } from "#app/platform/process/env.server.ts";
import { db, withTransaction } from "#db/client.server.ts";
import { filmRoots } from "#db/schema/films.ts";
import { createFolderReader, type FolderReader } from "./answering-folder.server.ts";
import { isHiddenIn, liesIn, mayChooseRoots, placeOfChosenFolder } from "./choosable-folders.server.ts";
import { orderFilm } from "./film-workers.server.ts";
import { firstRoot, joinRoot, splitRoot } from "./folders.ts";

/**
 * The roots: the folders that hold the operator's films. MEDIA_DIR lists them. If it is unset and the database is the
 * embedded one, operators choose them on the site.
 */

export type FilmRoot = FolderReader & {
  number: number;
  /** An absolute path. The path of a chosen root contains no links. */
  folder: string;
  isChosen: boolean;
};

let loading: Promise<readonly FilmRoot[]> | undefined;
let last: readonly FilmRoot[] = [];

export const listFilmRoots = (): Promise<readonly FilmRoot[]> => loading ?? loadFilmRoots();

/** Reads the roots again, at the start and after an operator has changed them. */
export function loadFilmRoots(): Promise<readonly FilmRoot[]> {
  const reading = readRoots();
  loading = reading;
  reading.then(
    (roots) => {
      last = roots;
    },
    () => {
      if (loading === reading) loading = undefined;
    },
  );
  return reading;
}

/** Whether the operator has a folder of films, even one that cannot be read now. */
export const hasFilmRoots = (): boolean => env.MEDIA_DIR !== undefined || last.length > 0;

const watched = new Map<string, FolderReader>();

function readerOf(folder: string): FolderReader {
  const known = watched.get(folder);
  if (known) return known;
  const reader = createFolderReader(folder, () =>
    orderFilm({ kind: "probe", file: folder }, { client: "probe" }),
  );
  watched.set(folder, reader);
  return reader;
}

/** Returns the same object as before if nothing about the root has changed. */
function toRoot(number: number, folder: string, isChosen: boolean): FilmRoot {
  const known = last.find((root) => root.number === number && root.folder === folder);
  return known ?? { number, folder, isChosen, ...readerOf(folder) };
}

async function readRoots(): Promise<FilmRoot[]> {
  if (env.MEDIA_DIR !== undefined) {
    const numbers = await numberFolders(env.MEDIA_DIR);
    return env.MEDIA_DIR.map((folder, index) =>
      toRoot(numbers.get(folder) ?? index + firstRoot, folder, false),
    );
  }
  if (!mayChooseRoots()) return [];
  const rows = await db
    .select()
    .from(filmRoots)
    .where(eq(filmRoots.isChosen, true))
    .orderBy(filmRoots.number);
  const roots: FilmRoot[] = [];
  for (const { number, folder } of rows) {
    const place = await readerOf(folder)
      .read(() => placeOfChosenFolder(folder))
      .catch((error) => {
        log.warn("a folder of films cannot be read", { folder, ...errorFields(error) });
        return null;
      });
    // A disk that is not mounted now may be mounted later. Every read checks the folder again.
    if (place?.ok === false && place.reason !== "not_found")
      log.warn("a chosen folder of films is not used", { folder, why: place.message });
    else roots.push(toRoot(number, place?.ok ? place.value : folder, true));
  }
  return roots;
}

/**
 * A folder keeps its number for the lifetime of the database. The first folder of MEDIA_DIR remains the first root even
 * under a new path, because a disk or container may show the same films elsewhere.
 */
async function numberFolders(folders: readonly string[]): Promise<Map<string, number>> {
  const readNumbers = async (at: Pick<typeof db, "select">) =>
    new Map((await at.select().from(filmRoots)).map(({ folder, number }) => [folder, number]));
  const isComplete = (numbers: ReadonlyMap<string, number>) => folders.every((folder) => numbers.has(folder));
  const known = await readNumbers(db);
  if (isComplete(known)) return known;
  return withTransaction(async (transaction) => {
    await transaction.execute(sql`lock table ${filmRoots} in share row exclusive mode`);
    const numbers = await readNumbers(transaction);
    for (const [index, folder] of folders.entries()) {
      if (numbers.has(folder)) continue;
      const isFirst = index === 0 && !folders.some((other) => numbers.get(other) === firstRoot);
      const number = isFirst ? firstRoot : Math.max(firstRoot, ...numbers.values()) + 1;
      await transaction
        .insert(filmRoots)
        .values({ number, folder })
        .onConflictDoUpdate({ target: filmRoots.number, set: { folder } });
      numbers.set(folder, number);
    }
    return numbers;
  });
}

/** A file or folder with all links resolved. */
export type RealPlace = {
  path: string;
  /** The root that the requested path names. */
  root: FilmRoot;
  /** The root that contains the real path, and the root's own real path. Differs from `root` behind a link. */
  holder: FilmRoot;
  holderPath: string;
};

/**
 * Resolves a path of the database. Null if it is in no root, if a name in it is hidden, or if its root is removed.
 * Throws if the file is missing.
 */
export async function findRealPlace(path: string): Promise<RealPlace | null> {
  const { root: number, inside } = splitRoot(path);
  const names = inside === "" ? [] : inside.split("/");
  if (!names.every(isServedName)) return null;
  const roots = await listFilmRoots();
  const root = roots.find((one) => one.number === number);
  const rootPath = root && (await realRootPath(root));
  if (!root || rootPath === null || rootPath === undefined) return null;
  const real = await root.read(() => realpath(join(rootPath, ...names)));
  if (liesIn(real, rootPath)) return toPlace(real, root, root, rootPath);
  for (const holder of roots) {
    const holderPath = holder === root ? null : await realRootPath(holder).catch(() => null);
    if (holderPath !== null && liesIn(real, holderPath)) return toPlace(real, root, holder, holderPath);
  }
  return null;
}

const toPlace = (path: string, root: FilmRoot, holder: FilmRoot, holderPath: string): RealPlace | null =>
  isHiddenIn(path, holderPath) ? null : { path, root, holder, holderPath };

/**
 * The path in the database of a folder on this machine. If there is no root, any folder is treated as the first root,
 * for a trial.
 */
export async function findFolderInRoots(folder: string): Promise<Outcome<string>> {
  const real = await realpath(folder).catch(() => null);
  if (real === null) return refuse("not_found", "There is no such folder");
  const roots = await listFilmRoots();
  if (roots.length === 0) return done("");
  for (const root of roots) {
    const rootPath = await realRootPath(root).catch(() => null);
    if (rootPath !== null && liesIn(real, rootPath))
      return done(joinRoot(root.number, relative(rootPath, real).split(sep).join("/")));
  }
  return refuse("invalid", "The folder is in no media folder, so its videos could not be played");
}

/** Runs a read of a path's root and gives up when the root does not answer. */
export async function readRoot<Result>(path: string, start: () => Promise<Result>): Promise<Result> {
  const { root: number } = splitRoot(path);
  const root = (await listFilmRoots()).find((one) => one.number === number);
  return root ? root.read(start) : start();
}

/** Null if a chosen root has become a link since it was chosen. */
export async function realRootPath({ folder, isChosen, read }: FilmRoot): Promise<string | null> {
  const real = await read(() => realpath(folder));
  return isChosen && real !== folder ? null : real;
}

export const isServedName = (name: string) => name !== "" && !name.startsWith(".") && !/[/\\\0]/.test(name);
