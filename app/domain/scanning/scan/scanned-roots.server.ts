import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { done, type Outcome, refuse } from "#app/domain/errors.ts";
import {
  type FilmRoot,
  liesIn,
  loadFilmRoots,
  realRootPath,
  type SearchedFolder,
  type SearchedRoot,
  SilentFolder,
  splitRoot,
} from "#app/domain/films/films.server.ts";
import { errorCodeOf } from "#app/platform/error-code.ts";
import { env } from "#app/platform/process/env.server.ts";
import { listKnownFilms } from "./known-films.server.ts";

/** Refuses if no root can be read. */
export async function openRoots(): Promise<Outcome<ScannedRoots>> {
  const roots = await loadFilmRoots();
  if (roots.length === 0)
    return refuse("not_found", "There is no media folder. Choose one on the page Setup, or set MEDIA_DIR");
  const readable: SearchedRoot[] = [];
  const troubles: string[] = [];
  for (const root of roots) {
    const opened = await openRoot(root, readable);
    if (opened.ok) readable.push({ number: root.number, path: opened.value });
    else troubles.push(opened.message ?? "The media folder cannot be read.");
  }
  if (readable.length === 0) return refuse("not_found", troubles[0]);
  return done(rootsOf(roots, readable, troubles));
}

/** An unmounted share looks like an empty folder, so an empty root changes nothing. */
async function openRoot(root: FilmRoot, before: readonly SearchedRoot[]): Promise<Outcome<string>> {
  const name = env.MEDIA_DIR?.length === 1 ? "The media folder" : root.folder;
  try {
    const path = await realRootPath(root);
    if (path === null)
      return refuse(
        "not_found",
        `${name} was replaced by a link. Choose the folder again. Nothing was changed.`,
      );
    const outer = before.find((other) => liesIn(path, other.path));
    if (outer) return refuse("conflict", `${name} lies in ${outer.path}, whose videos are found already.`);
    const isEmpty = (await root.read(() => readdir(path))).length === 0;
    const hasFilms = async () =>
      (await listKnownFilms()).some((film) => !film.isGone && splitRoot(film.path).root === root.number);
    if (isEmpty && (await hasFilms()))
      return refuse(
        "not_found",
        `${name} is empty. If it is a disk or a share, it is not mounted. Nothing was changed.`,
      );
    return done(path);
  } catch (error) {
    if (error instanceof SilentFolder)
      return refuse(
        "not_found",
        `${name} does not answer. Check its disk or network share. Nothing was changed.`,
      );
    const { code = "unknown error" } = error as NodeJS.ErrnoException;
    return refuse("not_found", `${name} cannot be read (${code}). Nothing was changed.`);
  }
}

/**
 * The roots during one scan. A root that cannot be read is silent: nothing is known of its files, so nothing about its
 * films changes. `troubles` are the reasons why roots cannot be read, each as a sentence.
 */
function rootsOf(roots: readonly FilmRoot[], readable: readonly SearchedRoot[], troubles: readonly string[]) {
  const pathOf = new Map(readable.map(({ number, path }) => [number, path]));
  const numbers = new Set(roots.map(({ number }) => number));
  /** The paths of films behind links, by their real paths. */
  const linked = new Map<string, string>();
  /** The real path of a film's folder entry. Null if its root cannot be read. */
  const diskPath = (path: string) => {
    const { root, inside } = splitRoot(path);
    const rootPath = pathOf.get(root);
    return rootPath === undefined ? null : join(rootPath, inside);
  };
  return {
    readable,
    silent: roots.filter(({ number }) => !pathOf.has(number)),
    troubles,
    diskPath,
    /** True only if nothing exists at the path, or if its root was removed. A path that cannot be checked may still exist. */
    async isAbsent(path: string): Promise<boolean> {
      if (!numbers.has(splitRoot(path).root)) return true;
      const file = diskPath(path);
      if (file === null) return false;
      if ((linked.get(file) ?? path) !== path) return true;
      try {
        await lstat(file);
        return false;
      } catch (error) {
        return ["ENOENT", "ENOTDIR"].includes(errorCodeOf(error));
      }
    },
    /** Treats the plain paths of films that were found through links as absent. */
    takeLinks({ files }: SearchedFolder) {
      for (const { path, linkTarget } of files) if (linkTarget !== null) linked.set(linkTarget, path);
    },
  };
}

export type ScannedRoots = ReturnType<typeof rootsOf>;
